"""Where a page's pixels come from: two backends that give equal pictures.

`BeginFrame` pumps the compositor itself (headless shells only): cheapest, and it can skip undamaged frames.
`CaptureScreenshot` works on any Chromium.
"""

from __future__ import annotations

import asyncio
import binascii
from collections.abc import Awaitable, Callable
from enum import StrEnum
from typing import Any, Protocol

from mobilegym.phone.cdp import Connection, Session
from mobilegym.phone.errors import BrowserGone, PhoneTimeout

FRAME = "HeadlessExperimental.beginFrame"


class Frames(StrEnum):
    """The backend a browser is launched for."""

    BEGIN_FRAME = "begin-frame"
    SCREENSHOT = "screenshot"


class FrameSource(Protocol):
    """Gives the page's current picture, encoded."""

    async def frame(self) -> bytes: ...


class FrameGate:
    """Lets one frame at a time through a browser; two in flight would abort its process.

    A caller that is cancelled does not cut its frame short, and a frame that never ends closes the browser.
    """

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._lock = asyncio.Lock()
        self._running: set[asyncio.Task[bytes]] = set()

    async def run(self, pump: Callable[[], Awaitable[bytes]]) -> bytes:
        task = asyncio.create_task(self._locked(pump))
        self._running.add(task)
        task.add_done_callback(self._finished)
        return await asyncio.shield(task)

    async def _locked(self, pump: Callable[[], Awaitable[bytes]]) -> bytes:
        async with self._lock:
            try:
                return await pump()
            except PhoneTimeout as error:
                self._connection.fail(BrowserGone(f"a frame never ended ({error})"))
                raise

    def _finished(self, task: asyncio.Task[bytes]) -> None:
        self._running.discard(task)
        if not task.cancelled():
            task.exception()  # a cancelled caller no longer asks for it


class BeginFrame:
    """Looks for damage first; only a damaged page is captured, then flushed by an empty frame."""

    def __init__(self, session: Session, gate: FrameGate, encoding: dict[str, Any]) -> None:
        self._session, self._gate, self._encoding = session, gate, encoding
        self._last: bytes | None = None

    async def frame(self) -> bytes:
        return await self._gate.run(self._pump)

    async def _pump(self) -> bytes:
        looked = await self._session.send(FRAME)
        if looked["hasDamage"] or self._last is None:
            shot = await self._session.send(FRAME, {"screenshot": self._encoding})
            await self._session.send(FRAME)
            self._last = binascii.a2b_base64(shot["screenshotData"])
        return self._last


class CaptureScreenshot:
    """`Page.captureScreenshot`."""

    def __init__(self, session: Session, encoding: dict[str, Any]) -> None:
        self._session, self._encoding = session, encoding

    async def frame(self) -> bytes:
        shot = await self._session.send("Page.captureScreenshot", {**self._encoding, "fromSurface": True})
        return binascii.a2b_base64(shot["data"])
