"""Where Prometheus finds a run's metrics."""

from __future__ import annotations

from typing import Any

from mobilegym.operator import names
from mobilegym.operator.resources.context import Context
from mobilegym.operator.resources.stamp import Object, named, stamp


def monitor(context: Context) -> Object | None:
    """A PodMonitor, where the cluster serves that kind. Series carry the labels `run` and `part`."""
    if not context.settings.pod_monitor:
        return None
    spec = {
        "selector": {"matchLabels": {names.RUN: context.name}},
        "podMetricsEndpoints": [_endpoint("metrics"), _endpoint("http")],  # worker and learner; engine
    }
    return stamp(named(context, "monitoring.coreos.com/v1", "PodMonitor", context.name) | {"spec": spec})


def _endpoint(port: str) -> dict[str, Any]:
    relabelings = [
        {"action": "replace", "sourceLabels": [_source(label)], "targetLabel": word}
        for word, label in (("run", names.RUN), ("part", names.PART))
    ]
    return {"port": port, "path": "/metrics", "relabelings": relabelings}


def _source(label: str) -> str:
    return "__meta_kubernetes_pod_label_" + label.translate(str.maketrans("./-", "___"))
