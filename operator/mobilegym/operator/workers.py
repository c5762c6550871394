"""The workers of the queue: each looks at one run after the other."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable

from mobilegym.operator.errors import ApiError, Conflict, Fenced, Unavailable
from mobilegym.operator.metrics import Metrics
from mobilegym.operator.queue import Queue
from mobilegym.operator.store import Key
from mobilegym.operator.urls import RedisMissing

log = logging.getLogger(__name__)


async def work(queue: Queue[Key], look: Callable[[Key], Awaitable[float | None]], count: int, metrics: Metrics) -> None:
    """Until cancelled. Every failure is logged, counted, and followed by a back-off of its run."""
    async with asyncio.TaskGroup() as group:
        for _ in range(count):
            group.create_task(_worker(queue, look, metrics))


async def _worker(queue: Queue[Key], look: Callable[[Key], Awaitable[float | None]], metrics: Metrics) -> None:
    while True:
        key = await queue.take()
        metrics.depth.set(len(queue))
        started = time.monotonic()
        try:
            again = await look(key)
        except asyncio.CancelledError:
            queue.done(key)
            raise
        except Exception as error:
            outcome = _failed(key, queue.failed(key), error)
        else:
            queue.done(key)
            if again is not None:
                queue.later(key, max(again, 0.01))
            outcome = "ok"
        metrics.reconciles.labels(outcome).inc()
        metrics.seconds.observe(time.monotonic() - started)


def _failed(key: Key, again: float, error: Exception) -> str:
    """The outcome's label."""
    if isinstance(error, Fenced):
        return "fenced"
    if isinstance(error, Conflict):
        log.info("%s: %s; again in %.1f s", key, error, again)
        return "conflict"
    if isinstance(error, ApiError | RedisMissing):
        log.warning("%s: %s; again in %.1f s", key, error, again)
        return "unavailable" if isinstance(error, Unavailable) else "refused"
    log.error("%s: an error of ours; again in %.1f s", key, again, exc_info=error)
    return "error"
