"""A collection followed: listed once, then watched, listed again whenever the watch is lost."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from dataclasses import dataclass
from enum import StrEnum

import aiohttp
from tools.kube.api import Api, ApiError, Json

log = logging.getLogger(__name__)


class Change(StrEnum):
    ADDED = "ADDED"
    MODIFIED = "MODIFIED"
    DELETED = "DELETED"


@dataclass(frozen=True, kw_only=True)
class Listed:
    """Everything there is: what is not in `items` is gone."""

    items: list[Json]


@dataclass(frozen=True, kw_only=True)
class Changed:
    change: Change
    item: Json


async def follow(api: Api, path: str, **params: str) -> AsyncIterator[Listed | Changed]:
    """Never ends by itself; survives the API server's absence."""
    delay = 0.1
    while True:
        try:
            items, version = await api.list(path, **params)
            yield Listed(items=items)
            delay = 0.1
            while True:
                async for kind, item in api.watch(path, version, **params):
                    version = item["metadata"]["resourceVersion"]
                    if kind != "BOOKMARK":
                        yield Changed(change=Change(kind), item=item)
        except (aiohttp.ClientError, TimeoutError, ApiError) as error:
            log.debug("%s: %r; listing again in %.1f s", path, error, delay)
            await asyncio.sleep(delay)
            delay = min(delay * 2, 2.0)
