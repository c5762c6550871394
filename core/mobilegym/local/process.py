"""One child process: a session of its own, a log file, and an end that leaves nothing behind."""

from __future__ import annotations

import asyncio
import ctypes
import os
import signal
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from mobilegym.local.log import Log

TOKEN = "MOBILEGYM_EXECUTOR"  # in the environment of every process that an executor started, directly or not
_PR_SET_PDEATHSIG = 1


class Role(StrEnum):
    REDIS = "redis"
    ENGINE = "engine"
    WORKER = "worker"
    LEARNER = "learner"


@dataclass(frozen=True, kw_only=True)
class Command:
    name: str
    role: Role
    argv: tuple[str, ...]
    env: Mapping[str, str] = field(default_factory=dict)
    grace: float = 10.0  # seconds between SIGTERM and SIGKILL
    limit: int = 5  # failures in a row that end the run


def _die_with_parent() -> Callable[[], None] | None:
    """For the child, between fork and exec: SIGTERM when the executor dies, however it dies."""
    if sys.platform != "linux":
        return None
    libc = ctypes.CDLL(None)
    parent = os.getpid()

    def prepare() -> None:
        libc.prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
        if os.getppid() != parent:  # died before the call
            os.kill(os.getpid(), signal.SIGTERM)

    return prepare


class Process:
    """A running child."""

    def __init__(self, command: Command, handle: asyncio.subprocess.Process) -> None:
        self.command = command
        self._handle = handle

    @classmethod
    async def start(cls, command: Command, log: Log, *, token: str, keep: tuple[int, ...] = ()) -> Process:
        """`keep` are file descriptors to inherit. Raises OSError where the program cannot be run."""
        with log.open() as out:
            handle = await asyncio.create_subprocess_exec(
                *command.argv,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=out,
                stderr=asyncio.subprocess.STDOUT,
                env={**os.environ, **command.env, TOKEN: token},
                start_new_session=True,
                preexec_fn=_die_with_parent(),  # a session has no other way to be told
                pass_fds=keep,
            )
        return cls(command, handle)

    @property
    def pid(self) -> int:
        return self._handle.pid

    @property
    def exit_code(self) -> int | None:
        """Negative: the signal that ended it."""
        return self._handle.returncode

    async def wait(self) -> int:
        return await self._handle.wait()

    async def stop(self) -> int:
        """SIGTERM, and after the grace SIGKILL to the whole group. Returns the exit code."""
        self.signal(signal.SIGTERM)
        try:
            async with asyncio.timeout(self.command.grace):
                code = await self.wait()
        except TimeoutError:
            self.kill()
            code = await self.wait()
        self.kill()  # what the child left in its group
        return code

    def signal(self, number: signal.Signals) -> None:
        with suppress(ProcessLookupError):
            self._handle.send_signal(number)

    def kill(self) -> None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, signal.SIGKILL)


def sweep(token: str) -> list[int]:
    """SIGKILL whatever still carries the token: grandchildren in sessions of their own. Returns their ids."""
    needle = f"{TOKEN}={token}".encode()
    killed: list[int] = []
    for entry in Path("/proc").glob("[0-9]*") if sys.platform == "linux" else ():
        try:
            mine = needle in (entry / "environ").read_bytes().split(b"\0")
        except OSError:
            continue
        pid = int(entry.name)
        if mine and pid != os.getpid():
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
                killed.append(pid)
    return killed
