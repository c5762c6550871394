"""The settings on a phone: what they do to the rest of it."""

from __future__ import annotations

import copy
from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio
from tests.phone.conftest import State

from mobilegym.phone.action import Back, OpenApp, Tap, Type, Wait
from mobilegym.phone.build import PhoneBuild
from mobilegym.phone.phone import Phone
from mobilegym.phone.pool import PhonePool, PoolOptions

pytestmark = pytest.mark.asyncio(loop_scope="module")


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
    state = copy.deepcopy(states[0])
    state["os"]["settings"] |= {"wifi": True, "bluetooth": True, "hotspot": True, "hour24": True, "darkMode": False}
    return state


async def tap(phone: Phone, name: str, role: str = "listitem") -> None:
    nodes = (await phone.tree())["nodes"]
    x, y, width, height = next(n["box"] for n in nodes if n["role"] == role and n["name"] == name)
    await phone.act(Tap((x + width / 2) / 360, (y + height / 2) / 800))


async def start(phone: Phone, state: State, *pages: str) -> None:
    await phone.reset(state, image=False)
    await phone.act(OpenApp("settings"))
    for page in pages:
        await tap(phone, page)


async def settings(phone: Phone) -> dict[str, Any]:
    return dict((await phone.snapshot()).state["os"]["settings"])


async def data(phone: Phone) -> dict[str, Any]:
    return dict((await phone.snapshot()).state["apps"]["settings"]["data"])


async def texts(phone: Phone) -> list[str]:
    return [n["name"] for n in (await phone.tree())["nodes"]]


async def test_airplane_mode_turns_the_radios_off(phone: Phone, state: State) -> None:
    await start(phone, state, "Network")
    await tap(phone, "Airplane mode", "switch")
    after = await settings(phone)
    assert [after[name] for name in ("airplane", "wifi", "bluetooth", "hotspot")] == [True, False, False, False]
    switch = next(n for n in (await phone.tree())["nodes"] if n["name"] == "Mobile data" and n["role"] == "switch")
    assert (switch["disabled"], switch["checked"]) == (True, False)


async def test_a_network_is_joined_only_with_its_password(phone: Phone, state: State) -> None:
    known = state["apps"]["settings"]["data"]["networks"].values()
    network = next(n for n in known if n["secured"] and not n["saved"])
    await start(phone, state, "Network", "Wi-Fi", network["name"])
    await phone.act(Type("wrong-one"))
    await tap(phone, "Connect", "button")
    assert (await settings(phone))["wifiNetwork"] != network["name"]
    await tap(phone, "Clear Password", "button")
    await phone.act(Type(network["password"]))
    await tap(phone, "Connect", "button")
    assert (await settings(phone))["wifiNetwork"] == network["name"]
    await tap(phone, network["name"])
    await tap(phone, "Forget network")
    assert (await settings(phone))["wifiNetwork"] == ""
    assert (await data(phone))["networks"][network["name"]]["saved"] is False


async def test_the_language_changes_on_the_whole_phone(phone: Phone, state: State) -> None:
    await start(phone, state, "Language")
    await tap(phone, "简体中文", "radio")
    assert (await phone.tree())["heading"] == "语言"
    await phone.act(OpenApp("notes"))
    assert (await phone.tree())["heading"] == "便签"


async def test_the_12_hour_clock_shows_at_once(phone: Phone, state: State) -> None:
    await start(phone, state, "Date and time")
    await tap(phone, "24-hour clock", "switch")
    assert any(text.endswith(("AM", "PM")) for text in await texts(phone))


async def test_a_zone_can_be_chosen_once_time_is_not_automatic(phone: Phone, state: State) -> None:
    await start(phone, state, "Date and time")
    await tap(phone, "Time zone")
    assert (await phone.tree())["screen"] == "dateTime"
    await tap(phone, "Automatic date and time", "switch")
    await tap(phone, "Time zone")
    await tap(phone, "Denver", "radio")
    assert (await phone.snapshot()).state["os"]["clock"]["zone"] == "America/Denver"
    await tap(phone, "Automatic date and time", "switch")
    assert (await phone.snapshot()).state["os"]["clock"]["zone"] == "America/New_York"


async def test_silenced_apps_post_no_notification(phone: Phone, state: State) -> None:
    now = state["os"]["clock"]["now"]
    state["apps"]["clock"]["data"]["timer"] |= {"duration": 60, "endsAt": now + 60_000, "left": None}
    await start(phone, state, "Apps", "Clock")
    await tap(phone, "Notifications", "switch")
    await phone.act(Wait(90))
    assert (await phone.snapshot()).state["os"]["notifications"] == {}


async def test_a_stopped_app_is_gone_from_the_recents(phone: Phone, state: State) -> None:
    await phone.reset(state, image=False)
    await phone.act(OpenApp("notes"))
    await phone.act(OpenApp("settings"))
    await tap(phone, "Apps")
    await tap(phone, "Notes")
    await tap(phone, "Force stop", "button")
    await tap(phone, "OK", "button")
    assert (await phone.snapshot()).state["os"]["nav"]["recents"] == ["settings"]


async def test_search_leads_to_a_setting_and_back(phone: Phone, state: State) -> None:
    await start(phone, state)
    await tap(phone, "Search", "button")
    await phone.act(Type("ring"))
    await tap(phone, "Ringtone")
    assert (await phone.tree())["screen"] == "ringtone"
    await phone.act(Back())
    assert (await phone.tree())["screen"] == "search"


async def test_clearing_a_cache_frees_its_space(phone: Phone, state: State) -> None:
    await start(phone, state, "Apps", "Notes", "Storage")
    await tap(phone, "Clear cache", "button")
    assert (await data(phone))["storage"]["cache"]["notes"] == 0
    assert "0 MB" in await texts(phone)
