"""A phone's place in a pool, whoever sits there: opened when wanted, replaced when dead."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from dataclasses import dataclass, field
from weakref import WeakSet

from playwright.async_api import Playwright

from mobilegym.phone.browser import Browser
from mobilegym.phone.build import PhoneBuild
from mobilegym.phone.errors import Gone, PhoneError, PhoneTimeout
from mobilegym.phone.phone import Phone
from mobilegym.phone.pool_options import PoolCounts, PoolOptions

log = logging.getLogger(__name__)

OPEN_ATTEMPTS = 3  # a browser may die while a page opens in it


@dataclass(eq=False)
class Host:
    """A browser's place in the pool. `leased`: its phones that are held, or about to be."""

    browser: Browser | None = None
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    leased: int = 0
    episodes: int = 0
    retiring: bool = False
    parked: list[Seat] = field(default_factory=list)  # free seats that wait for the new browser


@dataclass(eq=False)
class Seat:
    """A phone's place in the pool."""

    host: Host
    phone: Phone | None = None
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    leased: bool = False
    episodes: int = 0


class Keeper:
    """Opens browsers and phones of one pool, anew where they have died."""

    def __init__(
        self, playwright: Playwright, url: str, build: PhoneBuild, options: PoolOptions, counts: PoolCounts
    ) -> None:
        self._playwright = playwright
        self._url = url
        self._build = build
        self._options = options
        self._counts = counts
        self._retired: WeakSet[Browser] = WeakSet()  # ended on purpose: their phones are not lost

    async def phone(self, seat: Seat) -> Phone:
        """The seat's living phone."""
        async with seat.lock:
            if seat.phone is not None and seat.phone.error is not None:
                await self._discard(seat.phone)
                seat.phone = None
            if seat.phone is None:
                seat.phone = await self._open(seat.host)
            return seat.phone

    async def recycle(self, host: Host) -> None:
        """Ends a browser in good health; its phones come back in a new one."""
        async with host.lock:
            if host.browser is not None:
                self._retired.add(host.browser)
                await host.browser.close()
                host.browser = None
            self._counts.browsers_recycled += 1

    async def _open(self, host: Host) -> Phone:
        for attempt in range(1, OPEN_ATTEMPTS + 1):
            browser = await self._browser(host)
            try:
                return await Phone.open(browser, self._url, self._build, self._options.picture, self._options.viewport)
            except Gone as error:
                if isinstance(error, PhoneTimeout):
                    await browser.close()
                if attempt == OPEN_ATTEMPTS:
                    raise
        raise AssertionError("unreachable")

    async def _browser(self, host: Host) -> Browser:
        async with host.lock:
            if host.browser is not None and host.browser.error is not None:
                log.warning("browser replaced: %s", host.browser.error)
                await host.browser.close()
                host.browser = None
                self._counts.browsers_lost += 1
            if host.browser is None:
                host.browser = await Browser.launch(self._playwright, self._options.browser)
                host.episodes = 0
            return host.browser

    async def _discard(self, phone: Phone) -> None:
        if phone.browser not in self._retired:
            self._counts.pages_lost += 1
            log.warning("phone replaced: %s", phone.error)
        with contextlib.suppress(PhoneError):  # the browser may be dying too; `_browser` sees to that
            await phone.close()
