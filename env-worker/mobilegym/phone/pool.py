"""Many phones in few browsers, kept alive: what crashes is replaced, what has worn out is recycled."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Coroutine
from dataclasses import dataclass, field
from typing import Any, Self

from playwright.async_api import Playwright, async_playwright

from mobilegym.phone.browser import Browser, BrowserOptions
from mobilegym.phone.build import PhoneBuild
from mobilegym.phone.chromium import Isolation
from mobilegym.phone.errors import Gone, PhoneError, PhoneTimeout
from mobilegym.phone.image import Picture
from mobilegym.phone.limits import check_limits
from mobilegym.phone.phone import Phone, Viewport
from mobilegym.phone.server import PhoneServer

log = logging.getLogger(__name__)

OPEN_ATTEMPTS = 3  # a browser may die while a page opens in it
BROWSER_MEGABYTES = 250.0  # of a browser before its first phone


@dataclass(frozen=True, kw_only=True)
class PoolOptions:
    """`phones` over `browsers` processes (about one browser a core is best).

    A browser is replaced after `recycle_episodes` episodes, or when it holds more than `phone_megabytes` a phone.
    """

    phones: int
    browsers: int = 1
    browser: BrowserOptions = field(default_factory=BrowserOptions)
    picture: Picture = field(default_factory=Picture)
    viewport: Viewport = field(default_factory=Viewport)
    collect_episodes: int = 5  # a garbage collection every so many episodes of a phone
    recycle_episodes: int = 5000
    phone_megabytes: float = 100.0

    def __post_init__(self) -> None:
        if not 1 <= self.browsers <= self.phones:
            raise ValueError(f"{self.phones} phones in {self.browsers} browsers: give 1 <= browsers <= phones")


@dataclass
class PoolCounts:
    """What happened so far."""

    episodes: int = 0
    pages_lost: int = 0
    browsers_lost: int = 0
    browsers_recycled: int = 0


@dataclass(eq=False)
class _Host:
    """A browser's place in the pool."""

    browser: Browser | None = None
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    leased: int = 0
    episodes: int = 0
    retiring: bool = False
    parked: list[_Seat] = field(default_factory=list)  # free seats that wait for the new browser


@dataclass(eq=False)
class _Seat:
    """A phone's place in the pool."""

    host: _Host
    phone: Phone | None = None
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    leased: bool = False
    episodes: int = 0


class PhonePool:
    """`async with PhonePool(options) as pool: async with pool.phone() as phone: ...`"""

    def __init__(self, options: PoolOptions, build: PhoneBuild | None = None) -> None:
        self.options = options
        self.build = build or PhoneBuild.load()
        self.counts = PoolCounts()
        self._server = PhoneServer(self.build)
        self._playwright: Playwright | None = None
        self._hosts = [_Host() for _ in range(options.browsers)]
        self._seats = [_Seat(self._hosts[i % options.browsers]) for i in range(options.phones)]
        self._free: asyncio.Queue[_Seat] = asyncio.Queue()
        self._leases: dict[Phone, _Seat] = {}
        self._background: set[asyncio.Task[None]] = set()
        self._closing = False

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(self, *exception: object) -> None:
        await self.close()

    async def start(self) -> None:
        """Checks the machine's limits, then opens every phone. Raises SetupError for what the machine lacks."""
        own_processes = self.options.browser.isolation is Isolation.CONTEXT
        check_limits(self.options.phones, self.options.browsers, own_processes=own_processes)
        try:
            await self._server.start()
            self._playwright = await async_playwright().start()
            await asyncio.gather(*(self._ensure(seat) for seat in self._seats))
        except BaseException:
            await self.close()
            raise
        for seat in self._seats:
            self._free.put_nowait(seat)

    async def close(self) -> None:
        """Ends every browser and waits for its processes."""
        self._closing = True
        for task in self._background:
            task.cancel()
        await asyncio.gather(*self._background, return_exceptions=True)
        await asyncio.gather(*(host.browser.close() for host in self._hosts if host.browser is not None))
        if self._playwright is not None:
            await self._playwright.stop()
        await self._server.close()

    @contextlib.asynccontextmanager
    async def phone(self) -> AsyncIterator[Phone]:
        """A phone for one episode."""
        phone = await self.acquire()
        try:
            yield phone
        finally:
            await self.release(phone)

    async def acquire(self) -> Phone:
        """Waits for a free phone. It shows what the last episode left: reset it."""
        while True:
            seat = await self._free.get()
            if seat.host.retiring:
                seat.host.parked.append(seat)
                continue
            try:
                phone = await self._ensure(seat)
            except BaseException:
                self._free.put_nowait(seat)
                raise
            seat.leased = True
            seat.host.leased += 1
            self._leases[phone] = seat
            return phone

    async def release(self, phone: Phone) -> None:
        """Gives a phone back, dead or alive, at the end of an episode."""
        seat = self._leases.pop(phone)
        host = seat.host
        try:
            await self._tidy(seat)
        finally:
            seat.leased = False
            host.leased -= 1
            host.retiring = host.retiring or self._worn(host)
            if not host.retiring:
                self._free.put_nowait(seat)
            else:
                host.parked.append(seat)
                if host.leased == 0:
                    self._spawn(self._recycle(host))
        if phone.error is not None and not host.retiring:
            self._spawn(self._heal(seat))

    def megabytes(self) -> float:
        """Memory of all browsers, MB of proportional set size."""
        return sum(host.browser.pss() for host in self._hosts if host.browser is not None)

    async def _tidy(self, seat: _Seat) -> None:
        self.counts.episodes += 1
        seat.host.episodes += 1
        seat.episodes += 1
        if seat.phone is not None and seat.phone.error is None and seat.episodes % self.options.collect_episodes == 0:
            with contextlib.suppress(Gone):  # replaced below
                await seat.phone.collect_garbage()

    def _worn(self, host: _Host) -> bool:
        if host.episodes >= self.options.recycle_episodes:
            return True
        seats = sum(seat.host is host for seat in self._seats)
        if host.browser is None or host.episodes % (self.options.collect_episodes * seats) != 0:
            return False
        return host.browser.pss() > BROWSER_MEGABYTES + self.options.phone_megabytes * seats

    async def _recycle(self, host: _Host) -> None:
        async with host.lock:
            if host.browser is not None:
                await host.browser.close()
                host.browser = None
            self.counts.browsers_recycled += 1
            host.episodes, host.retiring = 0, False
        parked, host.parked = host.parked, []
        for seat in parked:
            self._free.put_nowait(seat)

    async def _ensure(self, seat: _Seat) -> Phone:
        """The seat's phone, replaced if it has died."""
        async with seat.lock:
            if seat.phone is not None and seat.phone.error is None:
                return seat.phone
            if seat.phone is not None:
                await self._discard(seat.phone)
                seat.phone = None
            for attempt in range(1, OPEN_ATTEMPTS + 1):
                browser = await self._browser(seat.host)
                try:
                    seat.phone = await Phone.open(
                        browser, self._server.url, self.build, self.options.picture, self.options.viewport
                    )
                    break
                except Gone as error:
                    if isinstance(error, PhoneTimeout):
                        await browser.close()
                    if attempt == OPEN_ATTEMPTS:
                        raise
            assert seat.phone is not None
            seat.phone.session.on_gone(lambda: self._spawn(self._heal(seat)))
            return seat.phone

    async def _browser(self, host: _Host) -> Browser:
        async with host.lock:
            if host.browser is not None and host.browser.error is not None:
                log.warning("browser replaced: %s", host.browser.error)
                await host.browser.close()
                host.browser = None
                self.counts.browsers_lost += 1
            if host.browser is None:
                assert self._playwright is not None
                host.browser = await Browser.launch(self._playwright, self.options.browser)
                host.episodes = 0
            return host.browser

    async def _discard(self, phone: Phone) -> None:
        self.counts.pages_lost += 1
        log.warning("phone replaced: %s", phone.error)
        with contextlib.suppress(PhoneError):  # the browser may be dying too; `_browser` sees to that
            await phone.close()

    async def _heal(self, seat: _Seat) -> None:
        """Replaces a dead phone that nobody holds, so that the next episode need not wait for it."""
        if seat.leased or seat.host.retiring:
            return
        try:
            await self._ensure(seat)
        except PhoneError as error:
            log.error("phone not replaced, tried again when it is wanted: %s", error)

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        if self._closing:
            work.close()
            return
        task = asyncio.create_task(work)
        self._background.add(task)
        task.add_done_callback(self._background.discard)
