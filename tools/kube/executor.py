"""What a kubelet needs from that which runs containers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from pathlib import Path

from tools.kube.api import Api, Json
from tools.kube.logs import Logs
from tools.kube.services import Services


class StartError(Exception):
    """A container cannot be started now; `reason` is the waiting state's, and it is tried again."""

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason


class ProgramError(Exception):
    """The container's program cannot be executed: exit code 128, reason StartError."""


@dataclass(frozen=True, kw_only=True)
class Surroundings:
    """What pods meet in the cluster that they run in."""

    api: Api
    url: str  # of the API server
    authority: bytes  # PEM, of the API server's certificate
    services: Services


@dataclass(kw_only=True)
class Sandbox:
    """One pod on this node: its address and where its volumes lie."""

    pod: Json
    address: str
    volumes: dict[str, Path] = field(default_factory=dict)  # by the volume's name


class Process(ABC):
    """A container that runs."""

    @abstractmethod
    async def wait(self) -> int:
        """The exit code, 128 + n after signal n. May be awaited several times, and cancelled."""

    @abstractmethod
    def signal(self, number: int) -> None:
        """To the container's first process, SIGKILL to all of them; nothing happens when it has ended."""


class Executor(ABC):
    """`real`: containers are processes: probed, with logs, reached through Services."""

    real = True

    @property
    def logs(self) -> Logs | None:
        return None

    async def open(self, surroundings: Surroundings) -> None:  # noqa: B027
        """Called once, before anything else."""

    async def prepare(self, sandbox: Sandbox) -> None:  # noqa: B027
        """Makes the pod's volumes. Raises StartError."""

    @abstractmethod
    async def start(self, sandbox: Sandbox, container: Json, attempt: int) -> Process:
        """Returns when the container runs. `attempt` counts from 0. Raises StartError, ProgramError."""

    async def run(self, sandbox: Sandbox, container: Json, command: list[str]) -> int:
        """Runs a probe's command inside a container; its exit code. Asked only of executors that are `real`."""
        raise NotImplementedError

    async def release(self, sandbox: Sandbox) -> None:  # noqa: B027
        """Removes what `prepare` made."""
