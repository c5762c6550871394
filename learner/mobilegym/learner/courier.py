"""The learner's errands: an event loop on its own thread, so that streams are served while tensors are computed."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine
from types import TracebackType
from typing import Any, Self, TypeVar

T = TypeVar("T")


class Courier:
    """`call` runs a coroutine there and waits for it; `start` leaves one running until the courier closes."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._standing: list[asyncio.Task[Any]] = []
        self._thread = threading.Thread(target=self._loop.run_forever, name="courier", daemon=True)
        self._thread.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def call(self, errand: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(errand, self._loop).result()

    def start(self, errand: Coroutine[Any, Any, Any]) -> None:
        async def stand() -> None:
            self._standing.append(asyncio.create_task(errand))

        self.call(stand())

    def soon(self, what: Callable[[], object]) -> None:
        """Does it there without waiting for it."""
        self._loop.call_soon_threadsafe(what)

    def rest(self) -> None:
        """Ends what was left running."""

        async def stop() -> None:
            left = set(self._standing)
            self._standing.clear()
            while left:  # a library's wait_for may swallow one cancellation
                for task in left:
                    task.cancel()
                _, left = await asyncio.wait(left, timeout=0.5)

        self.call(stop())

    def close(self) -> None:
        if self._loop.is_closed():
            return
        self.rest()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()
