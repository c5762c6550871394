"""What deleted runs left in Redis: it expires after a day."""

from __future__ import annotations

import logging
import re
from collections.abc import Awaitable, Callable, Collection
from typing import Any

from mobilegym.operator.runs import Run, stream_of
from mobilegym.protocol.streams.keys import Keys

log = logging.getLogger(__name__)

DAY_MS = 86_400_000
_STREAM = re.compile(rb"^mg:\{([a-z0-9-]+)\.([a-z0-9-]+)\.([0-9a-f]{8})\}:")


async def expire(client: Any, run: Run) -> None:
    """Everything of one run."""
    await _expire(client, stream_of(run))


async def sweep(client: Any, alive: Callable[[], Awaitable[Collection[str]]], namespace: str | None) -> list[str]:
    """Streams without a run, of the namespace or of all, and without an expiry. Returns their names.

    Only for a Redis that is this operator's own: in another one, what it does not know may well be alive. `alive` is
    asked after Redis was: a stream that has no run by then has lost it.
    """
    found = await streams(client)
    runs = set(await alive())
    dead = sorted(name for name in found - runs if namespace in (None, name.split(".")[0]))
    told = []
    for name in dead:
        if await _expire(client, name):
            told.append(name)
            log.info("stream %s has no run any more: it expires in a day", name)
    return told


async def streams(client: Any) -> set[str]:
    """Names of all streams that a cluster's runs have made."""
    found: set[str] = set()
    async for key in client.scan_iter(match="mg:{*}:*", count=1000):
        parts = _STREAM.match(key)
        if parts:
            found.add(b".".join(parts.groups()).decode())
    return found


async def _expire(client: Any, stream: str) -> int:
    """How many keys had no expiry yet."""
    keys = Keys.of(stream).all()
    pipe = client.pipeline(transaction=False)
    for key in keys:
        pipe.pttl(key)
    ages = await pipe.execute()
    pipe = client.pipeline(transaction=False)
    for key, age in zip(keys, ages, strict=True):
        if age == -1:
            pipe.pexpire(key, DAY_MS)
    return len(await pipe.execute()) if -1 in ages else 0
