"""What a kubelet needs from that which runs containers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from pathlib import Path

from tools.kube.api import Json


class StartError(Exception):
    """A container cannot be started now; `reason` is the waiting state's, and it is tried again."""

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason


class CommandError(Exception):
    """The container's program cannot be executed: exit code 128, reason StartError."""


@dataclass(kw_only=True)
class Sandbox:
    """One pod on this node: its address and where its volumes lie."""

    pod: Json
    address: str
    folder: Path | None = None
    volumes: dict[str, Path] = field(default_factory=dict)


class Process(ABC):
    """A container that runs."""

    @abstractmethod
    async def wait(self) -> int:
        """The exit code, 128 + n after signal n. May be awaited several times, and cancelled."""

    @abstractmethod
    def signal(self, number: int) -> None:
        """To all processes of the container; nothing happens when it has ended."""


class Executor(ABC):
    probes = True  # whether the probes of a pod are to be made; else a running container is a ready one

    async def prepare(self, sandbox: Sandbox) -> None:  # noqa: B027
        """Makes the pod's volumes. Raises StartError."""

    @abstractmethod
    async def start(self, sandbox: Sandbox, container: Json, attempt: int) -> Process:
        """Returns when the container runs. `attempt` counts from 0. Raises StartError, CommandError."""

    async def run(self, sandbox: Sandbox, container: Json, command: list[str]) -> int:
        """Runs a probe's command inside a container; its exit code."""
        raise NotImplementedError

    async def release(self, sandbox: Sandbox) -> None:  # noqa: B027
        """Removes what `prepare` made."""
