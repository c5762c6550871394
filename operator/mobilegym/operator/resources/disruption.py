"""How many workers a node's upgrade may take at once."""

from __future__ import annotations

from mobilegym.operator import names
from mobilegym.operator.resources.context import Context
from mobilegym.operator.resources.stamp import Object, named, stamp

AT_ONCE = "25%"


def disruption(context: Context) -> Object:
    """A worker that is not ready plays nothing and may always go. The learner is left to its checkpoints."""
    spec = {
        "maxUnavailable": AT_ONCE,
        "unhealthyPodEvictionPolicy": "AlwaysAllow",
        "selector": {"matchLabels": names.selector(context.name, names.WORKER)},
    }
    name = names.workers_name(context.name)
    return stamp(named(context, "policy/v1", "PodDisruptionBudget", name, part=names.WORKER) | {"spec": spec})
