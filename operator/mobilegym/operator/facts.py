"""A pod as the API server gives it, reduced to the facts that decisions are made by."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from mobilegym.operator import names
from mobilegym.operator.observed import Pod

DISRUPTIONS = frozenset({"Evicted", "Preempting", "Shutdown", "NodeShutdown", "NodeAffinity", "NodeLost", "Terminated"})
_EMPTY: Mapping[str, Any] = {}


def unix(text: str | None) -> float | None:
    """RFC 3339 to unix seconds."""
    return datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp() if text else None


def pod(obj: Mapping[str, Any]) -> Pod:
    """Of the main container, the one named like the pod's part; of a sidecar where the main one still waits for it."""
    meta, spec, status = obj["metadata"], obj.get("spec", _EMPTY), obj.get("status", _EMPTY)
    labels, conditions = meta.get("labels") or {}, status.get("conditions") or ()
    part, index = labels.get(names.PART, ""), labels.get(names.INDEX)
    main = _container(status.get("containerStatuses"), part)
    ended = _terminated(main)
    waiting, message = _waiting(status, main, conditions)
    return Pod(
        name=meta["name"],
        uid=meta["uid"],
        part=part,
        index=int(index) if index is not None else None,
        phase=status.get("phase", "Pending"),
        ready=_holds(conditions, "Ready"),
        scheduled=bool(spec.get("nodeName")),
        terminating="deletionTimestamp" in meta,
        deadline=unix(meta.get("deletionTimestamp")),
        node=spec.get("nodeName", ""),
        # A kubelet says both or none. Of a node that is silent, the control plane takes back only the first.
        node_lost=_holds(conditions, "Ready", "False") and _holds(conditions, "ContainersReady"),
        created=unix(meta.get("creationTimestamp")) or 0.0,
        restarts=int(main.get("restartCount", 0)),
        exit_code=ended.get("exitCode"),
        signal=ended.get("signal"),
        waiting=waiting,
        message=message or status.get("message") or ended.get("message") or "",
        disrupted=_holds(conditions, "DisruptionTarget") or status.get("reason") in DISRUPTIONS,
        hash=(meta.get("annotations") or {}).get(names.HASH, ""),
    )


def _container(statuses: Iterable[Mapping[str, Any]] | None, name: str) -> Mapping[str, Any]:
    return next((s for s in statuses or () if s["name"] == name), _EMPTY)


def _terminated(status: Mapping[str, Any]) -> Mapping[str, Any]:
    """How the container ended, now or the last time."""
    for state in ("state", "lastState"):
        found = (status.get(state) or _EMPTY).get("terminated")
        if found:
            return dict(found)
    return _EMPTY


def _waiting(
    status: Mapping[str, Any], main: Mapping[str, Any], conditions: Iterable[Mapping[str, Any]]
) -> tuple[str, str]:
    """Why it does not run: reason and message."""
    for container in (main, *(status.get("initContainerStatuses") or ())):
        found = (container.get("state") or _EMPTY).get("waiting")
        if found and found.get("reason") not in (None, "PodInitializing", "ContainerCreating"):
            return str(found["reason"]), str(found.get("message") or "")
    for condition in conditions:
        if condition["type"] == "PodScheduled" and condition["status"] == "False":
            return str(condition.get("reason") or ""), str(condition.get("message") or "")
    return "", ""


def _holds(conditions: Iterable[Mapping[str, Any]], type: str, state: str = "True") -> bool:
    return any(c["type"] == type and c["status"] == state for c in conditions)
