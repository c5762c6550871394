"""Repeating what Redis did not answer: every write is idempotent, so waiting out a restart loses nothing."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterator
from typing import TypeVar

from mobilegym.protocol.errors import BlobUnavailable, StreamUnavailable

T = TypeVar("T")

FIRST_PAUSE = 0.1  # seconds, doubled up to LONGEST_PAUSE
LONGEST_PAUSE = 2.0
PATIENCE_SECONDS = 600.0  # a Redis that moves to another machine brings its disk along
AWAY = (StreamUnavailable, BlobUnavailable)


def never() -> bool:
    return False


async def persist(
    call: Callable[[], Awaitable[T]],
    *,
    give_up_after: float = PATIENCE_SECONDS,
    hurry: Callable[[], bool] = never,
) -> T:
    """Repeats `call` while Redis is away; raises its error after `give_up_after` seconds, or at once in a `hurry`."""
    for pause in _pauses(give_up_after):
        try:
            return await call()
        except AWAY:
            if pause is None or hurry():
                raise
        await asyncio.sleep(pause)
    raise AssertionError("unreachable")


def persist_blocking(
    call: Callable[[], T], *, give_up_after: float = PATIENCE_SECONDS, hurry: Callable[[], bool] = never
) -> T:
    """`persist` where there is no event loop."""
    for pause in _pauses(give_up_after):
        try:
            return call()
        except AWAY:
            if pause is None or hurry():
                raise
        time.sleep(pause)
    raise AssertionError("unreachable")


def _pauses(give_up_after: float) -> Iterator[float | None]:
    """Seconds to wait before the next try; None at the last one."""
    until, pause = time.monotonic() + give_up_after, FIRST_PAUSE
    while time.monotonic() < until:
        yield pause
        pause = min(LONGEST_PAUSE, pause * 2)
    yield None
