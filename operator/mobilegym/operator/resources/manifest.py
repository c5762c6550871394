"""Which manifest a pod was made from."""

from __future__ import annotations

from typing import Any

from mobilegym.operator import names
from mobilegym.operator.resources.config import manifest
from mobilegym.operator.resources.context import Context
from mobilegym.operator.resources.stamp import short

# What pods are made from beside the manifest that their processes read.
POD = {
    names.WORKER: ("image", "resources", "placement", "pod", "sandbox", "runtime_class_name"),
    names.LEARNER: ("image", "resources", "placement", "pod", "shm", "runtime_class_name", "checkpoint"),
}


def manifest_hash(context: Context, part: str) -> str:
    """That the part's pods carry when they are made from the manifest as it stands; the same for all workers.

    It is of what the user wrote, not of the pod: a newer operator, with other default images or another idea of a
    pod, restarts nothing. Fields at their defaults do not count, so that a field new to the manifest does not either.
    """
    spec = context.spec
    own = spec.workers if part == names.WORKER else spec.learner
    dumped = own.model_dump(mode="json", include=set(POD[part]), exclude_defaults=True)
    secret = spec.stream.redis_secret
    around: list[Any] = [spec.model.claim, spec.blobs.secret, secret and [secret.name, secret.key]]
    if part == names.LEARNER:
        around.append(spec.priority_class_name)
    return short([_pruned(manifest(context, exclude_defaults=True)["spec"]), _pruned(dumped), around])


def _pruned(data: Any) -> Any:
    """Without mappings in which nothing stands."""
    if not isinstance(data, dict):
        return data
    return {key: inner for key, value in data.items() if (inner := _pruned(value)) != {}}
