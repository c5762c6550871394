"""Which manifest a pod was made from."""

from __future__ import annotations

from mobilegym.operator import names
from mobilegym.operator.resources.context import Context
from mobilegym.operator.resources.learner import learner_pod
from mobilegym.operator.resources.worker import worker_pod


def manifest_hash(context: Context, part: str) -> str:
    """That the part's pods carry when they are made from the manifest as it stands; the same for all workers."""
    made = learner_pod(context) if part == names.LEARNER else worker_pod(context, 0)
    return str(made["metadata"]["annotations"][names.HASH])
