"""Many phones at once are as one phone alone."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from tests.phone.conftest import State

from mobilegym.phone.action import AnyAction, Back, Home, OpenApp, Swipe, Tap, Type, Wait
from mobilegym.phone.build import PhoneBuild
from mobilegym.phone.phone import Phone
from mobilegym.phone.pool import PhonePool, PoolOptions

pytestmark = pytest.mark.asyncio(loop_scope="module")

APPS = ("clock", "notes", "contacts", "settings")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def pool(build: PhoneBuild) -> AsyncIterator[PhonePool]:
    async with PhonePool(PoolOptions(phones=32, browsers=2), build) as pool:
        yield pool


def script(number: int) -> list[AnyAction]:
    return [
        OpenApp(APPS[number % 4]),
        Swipe(0.5, 0.6, 0.5, 0.3),
        Tap(0.4, 0.2 + 0.04 * number),
        Wait(30.0 * number + 1),
        Back(),
        OpenApp(APPS[(number + 1) % 4]),
        Tap(0.4, 0.3),
        Home(),
    ]


async def play(phone: Phone, state: State, actions: list[AnyAction]) -> tuple[list[str], object, object]:
    """Hash of each screen, the final state, the events."""
    first = await phone.reset(state)
    screens = [first.image, *[(await phone.step(action)).image for action in actions]]
    final = await phone.observe(state=True, image=False)
    return [hashlib.sha256(screen).hexdigest() for screen in screens], final.state, await phone.events()


async def test_32_resets_at_once_each_hold_their_own_state(pool: PhonePool, states: list[State]) -> None:
    async def reset(state: State) -> None:
        async with pool.phone() as phone:
            await phone.reset(state, image=False)
            await barrier.wait()  # nobody gives his phone back before all have one
            assert (await phone.observe(state=True)).state == state

    barrier = asyncio.Barrier(32)
    await asyncio.gather(*(reset(state) for state in states[:32]))


async def test_16_interleaved_episodes_equal_their_solo_runs(pool: PhonePool, states: list[State]) -> None:
    async def episode(number: int) -> tuple[list[str], object, object]:
        async with pool.phone() as phone:
            return await play(phone, states[number], script(number))

    together = await asyncio.gather(*(episode(number) for number in range(16)))
    alone = [await episode(number) for number in range(16)]
    assert together == alone
    assert len({screens[0] for screens, _, _ in alone}) == 16


async def test_each_phone_has_a_focus_of_its_own(pool: PhonePool, states: list[State]) -> None:
    async def search(number: int) -> None:
        async with pool.phone() as phone:
            await phone.reset(states[number], image=False)
            await phone.act(Type("nobody listens"))  # nothing is focused yet
            bar = next(node for node in (await phone.tree())["nodes"] if node["name"] in ("Search apps", "搜索应用"))
            x, y, width, height = bar["box"]
            await phone.act(Tap((x + width / 2) / 360, (y + height / 2) / 800))
            await barrier.wait()
            for text in (f"word {number} ", "你好 👋"):
                await phone.act(Type(text))
            seen = await phone.observe(state=True, image=False)
            assert seen.state is not None
            assert seen.state["os"]["launcher"]["search"] == f"word {number} 你好 👋"

    barrier = asyncio.Barrier(8)
    await asyncio.gather(*(search(number) for number in range(8)))


@pytest.mark.slow
async def test_96_phones_in_two_browsers_all_step(build: PhoneBuild, states: list[State]) -> None:
    async with PhonePool(PoolOptions(phones=96, browsers=2), build) as pool:
        phones = [await pool.acquire() for _ in range(96)]
        await asyncio.gather(*(phone.reset(states[n % 32]) for n, phone in enumerate(phones)))
        seen = await asyncio.gather(*(phone.step(OpenApp(APPS[n % 4])) for n, phone in enumerate(phones)))
        assert [observation.step for observation in seen] == [1] * 96
        assert len({observation.image for observation in seen}) >= 32
        assert pool.megabytes() / 96 < 50
