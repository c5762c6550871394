"""The claim for a run's checkpoints."""

from __future__ import annotations

from mobilegym.operator import names
from mobilegym.operator.resources.context import Context
from mobilegym.operator.resources.stamp import Object, digest, named, stamp
from mobilegym.operator.resources.volume import Volume, claimed, scratch
from mobilegym.run.learner import DEFAULT_SIZE


def claim(context: Context) -> Object | None:
    """None where the run brings a claim, or keeps its checkpoints in the pod.

    A claim cannot be changed once it is made, so its digest leaves the spec out: it never looks outdated.
    """
    checkpoint = context.spec.learner.checkpoint
    if checkpoint.claim is not None or checkpoint.ephemeral:
        return None
    spec = {
        "accessModes": ["ReadWriteOnce"],
        "resources": {"requests": {"storage": checkpoint.size or DEFAULT_SIZE}},
    } | ({"storageClassName": checkpoint.storage_class_name} if checkpoint.storage_class_name else {})
    wanted = named(context, "v1", "PersistentVolumeClaim", names.claim_name(context.name), part=names.LEARNER)
    return stamp(wanted | {"spec": spec}, digest(wanted))


def state_volume(context: Context) -> Volume:
    """Where the learner keeps its run. Runs that share a claim have a folder each."""
    checkpoint = context.spec.learner.checkpoint
    if checkpoint.ephemeral:
        return scratch("state", names.STATE_PATH)
    if checkpoint.claim is not None:
        return claimed("state", names.STATE_PATH, checkpoint.claim, folder=context.name)
    return claimed("state", names.STATE_PATH, names.claim_name(context.name))
