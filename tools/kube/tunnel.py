"""Bytes carried both ways between two connections until both sides have ended."""

from __future__ import annotations

import asyncio

Stream = tuple[asyncio.StreamReader, asyncio.StreamWriter]
CHUNK = 1 << 16


async def tunnel(here: Stream, there: Stream) -> None:
    try:
        async with asyncio.TaskGroup() as group:
            group.create_task(_carry(here[0], there[1]))
            group.create_task(_carry(there[0], here[1]))
    finally:
        there[1].transport.abort()


async def _carry(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
    try:
        while data := await source.read(CHUNK):
            target.write(data)
            await target.drain()
        if target.can_write_eof():
            target.write_eof()
    except OSError:
        target.transport.abort()
