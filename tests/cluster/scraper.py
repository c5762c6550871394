"""What a Prometheus in the cluster would scrape. Debian's is built without discovery by Kubernetes: files tell it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

PORTS = ("metrics", "http")


def targets(pods: Iterable[dict[str, Any]]) -> list[dict[str, object]]:
    """Every container port of our pods named like those of the PodMonitors, with the labels that these give."""
    return [group for pod in pods if pod.get("status", {}).get("podIP") for group in _of(pod)]


def _of(pod: dict[str, Any]) -> Iterator[dict[str, object]]:
    meta = pod["metadata"]
    told = {"run": "mobilegym.io/run", "part": "mobilegym.io/part"}
    labels = {word: meta["labels"][label] for word, label in told.items() if label in meta.get("labels", {})}
    labels |= {"namespace": meta["namespace"], "pod": meta["name"]}
    spec = pod["spec"]
    for container in (*spec["containers"], *spec.get("initContainers", ())):
        for port in container.get("ports", ()):
            if port.get("name") in PORTS:
                yield {"targets": [f"{pod['status']['podIP']}:{port['containerPort']}"], "labels": labels}
