"""The clock on a phone's own time: what rings, when, and what becomes of it."""

from __future__ import annotations

import copy
from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio
from tests.phone.conftest import State

from mobilegym.phone.action import Back, Home, OpenApp, Tap, Type, Wait
from mobilegym.phone.build import PhoneBuild
from mobilegym.phone.phone import Phone
from mobilegym.phone.pool import PhonePool, PoolOptions
from mobilegym.world.cities import CITIES
from mobilegym.world.dates import wall

pytestmark = pytest.mark.asyncio(loop_scope="module")

MINUTE = 60_000


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def pool(build: PhoneBuild) -> AsyncIterator[PhonePool]:
    async with PhonePool(PoolOptions(phones=1), build) as pool:
        yield pool


@pytest_asyncio.fixture(loop_scope="module")
async def phone(pool: PhonePool) -> AsyncIterator[Phone]:
    async with pool.phone() as phone:
        yield phone


@pytest.fixture
def state(states: list[State]) -> State:
    """An English phone with one alarm, for once, which rings in five minutes."""
    state = copy.deepcopy(states[0])
    clock = state["apps"]["clock"]
    alarm = next(iter(clock["data"]["alarms"].values()))
    minute = (_minute(state) + 5) % 1440
    clock["data"]["alarms"] = {"a1": {**alarm, "id": "a1", "minute": minute, "enabled": True, "repeat": []}}
    clock["data"] |= {"snoozeMinutes": 10, "silenceMinutes": 5}
    state["os"]["settings"]["hour24"] = True
    return state


def _minute(state: State) -> int:
    now = wall(state["os"]["clock"]["now"], state["os"]["clock"]["zone"])
    return now.hour * 60 + now.minute


async def tap(phone: Phone, name: str, role: str = "button") -> None:
    nodes = (await phone.tree())["nodes"]
    x, y, width, height = next(n["box"] for n in nodes if n["role"] == role and n["name"] == name)
    await phone.act(Tap((x + width / 2) / 360, (y + height / 2) / 800))


async def clock_of(phone: Phone) -> dict[str, Any]:
    return dict((await phone.snapshot()).state["apps"]["clock"])


async def screen(phone: Phone) -> str:
    tree = await phone.tree()
    return f"{tree['app']}/{tree['screen']}"


async def test_an_alarm_rings_over_whatever_is_in_front_and_stop_leads_back(phone: Phone, state: State) -> None:
    await phone.reset(state, image=False)
    await phone.act(OpenApp("notes"))
    await phone.act(Wait(290))
    assert await screen(phone) == "notes/home"
    await phone.act(Wait(20))
    assert await screen(phone) == "clock/ringing"
    assert len((await phone.snapshot()).state["os"]["notifications"]) == 1
    await tap(phone, "Stop")
    assert await screen(phone) == "notes/home"
    ended = (await phone.snapshot()).state
    assert ended["os"]["notifications"] == {}
    assert ended["apps"]["clock"]["data"]["alarms"]["a1"]["enabled"] is False


async def test_a_snoozed_alarm_rings_again_after_the_snooze(phone: Phone, state: State) -> None:
    await phone.reset(state, image=False)
    await phone.act(Wait(310))
    await tap(phone, "Snooze 10 min")
    assert await screen(phone) == "launcher/home"
    await phone.act(Wait(590))
    assert await screen(phone) == "launcher/home"
    await phone.act(Wait(20))
    assert await screen(phone) == "clock/ringing"


async def test_a_repeated_alarm_stays_on_and_rings_once(phone: Phone, state: State) -> None:
    state["apps"]["clock"]["data"]["alarms"]["a1"]["repeat"] = [0, 1, 2, 3, 4, 5, 6]
    await phone.reset(state, image=False)
    await phone.act(Wait(310))
    await tap(phone, "Stop")
    await phone.act(Wait(3600))
    assert await screen(phone) == "launcher/home"
    assert (await clock_of(phone))["data"]["alarms"]["a1"]["enabled"] is True


async def test_what_nobody_heeds_falls_silent_and_leaves_a_word(phone: Phone, state: State) -> None:
    await phone.reset(state, image=False)
    await phone.act(Wait(310))
    await phone.act(Wait(300))
    ended = (await phone.snapshot()).state
    assert ended["apps"]["clock"]["ui"]["ringing"] is None
    assert [n["title"] for n in ended["os"]["notifications"].values()] == ["Missed alarm"]


async def test_a_ringing_that_was_left_can_be_found_again(phone: Phone, state: State) -> None:
    await phone.reset(state, image=False)
    await phone.act(Wait(310))
    await phone.act(Back())
    assert await screen(phone) == "clock/home"
    await phone.act(Home())
    await phone.act(OpenApp("clock"))
    await tap(phone, "Ringing now")
    assert await screen(phone) == "clock/ringing"


@pytest.mark.parametrize(
    ("written", "minute"),
    [
        ("7:30", 450),
        ("07:30", 450),
        ("0730", 450),
        ("7:30 pm", 1170),
        ("12:05 AM", 5),
        ("下午3:20", 920),
        ("23.59", 1439),
    ],
)
async def test_a_time_is_read_as_people_write_it(phone: Phone, state: State, written: str, minute: int) -> None:
    state["apps"]["clock"]["data"]["alarms"] = {}
    await phone.reset(state, image=False)
    await phone.act(OpenApp("clock"))
    await tap(phone, "Add alarm")
    await tap(phone, "Clear Time")
    await phone.act(Type(written))
    await tap(phone, "Save")
    assert [a["minute"] for a in (await clock_of(phone))["data"]["alarms"].values()] == [minute]


@pytest.mark.parametrize("written", ["", "25:00", "7:75", "soon", "13:00 pm"])
async def test_what_is_no_time_is_not_saved(phone: Phone, state: State, written: str) -> None:
    await phone.reset(state, image=False)
    await phone.act(OpenApp("clock"))
    await tap(phone, "Add alarm")
    await tap(phone, "Clear Time")
    if written:
        await phone.act(Type(written))
    await tap(phone, "Save")
    assert await screen(phone) == "clock/alarm"
    assert list((await clock_of(phone))["data"]["alarms"]) == ["a1"]


async def test_a_timer_runs_pauses_and_rings(phone: Phone, state: State) -> None:
    await phone.reset(state, image=False)
    await phone.act(OpenApp("clock"))
    await tap(phone, "Timer", "tab")
    await tap(phone, "1 min")
    await phone.act(Wait(30))
    await tap(phone, "Pause")
    await phone.act(Wait(120))
    assert (await clock_of(phone))["data"]["timer"]["left"] == 29
    await tap(phone, "Resume")
    await tap(phone, "+1 min")
    await phone.act(Wait(60))
    assert await screen(phone) == "clock/home"
    await phone.act(Wait(30))
    assert await screen(phone) == "clock/ringing"
    await tap(phone, "Stop")
    assert (await clock_of(phone))["data"]["timer"]["left"] is None


async def test_every_city_of_the_world_is_known_to_the_phone_by_the_same_names(phone: Phone, state: State) -> None:
    state["apps"]["clock"]["data"]["cities"] = [city.id for city in CITIES]
    state["apps"]["clock"]["ui"]["tab"] = "world"
    for first in range(0, len(CITIES), 6):
        state["os"]["scroll"] = {"clock/home/main": 128 + first * 64}
        await phone.reset(state, image=False)
        await phone.act(OpenApp("clock"))
        shown = {n["key"]: n["name"] for n in (await phone.tree())["nodes"] if n["role"] == "listitem"}
        assert {city.id: city.name["en"] for city in CITIES[first : first + 6]}.items() <= shown.items()
