"""A queue of keys: each is in it once, and with one worker at a time."""

from __future__ import annotations

import asyncio
import random
from collections import deque
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)

BASE, CAP = 1.0, 60.0  # seconds of back-off


class Queue(Generic[K]):
    """A key added while it is worked on is worked on again afterwards. Belongs to one event loop."""

    def __init__(self, *, base: float = BASE, cap: float = CAP, jitter: Callable[[], float] = random.random) -> None:
        self._base, self._cap, self._jitter = base, cap, jitter
        self._waiting: deque[K] = deque()
        self._rest: dict[K, None] = {}  # what may wait until nothing else does, in order
        self._queued: set[K] = set()
        self._working: set[K] = set()
        self._failures: dict[K, int] = {}
        self._timers: dict[K, asyncio.TimerHandle] = {}
        self._takers: deque[asyncio.Future[None]] = deque()

    def __len__(self) -> int:
        """Keys that are due, those at work aside."""
        return len(self._queued)

    def add(self, key: K, *, soon: bool = True) -> None:
        """Due now; without `soon`, after all others that are due."""
        timer = self._timers.pop(key, None)
        if timer is not None:
            timer.cancel()
        if key in self._queued:
            if soon and key in self._rest:
                del self._rest[key]
                self._waiting.append(key)
            return
        self._queued.add(key)
        if key in self._working:
            return
        if soon:
            self._waiting.append(key)
        else:
            self._rest[key] = None
        self._wake()

    def later(self, key: K, seconds: float) -> None:
        """Due in so many seconds, or when it was due before if that is sooner."""
        if key in self._queued:
            return
        loop = asyncio.get_running_loop()
        timer = self._timers.get(key)
        if timer is not None:
            if timer.when() <= loop.time() + seconds:
                return
            timer.cancel()
        self._timers[key] = loop.call_later(seconds, self.add, key)

    async def take(self) -> K:
        """The next key; `done` or `failed` must follow."""
        while not self._waiting and not self._rest:
            taker: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._takers.append(taker)
            try:
                await taker
            except asyncio.CancelledError:
                if taker.done() and not taker.cancelled():
                    self._wake()  # it was this one's turn: pass it on
                raise
        key = self._waiting.popleft() if self._waiting else next(iter(self._rest))
        self._rest.pop(key, None)
        self._queued.discard(key)
        self._working.add(key)
        return key

    def done(self, key: K) -> None:
        self._failures.pop(key, None)
        self._leave(key)

    def failed(self, key: K) -> float:
        """Due again after a growing time, which is returned."""
        failures = self._failures[key] = self._failures.get(key, 0) + 1
        seconds = backoff(failures, self._base, self._cap, self._jitter)
        self._leave(key)
        self.later(key, seconds)
        return seconds

    def clear(self) -> None:
        """Forget all that is due. Keys at work stay so."""
        for timer in self._timers.values():
            timer.cancel()
        self._timers.clear()
        self._waiting.clear()
        self._rest.clear()
        self._queued.clear()
        self._failures.clear()

    def _leave(self, key: K) -> None:
        self._working.discard(key)
        if key in self._queued:
            self._waiting.append(key)
            self._wake()

    def _wake(self) -> None:
        while self._takers:
            taker = self._takers.popleft()
            if not taker.done():
                taker.set_result(None)
                return


def backoff(failures: int, base: float = BASE, cap: float = CAP, jitter: Callable[[], float] = random.random) -> float:
    """Seconds after so many failures in a row: doubled each time, less up to a quarter by chance."""
    return float(min(cap, base * 2.0 ** min(failures - 1, 30)) * (1 - jitter() / 4))
