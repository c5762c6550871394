"""Keeps one command running until it is done, fails for good, or is stopped."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable

from mobilegym.local.errors import RunFailed
from mobilegym.local.log import Log
from mobilegym.local.process import Command, Process
from mobilegym.local.restart import Backoff, Decision, Then, decide


class Keeper:
    """`say` gets what a person should know. `go_on` is asked before a worker that ended well is started again."""

    def __init__(
        self,
        command: Command,
        log: Log,
        *,
        token: str,
        keep: tuple[int, ...] = (),
        backoff: Backoff | None = None,
        say: Callable[[str], None] = lambda _: None,
        go_on: Callable[[], Awaitable[bool]] | None = None,
    ) -> None:
        self.command = command
        self.log = log
        self.starts = 0
        self.exit_codes: list[int] = []
        self._token = token
        self._keep = keep
        self._backoff = backoff or Backoff()
        self._say = say
        self._go_on = go_on
        self._process: Process | None = None
        self._stopping = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def start(self) -> asyncio.Task[None]:
        """The task ends when the command is done or stopped, and raises RunFailed where it cannot be kept."""
        self._task = asyncio.create_task(self._run(), name=self.command.name)
        return self._task

    @property
    def pid(self) -> int | None:
        return self._process.pid if self._process is not None and self._process.exit_code is None else None

    async def stop(self) -> None:
        self._stopping.set()
        if self._process is not None and self._process.exit_code is None:
            await self._process.stop()
        if self._task is not None:
            await asyncio.gather(self._task, return_exceptions=True)

    def kill(self) -> None:
        self._stopping.set()
        if self._process is not None:
            self._process.kill()

    async def _run(self) -> None:
        failures = 0
        while not self._stopping.is_set():
            decision = await self._once(failures)
            failures = decision.failures
            if decision.then is Then.DONE or self._stopping.is_set():
                return
            if decision.then is Then.FAIL:
                raise RunFailed(self.command.name, f"{decision.why}; log: {self.log.where}", self.log.tail())
            if decision.then is Then.ASK and self._go_on is not None and not await self._go_on():
                return
            self._say(f"{self.command.name}: {decision.why}, starting again in {decision.delay:.0f} s")
            await self._pause(decision.delay)

    async def _once(self, failures: int) -> Decision:
        began = time.monotonic()
        try:
            self._process = await Process.start(self.command, self.log, token=self._token, keep=self._keep)
        except OSError as error:
            raise RunFailed(self.command.name, f"cannot be started: {error}") from error
        self.starts += 1
        if self._stopping.is_set():  # asked to stop while it was being started
            await self._process.stop()
        code = await self._process.wait()
        if not self._stopping.is_set():
            self._process.kill()  # what it left in its group
        self.exit_codes.append(code)
        return decide(
            self.command.role,
            code,
            lived=time.monotonic() - began,
            failures=failures,
            limit=self.command.limit,
            backoff=self._backoff,
        )

    async def _pause(self, seconds: float) -> None:
        try:
            async with asyncio.timeout(seconds):
                await self._stopping.wait()
        except TimeoutError:
            pass
