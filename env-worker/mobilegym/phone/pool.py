"""Many phones in few browsers, kept alive: what crashes is replaced, what has worn out is recycled."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Coroutine
from typing import Any, Self

from playwright.async_api import Playwright, async_playwright

from mobilegym.phone.build import PhoneBuild
from mobilegym.phone.chromium import Isolation
from mobilegym.phone.errors import Gone, PhoneError
from mobilegym.phone.limits import check_limits
from mobilegym.phone.phone import Phone
from mobilegym.phone.pool_options import PoolCounts, PoolOptions
from mobilegym.phone.seat import Host, Keeper, Seat
from mobilegym.phone.server import PhoneServer

__all__ = ["PhonePool", "PoolCounts", "PoolOptions"]

log = logging.getLogger(__name__)

BROWSER_MEGABYTES = 250.0  # of a browser before its first phone


class PhonePool:
    """`async with PhonePool(options) as pool: async with pool.phone() as phone: ...`"""

    def __init__(self, options: PoolOptions, build: PhoneBuild | None = None) -> None:
        self.options = options
        self.build = build or PhoneBuild.load()
        self.counts = PoolCounts()
        self._server = PhoneServer(self.build)
        self._playwright: Playwright | None = None
        self._keeper: Keeper | None = None
        self._hosts = [Host() for _ in range(options.browsers)]
        self._seats = [Seat(self._hosts[i % options.browsers]) for i in range(options.phones)]
        self._free: asyncio.Queue[Seat] = asyncio.Queue()
        self._leases: dict[Phone, Seat] = {}
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
            self._keeper = Keeper(self._playwright, self._server.url, self.build, self.options, self.counts)
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
            if not seat.host.retiring:
                break
            seat.host.parked.append(seat)
        seat.leased = True
        seat.host.leased += 1
        try:
            phone = await self._ensure(seat)
        except BaseException:
            self._return(seat)
            raise
        self._leases[phone] = seat
        return phone

    async def release(self, phone: Phone) -> None:
        """Gives a phone back, dead or alive, at the end of an episode."""
        seat = self._leases.pop(phone)
        try:
            await self._tidy(seat, phone)
        finally:
            seat.host.retiring = seat.host.retiring or self._worn(seat.host)
            self._return(seat)
        if phone.error is not None:
            self._spawn(self._heal(seat))

    def megabytes(self) -> float:
        """Memory of all browsers, MB of proportional set size."""
        return sum(host.browser.pss() for host in self._hosts if host.browser is not None)

    def _return(self, seat: Seat) -> None:
        host, seat.leased = seat.host, False
        host.leased -= 1
        if not host.retiring:
            self._free.put_nowait(seat)
            return
        host.parked.append(seat)
        if host.leased == 0:
            self._spawn(self._recycle(host))

    async def _tidy(self, seat: Seat, phone: Phone) -> None:
        self.counts.episodes += 1
        seat.host.episodes += 1
        seat.episodes += 1
        if phone.error is None and seat.episodes % self.options.collect_episodes == 0:
            with contextlib.suppress(Gone):  # healed by the caller
                await phone.collect_garbage()

    def _worn(self, host: Host) -> bool:
        if host.episodes >= self.options.recycle_episodes:
            return True
        seats = sum(seat.host is host for seat in self._seats)
        if host.browser is None or host.episodes % (self.options.collect_episodes * seats) != 0:
            return False
        return host.browser.pss() > BROWSER_MEGABYTES + self.options.phone_megabytes * seats

    async def _recycle(self, host: Host) -> None:
        assert self._keeper is not None
        await self._keeper.recycle(host)
        host.episodes, host.retiring = 0, False
        parked, host.parked = host.parked, []
        for seat in parked:
            self._free.put_nowait(seat)

    async def _ensure(self, seat: Seat) -> Phone:
        assert self._keeper is not None, "start() the pool first"
        before = seat.phone
        phone = await self._keeper.phone(seat)
        if phone is not before:
            phone.session.on_gone(lambda: self._spawn(self._heal(seat)))
        return phone

    async def _heal(self, seat: Seat) -> None:
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
