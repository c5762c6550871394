"""Starts the processes of a run in order, keeps them, and stops them in order."""

from __future__ import annotations

import asyncio
import secrets
import signal
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from mobilegym.local.errors import RunFailed
from mobilegym.local.keeper import Keeper
from mobilegym.local.log import FileLog
from mobilegym.local.ports import listens
from mobilegym.local.process import Command, Role, sweep
from mobilegym.local.restart import Backoff
from mobilegym.local.snapshot import LIVE
from mobilegym.protocol.errors import StreamError
from mobilegym.protocol.status import RunState
from mobilegym.protocol.streams import RedisStreams

STOP_ORDER = (Role.WORKER, Role.LEARNER, Role.ENGINE, Role.REDIS)


@dataclass(frozen=True, kw_only=True)
class Services:
    """What a run consists of, ready to start. A `None` port stands for a service that somebody else runs; `name` is
    the run's in Redis."""

    name: str
    logs: Path
    redis: Command | None
    redis_port: int | None
    redis_url: str
    engine: Command | None
    engine_port: int | None
    crew: Sequence[Command]  # workers and the learner
    lock: int | None = None  # inherited by all, so that the folder stays locked while one lives
    deadline: float | None = None  # seconds for the whole run
    engine_seconds: float = 300.0  # that the engine may take to load
    redis_seconds: float = 60.0


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """How a run ended. `exit_code` is that of the whole: 0 done, 1 failed, 128 + signal where stopped."""

    exit_code: int
    message: str
    codes: dict[str, list[int]] = field(default_factory=dict)  # exit codes by process, in order
    restarts: dict[str, int] = field(default_factory=dict)
    left_behind: list[int] = field(default_factory=list)  # processes that had to be killed at the very end


class Executor:
    """One run's life. `say` gets one line for each thing that a person should know."""

    def __init__(
        self, services: Services, *, backoff: Backoff | None = None, say: Callable[[str], None] = print
    ) -> None:
        self.services = services
        self.keepers: dict[str, Keeper] = {}
        self._backoff = backoff
        self._say = say
        self._token = secrets.token_hex(8)
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._asked: asyncio.Queue[signal.Signals] = asyncio.Queue()
        self._asks = 0
        self.doing = "starting"
        self.redis_ready = services.redis is None

    def stop(self, number: signal.Signals) -> None:
        """Ask for an orderly stop; asked again, kill all but Redis, which has the run's data."""
        if self._asks:
            self._say("asked again: killing what is left")
            for keeper in self.keepers.values():
                if keeper.command.role is not Role.REDIS:
                    keeper.kill()
        else:
            self._say(f"{number.name}: stopping in order; once more kills")
        self._asks += 1
        self._asked.put_nowait(number)

    async def run(self) -> Outcome:
        """Until the learner is done, a part cannot be kept, the deadline passes, or `stop`."""
        try:
            async with asyncio.timeout(self.services.deadline):
                code, message = await self._live()
        except RunFailed as error:
            code, message = error.exit_code, str(error)
        except TimeoutError:
            code, message = 1, f"spec.activeDeadlineSeconds ({self.services.deadline:g}) is over"
        return await self._end(code, message)

    async def _live(self) -> tuple[int, str]:
        asked = asyncio.create_task(self._asked.get())
        work = asyncio.create_task(self._work())
        try:
            await asyncio.wait({asked, work}, return_when=asyncio.FIRST_COMPLETED)
            if work.done():
                await work
                return 0, "done"
            number = asked.result()
            return 128 + number, f"stopped by {number.name}"
        finally:
            for task in (asked, work):
                task.cancel()
            await asyncio.gather(asked, work, return_exceptions=True)

    async def _work(self) -> None:
        services = self.services
        if services.redis is not None:
            self._start(services.redis)
            self.doing = "starting Redis"
            await self._until(self._redis_answers, "redis", services.redis_seconds)
            self.redis_ready = True
        await self._set_state(RunState.RUNNING)
        if services.engine is not None and services.engine_port is not None:
            port = services.engine_port
            self.doing = "loading the policy"
            self._start(services.engine)
            await self._until(lambda: listens(port), "engine", services.engine_seconds)
        self.doing = LIVE
        for command in services.crew:
            self._start(command)
        learners = [self._tasks[command.name] for command in services.crew if command.role is Role.LEARNER]
        await self._first_of(*learners)
        await self._set_state(RunState.DONE)

    def _start(self, command: Command) -> None:
        keeper = Keeper(
            command,
            FileLog(self.services.logs / f"{command.name}.log"),
            token=self._token,
            keep=(self.services.lock,) if self.services.lock is not None else (),
            backoff=self._backoff,
            say=self._say,
            go_on=self._is_running,
        )
        self.keepers[command.name] = keeper
        self._tasks[command.name] = keeper.start()

    async def _first_of(self, *wanted: asyncio.Future[object] | asyncio.Task[None]) -> None:
        """Until one of `wanted` ends; any keeper that fails meanwhile raises RunFailed."""
        waiting = {*wanted, *self._tasks.values()}
        while not any(task.done() for task in wanted):
            done, waiting = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()

    async def _until(self, ready: Callable[[], object], name: str, seconds: float) -> None:
        async def poll() -> None:
            while not await ready():  # type: ignore[misc]
                await asyncio.sleep(0.05)

        polling = asyncio.create_task(poll())
        try:
            async with asyncio.timeout(seconds):
                await self._first_of(polling)
        except TimeoutError:
            raise RunFailed(name, f"does not answer after {seconds:g} s; log: {self.keepers[name].log.where}") from None
        finally:
            polling.cancel()

    async def _redis_answers(self) -> bool:
        """Listening is not enough: it loads its append-only file first."""
        port = self.services.redis_port
        if port is None or not await listens(port):
            return False
        async with RedisStreams(self.services.redis_url, self.services.name) as streams:
            try:
                await streams.state()
            except StreamError:
                return False
        return True

    async def _is_running(self) -> bool:
        async with RedisStreams(self.services.redis_url, self.services.name) as streams:
            try:
                return (await streams.state()).leases
            except StreamError:
                return True

    async def _set_state(self, state: RunState) -> None:
        async with RedisStreams(self.services.redis_url, self.services.name) as streams:
            try:
                await streams.set_state(state)
            except StreamError as error:
                raise RunFailed("redis", f"{self.services.redis_url}: {error}") from error

    async def _end(self, code: int, message: str) -> Outcome:
        """Workers drain, the learner checkpoints, then engine and Redis go."""
        self.doing = "stopping"
        if "redis" not in self._tasks or not self._tasks["redis"].done():
            with suppress(RunFailed, TimeoutError):
                async with asyncio.timeout(5):
                    await self._set_state(RunState.DONE if code == 0 else RunState.DRAINING)
        for role in STOP_ORDER:
            self.redis_ready = self.redis_ready and role is not Role.REDIS
            group = [keeper for keeper in self.keepers.values() if keeper.command.role is role]
            await asyncio.gather(*(keeper.stop() for keeper in group))
        return Outcome(
            exit_code=code,
            message=message,
            codes={name: keeper.exit_codes for name, keeper in self.keepers.items()},
            restarts={name: max(0, keeper.starts - 1) for name, keeper in self.keepers.items()},
            left_behind=sweep(self._token),
        )


def listen_for_signals(executor: Executor) -> Callable[[], None]:
    """Ctrl-C, a closed terminal and SIGTERM ask for a stop. Returns the undoing."""
    loop = asyncio.get_running_loop()
    numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    for number in numbers:
        loop.add_signal_handler(number, executor.stop, number)

    def undo() -> None:
        for number in numbers:
            loop.remove_signal_handler(number)

    return undo
