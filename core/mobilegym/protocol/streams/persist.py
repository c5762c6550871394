"""Repeating what a stream did not answer: every write is idempotent, so waiting out a restart loses nothing."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

from mobilegym.protocol.errors import StreamUnavailable

T = TypeVar("T")

FIRST_PAUSE = 0.1  # seconds, doubled up to LONGEST_PAUSE
LONGEST_PAUSE = 2.0


async def persist(call: Callable[[], Awaitable[T]], *, give_up_after: float = 120.0) -> T:
    """Repeats `call` while the stream is unavailable; raises its StreamUnavailable after `give_up_after` seconds."""
    clock = asyncio.get_running_loop().time
    until = clock() + give_up_after
    pause = FIRST_PAUSE
    while True:
        try:
            return await call()
        except StreamUnavailable:
            if clock() >= until:
                raise
        await asyncio.sleep(pause)
        pause = min(LONGEST_PAUSE, pause * 2)
