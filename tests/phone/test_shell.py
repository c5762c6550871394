"""The system's own surfaces, touched as a finger would: launcher, shade, recents, keyboard, dialogs."""

from __future__ import annotations

import copy
from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio
from tests.phone.conftest import State

from mobilegym.phone.action import Back, Drag, Enter, Home, LongPress, OpenApp, Recents, Swipe, Tap, Type
from mobilegym.phone.build import PhoneBuild
from mobilegym.phone.errors import BadState
from mobilegym.phone.phone import Phone
from mobilegym.phone.pool import PhonePool, PoolOptions

pytestmark = pytest.mark.asyncio(loop_scope="module")

Node = dict[str, Any]


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
    """An English phone on its launcher, with a notification of each app."""
    state = copy.deepcopy(states[0])
    now = state["os"]["clock"]["now"]
    apps = ["clock", "notes", "contacts"]
    state["os"]["notifications"] = {
        app: {"id": app, "app": app, "title": f"From {app}", "text": "", "at": now - n * 1000}
        for n, app in enumerate(apps)
    }
    return state


async def node(phone: Phone, name: str, role: str) -> Node:
    nodes = (await phone.tree())["nodes"]
    found = [n for n in nodes if n["name"] == name and n["role"] == role]
    assert found, f"no {role} '{name}' among {[(n['role'], n['name']) for n in nodes]}"
    return dict(found[0])


async def tap(phone: Phone, name: str, role: str = "button") -> None:
    x, y, width, height = (await node(phone, name, role))["box"]
    await phone.act(Tap((x + width / 2) / 360, (y + height / 2) / 800))


async def system(phone: Phone) -> dict[str, Any]:
    state = (await phone.observe(state=True, image=False)).state
    assert state is not None
    return dict(state["os"])


async def test_an_icon_opens_its_app_and_home_leaves_it(phone: Phone, state: State) -> None:
    await phone.reset(state, image=False)
    await tap(phone, "Notes", "icon")
    assert (await phone.tree())["app"] == "notes"
    await phone.act(Swipe(0.5, 0.995, 0.5, 0.5))
    assert (await phone.tree())["app"] == "launcher"


async def test_search_finds_an_app_and_enter_opens_it(phone: Phone, state: State) -> None:
    await phone.reset(state, image=False)
    await phone.act(Swipe(0.5, 0.6, 0.5, 0.3))
    await phone.act(Type("sett"))
    icons = [n["name"] for n in (await phone.tree())["nodes"] if n["role"] == "icon"]
    assert icons == ["Settings"]
    await phone.act(Enter())
    assert (await phone.tree())["app"] == "settings"


async def test_the_keys_type(phone: Phone, state: State) -> None:
    await phone.reset(state, image=False)
    await tap(phone, "Search apps")
    for key in ("Shift", "N", "o", "Backspace", "Symbols", "7", "Letters", "Space", "k"):
        await tap(phone, key, "key")
    field = await node(phone, "Search apps", "textbox")
    assert (field["value"], field["focused"]) == ("N7 k", True)
    await tap(phone, "Hide keyboard", "key")
    assert (await phone.tree())["keyboard"] is False


async def test_pinyin_becomes_characters(phone: Phone, states: list[State]) -> None:
    state = states[1]
    assert state["os"]["locale"] == "zh"
    await phone.reset(state, image=False)
    await tap(phone, "搜索应用")
    for key in ("n", "i", "你", "h", "a", "o", "空格"):
        await tap(phone, key, "key")
    assert (await system(phone))["launcher"]["search"] == "你好"
    await tap(phone, "切换语言", "key")
    await tap(phone, "n", "key")
    assert (await system(phone))["launcher"]["search"] == "你好n"


@pytest.mark.parametrize(
    ("label", "setting"),
    [
        ("Wi-Fi", "wifi"),
        ("Bluetooth", "bluetooth"),
        ("Mobile data", "mobileData"),
        ("Airplane mode", "airplane"),
        ("Do not disturb", "doNotDisturb"),
        ("Flashlight", "flashlight"),
        ("Dark mode", "darkMode"),
        ("Auto-rotate", "autoRotate"),
        ("Battery saver", "batterySaver"),
        ("Hotspot", "hotspot"),
    ],
)
async def test_a_quick_tile_switches_its_setting(phone: Phone, state: State, label: str, setting: str) -> None:
    before = state["os"]["settings"][setting]
    await phone.reset(state, image=False)
    await phone.act(Swipe(0.5, 0.01, 0.5, 0.5))
    assert (await node(phone, label, "switch"))["checked"] is before
    await tap(phone, label, "switch")
    assert (await node(phone, label, "switch"))["checked"] is not before
    assert (await system(phone))["settings"][setting] is not before


async def test_brightness_follows_a_tap_and_a_slide(phone: Phone, state: State) -> None:
    state["os"]["overlay"] = "shade"
    await phone.reset(state, image=False)
    await tap(phone, "Brightness", "slider")
    assert (await system(phone))["settings"]["brightness"] == 50
    x, y, width, height = (await node(phone, "Brightness", "slider"))["box"]
    middle = (y + height / 2) / 800
    await phone.act(Swipe(0.5, middle, (x + width / 4) / 360, middle))
    assert (await node(phone, "Brightness", "slider"))["value"] == "25"


async def test_notifications_are_swiped_away_crossed_out_and_opened(phone: Phone, state: State) -> None:
    state["os"]["overlay"] = "shade"
    await phone.reset(state, image=False)
    _, y, _, height = (await node(phone, "From clock", "listitem"))["box"]
    await phone.act(Swipe(0.3, (y + height / 2) / 800, 0.9, (y + height / 2) / 800))
    await tap(phone, "Dismiss From notes")
    assert list((await system(phone))["notifications"]) == ["contacts"]
    await tap(phone, "From contacts", "listitem")
    after = await phone.tree()
    assert (after["app"], after["overlay"]) == ("contacts", "none")


async def test_recents_open_and_close_apps(phone: Phone, state: State) -> None:
    await phone.reset(state, image=False)
    for app in ("clock", "notes", "settings"):
        await phone.act(OpenApp(app))
    await phone.act(Recents())
    await tap(phone, "Close Settings")
    await phone.act(Swipe(0.5, 0.5, 0.5, 0.2))
    assert (await system(phone))["nav"]["recents"] == ["clock"]
    await tap(phone, "Clock", "listitem")
    assert (await phone.tree())["app"] == "clock"
    await phone.act(Drag(0.5, 0.995, 0.5, 0.5))
    await tap(phone, "Close all")
    assert (await system(phone))["nav"]["recents"] == []


async def test_only_what_lies_on_top_is_in_the_tree(phone: Phone, state: State) -> None:
    state["os"]["overlay"] = "shade"
    await phone.reset(state, image=False)
    assert not [n for n in (await phone.tree())["nodes"] if n["role"] == "icon"]


async def test_a_permission_is_refused_and_the_chooser_chooses(phone: Phone, state: State) -> None:
    call = {"app": "clock", "action": "none", "args": {}}
    state["os"]["dialog"] = {"kind": "permission", "app": "clock", "permission": "notifications", "then": call}
    await phone.reset(state, image=False)
    await tap(phone, "Don't allow")
    assert (await system(phone))["permissions"]["clock"]["notifications"] == "denied"
    intent = {"kind": "share", "from": "contacts", "type": "text", "text": "lemons"}
    state["os"]["dialog"] = {"kind": "chooser", "intent": intent}
    await phone.reset(state, image=False)
    await tap(phone, "Notes", "listitem")
    assert (await phone.tree())["app"] == "notes"


async def test_a_drag_over_a_row_is_no_long_press(phone: Phone, state: State) -> None:
    await phone.reset(state, image=False)
    await phone.act(OpenApp("notes"))
    before = (await system(phone))["nav"]
    await phone.act(Drag(0.5, 0.6, 0.5, 0.4))
    assert (await system(phone))["nav"] == before
    await phone.act(LongPress(0.5, 0.25))
    await phone.act(Back())
    await phone.act(Home())
    assert (await phone.tree())["app"] == "launcher"


async def test_a_state_that_cannot_be_drawn_changes_nothing(phone: Phone, state: State) -> None:
    good = await phone.reset(state)
    bad = copy.deepcopy(state)
    bad["os"]["nav"] = {"active": "clock", "stacks": {"clock": [{"screen": "attic", "params": {}}]}, "recents": []}
    with pytest.raises(BadState, match="/os/nav/stacks/clock/0/screen: app 'clock' has no screen 'attic'"):
        await phone.reset(bad)
    seen = await phone.observe(state=True)
    assert (seen.image, seen.state) == (good.image, state)
