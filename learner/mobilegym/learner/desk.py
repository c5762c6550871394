"""What the learner has at hand besides tensors: its streams, and how it tells others what it is doing."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Coroutine
from contextlib import suppress
from pathlib import Path
from typing import Any, Self, TypeVar

from mobilegym.learner.courier import Courier
from mobilegym.learner.metrics import Metrics
from mobilegym.learner.status import Phase, Status
from mobilegym.protocol.errors import ProtocolError
from mobilegym.protocol.health import HealthServer, Pulse
from mobilegym.protocol.messages import Heartbeat
from mobilegym.protocol.ports import write_port
from mobilegym.protocol.streams import Streams

log = logging.getLogger(__name__)
BEAT_SECONDS = 3.0
LAST_BEAT_SECONDS = 5.0  # that the last one may take: a stream that is away must not hold up the end
WHO = "learner"

T = TypeVar("T")


class Desk:
    """Open from the process's start to its end, so that loading a model is seen too. `streams` is closed with it."""

    def __init__(self, streams: Streams, total_steps: int) -> None:
        self.streams = streams
        self.metrics = Metrics()
        self.metrics.gauges["total_steps"].set(total_steps)
        self.status = Status(total_steps, self.metrics.observe_phase)
        self._courier = Courier()
        self._pulse = Pulse("the learner's event loop")
        self._changed = asyncio.Event()
        self._server: HealthServer | None = None

    def __enter__(self) -> Self:
        self._courier.start(self._pulse.keep())
        self._courier.start(self._keep_beating())
        return self

    def __exit__(self, *_: object) -> None:
        """Its last heartbeat tells the last phase."""
        self._courier.rest()
        with suppress(ProtocolError, TimeoutError):
            self._courier.call(asyncio.wait_for(self._beat(), LAST_BEAT_SECONDS))
        self._courier.call(self.streams.close())
        self._courier.close()
        if self._server is not None:
            self._server.close()

    def serve(self, host: str, port: int, run_dir: Path) -> None:
        """Metrics and probes. Port 0 takes a free one, written to `<run_dir>/ports/learner`. Raises ListenError."""
        self._server = HealthServer(host, port, self.metrics.registry, alive=self._pulse.check, ready=self.status.ready)
        write_port(run_dir, WHO, self._server.port)

    def call(self, errand: Coroutine[Any, Any, T]) -> T:
        """Runs it on the courier's event loop and waits for it."""
        return self._courier.call(errand)

    def enter(self, phase: Phase) -> None:
        """Said to everybody at once."""
        self.status.enter(phase)
        self._courier.soon(self._changed.set)

    async def _keep_beating(self) -> None:
        """A missed beat is logged; the stream's own retries come first."""
        while True:
            self._changed.clear()
            try:
                await self._beat()
            except ProtocolError as error:
                log.warning("no heartbeat: %s", error)
            with suppress(TimeoutError):
                async with asyncio.timeout(BEAT_SECONDS):
                    await self._changed.wait()

    async def _beat(self) -> None:
        await self.streams.beat(Heartbeat(who=WHO, role=WHO, at=time.time(), detail=self.status.detail()))
