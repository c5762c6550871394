"""What dies is noticed at once and replaced; nothing is left behind."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from tests.phone.conftest import State

from mobilegym.phone.action import Home, OpenApp, Tap
from mobilegym.phone.browser import BrowserOptions
from mobilegym.phone.build import PhoneBuild
from mobilegym.phone.chromium import Isolation
from mobilegym.phone.errors import BrowserGone, PageCrashed, PhoneTimeout
from mobilegym.phone.memory import tree
from mobilegym.phone.phone import Phone
from mobilegym.phone.pool import PhonePool, PoolOptions

BOTH = pytest.mark.parametrize("isolation", list(Isolation))


@pytest_asyncio.fixture
async def pool(build: PhoneBuild, isolation: Isolation) -> AsyncIterator[PhonePool]:
    options = BrowserOptions(isolation=isolation, timeout=6.0)
    async with PhonePool(PoolOptions(phones=3, browser=options), build) as pool:
        yield pool


def renderers(phone: Phone) -> list[int]:
    """Renderer processes below the phone's browser."""
    pids = tree(phone.browser.pid)
    return [pid for pid in pids if b"--type=renderer" in Path(f"/proc/{pid}/cmdline").read_bytes()]


async def keep_stepping(phone: Phone, stepped: asyncio.Event) -> None:
    while True:
        await phone.step(Tap(0.5, 0.4))
        await phone.step(Home())
        stepped.set()


@BOTH
async def test_a_killed_renderer_is_noticed_at_once_and_replaced(pool: PhonePool, states: list[State]) -> None:
    async with pool.phone() as phone:
        await phone.reset(states[0])
        stepped = asyncio.Event()
        stepping = asyncio.create_task(keep_stepping(phone, stepped))
        await stepped.wait()
        for pid in renderers(phone):
            os.kill(pid, signal.SIGKILL)
        async with asyncio.timeout(phone.session.timeout / 2):  # well below any timeout of a command
            with pytest.raises(PageCrashed):
                await stepping
        assert phone.error is not None
    async with asyncio.timeout(30):
        while pool.counts.pages_lost < 3:  # the idle ones' crashes are told a moment later
            await asyncio.sleep(0.01)
    phones = [await pool.acquire() for _ in range(3)]
    for fresh in phones:
        assert (await fresh.reset(states[1])).step == 0
        await pool.release(fresh)
    assert pool.counts.pages_lost == 3
    assert pool.counts.browsers_lost == 0


@BOTH
async def test_a_killed_browser_is_noticed_at_once_and_replaced(pool: PhonePool, states: list[State]) -> None:
    async with pool.phone() as phone:
        await phone.reset(states[0])
        stepped = asyncio.Event()
        stepping = asyncio.create_task(keep_stepping(phone, stepped))
        await stepped.wait()
        os.kill(phone.browser.pid, signal.SIGKILL)
        async with asyncio.timeout(phone.session.timeout / 2):
            with pytest.raises(BrowserGone):
                await stepping
    async with pool.phone() as fresh:
        assert (await fresh.reset(states[1])).step == 0
    assert pool.counts.browsers_lost == 1


@BOTH
async def test_a_page_that_hangs_is_given_up_and_replaced(pool: PhonePool, states: list[State]) -> None:
    async with pool.phone() as phone:
        await phone.reset(states[0])
        await phone.session.post("Runtime.evaluate", {"expression": "while (true);"})
        with pytest.raises(PhoneTimeout):
            await phone.act(OpenApp("clock"))
    phones = [await pool.acquire() for _ in range(3)]
    for fresh in phones:
        assert (await fresh.reset(states[1])).step == 0
        await pool.release(fresh)


@pytest.mark.parametrize("isolation", [Isolation.SHARED])
async def test_a_phone_that_dies_while_idle_is_replaced_unasked(pool: PhonePool, states: list[State]) -> None:
    phone = await pool.acquire()
    await pool.release(phone)
    gone = asyncio.Event()
    phone.session.on_gone(gone.set)
    for pid in renderers(phone):
        os.kill(pid, signal.SIGKILL)
    await gone.wait()
    async with pool.phone() as fresh:
        assert fresh is not phone
        await fresh.reset(states[0])


async def test_a_worn_browser_is_recycled_between_episodes(build: PhoneBuild, states: list[State]) -> None:
    async with PhonePool(PoolOptions(phones=2, recycle_episodes=3), build) as pool:
        pids = set()
        for _ in range(9):
            async with pool.phone() as phone:
                pids.add(phone.browser.pid)
                await phone.reset(states[0], image=False)
        assert pool.counts.browsers_recycled >= 2
        assert len(pids) >= 3
        assert pool.counts.browsers_lost == 0
        assert pool.counts.pages_lost == 0


@pytest.mark.parametrize("episodes", [24, pytest.param(200, marks=pytest.mark.slow)])
async def test_crashes_leave_nothing_behind(build: PhoneBuild, states: list[State], episodes: int) -> None:
    before = set(tree(os.getpid()))
    async with PhonePool(PoolOptions(phones=4, browsers=2), build) as pool:
        base, megabytes = len(tree(os.getpid())), pool.megabytes()
        for number in range(episodes):
            async with pool.phone() as phone:
                await phone.reset(states[number % 40], image=False)
                if number % 20 == 3:
                    os.kill(renderers(phone)[0], signal.SIGKILL)
                elif number % 20 == 13:
                    os.kill(phone.browser.pid, signal.SIGKILL)
                else:
                    continue
                gone = asyncio.Event()
                phone.session.on_gone(gone.set)
                await gone.wait()
        phones = [await pool.acquire() for _ in range(4)]
        assert len(tree(os.getpid())) <= base + 2  # spare renderers come and go
        assert pool.megabytes() < 1.5 * megabytes
        for phone in phones:
            await pool.release(phone)
    assert set(tree(os.getpid())) <= before  # zombies count
