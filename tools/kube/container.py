"""The record of one container, and its status as the API says it."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum

from tools.kube.api import Json
from tools.kube.executor import Process


class Role(StrEnum):
    MAIN = "main"
    INIT = "init"  # runs to its end before the next one starts
    SIDECAR = "sidecar"  # starts as an init container, runs as long as the main ones


@dataclass(slots=True, kw_only=True)
class Container:
    spec: Json
    role: Role
    state: Json = field(default_factory=dict)
    last: Json = field(default_factory=dict)
    restarts: int = 0
    ready: bool = False
    started: bool = False
    exit_code: int | None = None  # of the latest run that ended
    process: Process | None = None

    @property
    def name(self) -> str:
        return str(self.spec["name"])

    @property
    def ran(self) -> bool:
        return "waiting" not in self.state or bool(self.last)

    def waits(self, reason: str, message: str = "") -> None:
        if "terminated" in self.state:
            self.last = self.state
        self.state = {"waiting": {"reason": reason} | ({"message": message} if message else {})}

    def runs(self, process: Process) -> None:
        if "terminated" in self.state:
            self.last = self.state
        if self.last:
            self.restarts += 1
        self.process = process
        self.state = {"running": {"startedAt": now()}}

    def ended(self, code: int, reason: str = "", message: str = "") -> None:
        started = self.state.get("running", {}).get("startedAt") or now()
        end = {"exitCode": code, "reason": reason or ("Error" if code else "Completed")}
        end |= {"startedAt": started, "finishedAt": now(), "containerID": f"host://{self.name}-{self.restarts}"}
        self.state = {"terminated": end | ({"message": message} if message else {})}
        self.exit_code = code
        self.process = None
        self.started = False
        self.ready = self.role is Role.INIT and code == 0

    def status(self) -> Json:
        image = self.spec["image"]
        ran = self.ran
        return {
            "name": self.name,
            "image": image,
            "imageID": f"host://{image}" if ran else "",
            "containerID": f"host://{self.name}-{self.restarts}" if ran else "",
            "state": self.state,
            "lastState": self.last,
            "restartCount": self.restarts,
            "ready": self.ready,
            "started": self.started,
        }


def containers_of(pod: Json) -> list[Container]:
    """Init containers and sidecars in their order, then the main ones."""
    spec = pod["spec"]
    inits = [
        Container(spec=one, role=Role.SIDECAR if one.get("restartPolicy") == "Always" else Role.INIT)
        for one in spec.get("initContainers", ())
    ]
    mains = [Container(spec=one, role=Role.MAIN) for one in spec["containers"]]
    for container in inits + mains:
        container.waits("PodInitializing" if inits else "ContainerCreating")
    return inits + mains


def now() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
