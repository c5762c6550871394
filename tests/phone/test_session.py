"""What one phone does: reset, act, observe, snapshot, restore."""

from __future__ import annotations

import copy
import io
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from PIL import Image
from tests.phone.conftest import State

from mobilegym.phone.action import Answer, Back, Finish, LongPress, OpenApp, Swipe, Tap, Wait
from mobilegym.phone.build import PhoneBuild
from mobilegym.phone.errors import BadState, KernelError
from mobilegym.phone.image import Format, Picture
from mobilegym.phone.observation import Snapshot
from mobilegym.phone.phone import Phone
from mobilegym.phone.pool import PhonePool, PoolOptions

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def pool(build: PhoneBuild) -> AsyncIterator[PhonePool]:
    async with PhonePool(PoolOptions(phones=2, picture=Picture(format=Format.PNG)), build) as pool:
        yield pool


@pytest_asyncio.fixture(loop_scope="module")
async def phone(pool: PhonePool) -> AsyncIterator[Phone]:
    async with pool.phone() as phone:
        yield phone


async def test_reset_shows_the_state_it_was_given(phone: Phone, states: list[State]) -> None:
    await phone.reset(states[0])
    seen = await phone.observe(state=True, tree=True)
    assert seen.state == states[0]
    assert seen.tree is not None
    assert seen.tree["app"] == "launcher"
    assert seen.step == 0
    assert await phone.events() == []
    assert Image.open(io.BytesIO(seen.image)).size == seen.size == (360, 800)


async def test_nothing_of_an_earlier_episode_shows_through(phone: Phone, states: list[State]) -> None:
    alone = await phone.reset(states[1])
    await phone.reset(states[0])
    for action in (OpenApp("notes"), Swipe(0.5, 0.6, 0.5, 0.3), Tap(0.4, 0.3), LongPress(0.4, 0.4)):
        await phone.act(action)
    after = await phone.reset(states[1])
    assert after.image == alone.image
    assert (await phone.observe(state=True)).state == states[1]
    assert await phone.events() == []


async def test_a_step_counts_and_moves_the_clock(phone: Phone, states: list[State]) -> None:
    await phone.reset(states[0], image=False)
    assert (await phone.step(OpenApp("clock"))).step == 1
    await phone.idle()
    assert (await phone.step(Wait(60))).step == 3
    seen = await phone.observe(state=True)
    assert seen.state is not None
    assert seen.state["os"]["clock"]["now"] == states[0]["os"]["clock"]["now"] + 62_000
    first = (await phone.events())[0]
    assert (first["step"], first["app"]) == (0, "os")
    assert await phone.events(since=first["seq"] + 1) == (await phone.events())[1:]


async def test_finish_leaves_the_phone_alone_and_answer_lets_a_step_pass(phone: Phone, states: list[State]) -> None:
    await phone.reset(states[0], image=False)
    await phone.act(Finish())
    assert await phone.snapshot() == Snapshot((await phone.snapshot()).json)
    assert phone.step_number == 0
    await phone.act(Answer("7"))
    assert phone.step_number == 1


async def test_every_app_opens_by_a_tap_on_its_icon(phone: Phone, states: list[State]) -> None:
    icons = [n for n in ((await phone.reset(states[0], tree=True)).tree or {})["nodes"] if n["role"] == "icon"]
    assert icons
    for icon in icons:
        await phone.reset(states[0], image=False)
        x, y, width, height = icon["box"]
        await phone.act(Tap((x + width / 2) / 360, (y + height / 2) / 800))
        assert (await phone.tree())["app"] == icon["key"]


async def test_a_restored_snapshot_is_the_same_screen_and_goes_on_alike(pool: PhonePool, states: list[State]) -> None:
    later = (Swipe(0.5, 0.6, 0.5, 0.3), Tap(0.4, 0.4), Back())
    async with pool.phone() as first, pool.phone() as second:
        await first.reset(states[2], image=False)
        await first.act(OpenApp("notes"))
        seen = await first.step(Swipe(0.5, 0.6, 0.5, 0.3))
        fork = await first.snapshot()
        assert (await second.restore(fork)).image == seen.image
        for action in later:
            assert (await first.step(action)).image == (await second.step(action)).image
        assert (await first.snapshot()).state == (await second.snapshot()).state


async def test_a_state_that_does_not_fit_is_refused_by_path_and_nothing_changes(
    phone: Phone, states: list[State]
) -> None:
    before = await phone.reset(states[0])
    bad = copy.deepcopy(states[1])
    bad["os"]["settings"]["brightness"] = "bright"
    with pytest.raises(BadState) as refused:
        await phone.reset(bad)
    assert refused.value.path == "/os/settings/brightness"
    assert "bright" in refused.value.reason
    assert (await phone.observe()).image == before.image


async def test_what_the_page_throws_is_an_error_of_ours(phone: Phone, states: list[State]) -> None:
    await phone.reset(states[0], image=False)
    broken = "addEventListener('pointerup', () => { throw Error('kaput') }, { once: true })"
    await phone.session.send("Runtime.evaluate", {"expression": broken})
    with pytest.raises(KernelError, match="kaput"):
        await phone.act(Tap(0.5, 0.5))
    await phone.reset(states[0])


async def test_the_page_reaches_nothing_but_its_own_origin(phone: Phone, states: list[State]) -> None:
    await phone.reset(states[0], image=False)
    script = "fetch('http://localhost:9/').then(() => 'reached', () => 'refused')"
    asked = {"expression": script, "awaitPromise": True, "returnByValue": True}
    assert (await phone.session.send("Runtime.evaluate", asked))["result"]["value"] == "refused"
    script = (
        "new Promise(done => { addEventListener('securitypolicyviolation', e => done(e.effectiveDirective));"
        " fetch('http://localhost:9/').catch(() => {}) })"
    )
    assert (await phone.session.send("Runtime.evaluate", asked | {"expression": script}))["result"][
        "value"
    ] == "connect-src"
