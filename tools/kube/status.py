"""A pod's status as the kubelet reports it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from tools.kube.api import Json
from tools.kube.container import Container, Role, now


class Phase(StrEnum):
    PENDING = "Pending"
    RUNNING = "Running"
    SUCCEEDED = "Succeeded"
    FAILED = "Failed"

    @property
    def terminal(self) -> bool:
        return self in (Phase.SUCCEEDED, Phase.FAILED)


@dataclass(slots=True)
class Conditions:
    """Remembers when each condition last changed."""

    _latest: dict[str, Json] = field(default_factory=dict)

    def put(self, kind: str, holds: bool, reason: str = "") -> None:
        value = {"type": kind, "status": "True" if holds else "False"} | ({"reason": reason} if reason else {})
        before = self._latest.get(kind)
        if before is None or before["status"] != value["status"]:
            self._latest[kind] = value | {"lastTransitionTime": now()}
        else:
            self._latest[kind] = value | {"lastTransitionTime": before["lastTransitionTime"]}

    def list(self) -> list[Json]:
        return list(self._latest.values())


def phase_of(containers: Sequence[Container], *, finished: bool) -> Phase:
    mains = [one for one in containers if one.role is Role.MAIN]
    if finished:
        return Phase.SUCCEEDED if all(one.exit_code == 0 for one in mains) else Phase.FAILED
    return Phase.RUNNING if all(one.ran for one in mains) else Phase.PENDING


def put_conditions(conditions: Conditions, containers: Sequence[Container], phase: Phase) -> None:
    mains = [one for one in containers if one.role is not Role.INIT]
    initialized = all(one.ready if one.role is Role.INIT else one.ran for one in containers if one.role != Role.MAIN)
    ready = all(one.ready for one in mains) and not phase.terminal
    reason = (
        "" if ready else {Phase.SUCCEEDED: "PodCompleted", Phase.FAILED: "PodFailed"}.get(phase, "ContainersNotReady")
    )
    conditions.put("PodScheduled", True)
    conditions.put("PodReadyToStartContainers", not phase.terminal)
    conditions.put("Initialized", initialized, "" if initialized else "ContainersNotInitialized")
    conditions.put("ContainersReady", ready, reason)
    conditions.put("Ready", ready, reason)


def pod_status(
    containers: Sequence[Container], conditions: Conditions, *, address: str, host: str, started: str, finished: bool
) -> Json:
    """The part of a pod's status that is the kubelet's; lists are whole, conditions are merged by type."""
    phase = phase_of(containers, finished=finished)
    put_conditions(conditions, containers, phase)
    status: Json = {
        "phase": phase.value,
        "conditions": conditions.list(),
        "hostIP": host,
        "hostIPs": [{"ip": host}],
        "podIP": address,
        "podIPs": [{"ip": address}],
        "startTime": started,
        "containerStatuses": [one.status() for one in containers if one.role is Role.MAIN],
    }
    inits = [one.status() for one in containers if one.role is not Role.MAIN]
    return status | ({"initContainerStatuses": inits} if inits else {})
