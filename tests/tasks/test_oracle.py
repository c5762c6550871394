"""Views, gestures and the oracle's choice, on hand-made screens."""

from __future__ import annotations

from typing import Any

import pytest

from mobilegym.judge.answers import Integer
from mobilegym.phone.action import Answer, Back, Finish, Home, Swipe, Tap, Type
from mobilegym.tasks.gestures import (
    NotVisible,
    clear_and_type,
    do,
    ensure_app,
    ensure_screen,
    fill,
    in_app,
    open_app,
    scroll_to,
    sees,
    slide,
    swipe,
    tap,
    toggle,
    until,
)
from mobilegym.tasks.oracle import act, next_action
from mobilegym.tasks.template import Unless
from mobilegym.tasks.view import View


def node(role: str, name: str, y: float = 96, **more: Any) -> dict[str, Any]:
    return {"role": role, "name": name, "box": [0, y, 360, 64], **more}


def view(*nodes: dict[str, Any], app: str = "clock", screen: str = "main", **more: Any) -> View:
    os = {"locale": "en", "dialog": None, "focus": None, "launcher": {"page": 0, "search": None}}
    os |= more.pop("os", {})
    tree = {"app": app, "screen": screen, "heading": "", "overlay": "none", "keyboard": False, "nodes": list(nodes)}
    tree |= {key: more.pop(key) for key in ("overlay", "keyboard", "heading") if key in more}
    return View({"os": os, "apps": {}}, tree, **more)


def test_finds_by_role_name_key_and_state() -> None:
    seen = view(node("switch", "Wi-Fi", checked=True, key="wifi"), node("switch", "蓝牙", 160, checked=False))
    assert seen.visible("switch", ("Bluetooth", "蓝牙"), checked=False)
    assert not seen.visible("switch", "Bluetooth")
    assert seen.visible(key="wifi", checked=True)
    assert [n.name for n in seen.all("switch", lambda name: "i" in name)] == ["Wi-Fi"]
    found = seen.find("switch", "Wi-Fi")
    assert found is not None
    assert found.centre == (0.5, 128 / 800)


def test_taps_the_middle_and_never_what_is_disabled() -> None:
    assert tap("button", "Save")(view(node("button", "Save"))) == Tap(0.5, 0.16)
    with pytest.raises(NotVisible, match="no button Save on clock/main"):
        tap("button", "Save")(view(node("button", "Save", disabled=True)))


def test_a_keyboard_over_the_target_goes_first() -> None:
    assert tap("button", "Save")(view(keyboard=True)) == Back()


@pytest.mark.parametrize(
    ("seen", "action"),
    [
        (view(node("icon", "Clock", key="clock"), app="launcher"), Tap(0.5, 0.16)),
        (view(node("icon", "时钟"), app="launcher"), Tap(0.5, 0.16)),
        (view(app="notes"), Home()),
        (view(app="launcher", overlay="shade"), Home()),
        (view(app="launcher", os={"launcher": {"page": 0, "search": "cl"}}), Home()),
        (view(os={"dialog": {"kind": "chooser"}}, overlay="dialog"), Back()),
        (view(app="launcher"), Swipe(0.8, 0.4, 0.2, 0.4)),
        (view(app="launcher", os={"launcher": {"page": 1, "search": None}}), Swipe(0.2, 0.4, 0.8, 0.4)),
    ],
)
def test_opens_an_app_from_anywhere(seen: View, action: object) -> None:
    assert open_app("clock")(seen) == action


ROWS = [f"r{n}" for n in range(40)]


@pytest.mark.parametrize(("offset", "up"), [(0, True), (18, True), (25, False), (30, False)])
def test_scrolls_to_the_side_where_the_row_lies(offset: int, up: bool) -> None:
    seen = view(*(node("listitem", f"Row {n}", 96 + 64 * (n - offset), key=f"r{n}") for n in range(offset, offset + 5)))
    action = scroll_to("listitem", key="r24", order=lambda _: ROWS)(seen)
    assert isinstance(action, Swipe)
    assert (action.y2 < action.y) is up


def test_scrolling_ends_at_the_row_and_says_when_there_is_none() -> None:
    seen = view(node("listitem", "Row 3", key="r3"))
    assert scroll_to("listitem", key="r3", order=lambda _: ROWS)(seen) == Tap(0.5, 0.16)
    with pytest.raises(NotVisible, match="r99 is not in this list"):
        scroll_to("listitem", key="r99", order=lambda _: ROWS)(seen)
    with pytest.raises(NotVisible, match="none of the rows"):
        scroll_to("listitem", key="r3", order=lambda _: ROWS)(view(node("heading", "Elsewhere")))


def test_a_swipe_does_not_start_on_a_slider() -> None:
    plain = swipe()(view())
    beside = swipe()(view(node("slider", "Volume", plain.y * 800 - 20)))  # type: ignore[union-attr]
    assert isinstance(plain, Swipe)
    assert isinstance(beside, Swipe)
    assert plain.x == 0.5
    assert beside.x < 0.1


@pytest.mark.parametrize("percent", [0, 1, 37, 50, 99, 100])
def test_a_slider_is_tapped_at_its_value(percent: int) -> None:
    action = slide(percent, "Volume")(view(node("slider", "Volume") | {"box": [56, 96, 248, 24]}))
    assert isinstance(action, Tap)
    assert round((int(action.x * 360) - 56) / 248 * 100) == percent


FIELD = {"role": "textbox", "name": "Title", "box": [0, 96, 360, 64]}
CLEAR = {"role": "button", "name": "Clear Title", "box": [320, 96, 40, 64]}


@pytest.mark.parametrize(
    ("value", "focused", "cursor", "action"),
    [
        ("", False, 0, Tap(0.5, 0.16)),
        ("", True, 0, Type("plums 雨")),
        ("plum", True, 4, Type("s 雨")),
        ("plum", True, 1, Tap(340 / 360, 0.16)),
        ("plum", False, 4, Tap(340 / 360, 0.16)),
        ("pears", True, 5, Tap(340 / 360, 0.16)),
    ],
)
def test_brings_a_field_to_the_text(value: str, focused: bool, cursor: int, action: object) -> None:
    field = FIELD | {"value": value, "focused": focused}
    seen = view(field, CLEAR, os={"focus": {"path": "/x", "cursor": cursor}})
    assert clear_and_type("Title", "plums 雨")(seen) == action
    assert fill("Title", value).done(seen)
    assert not fill("Title", "plums 雨").done(seen)


STEPS = until(
    sees("text", "Saved"),
    *ensure_screen(
        "clock", "edit", Unless(sees("heading", "List"), tap("tab", "Alarms")), do(tap("button", "Add"), "add")
    ),
    toggle("Vibrate"),
    do(tap("button", "Save"), "save"),
)


@pytest.mark.parametrize(
    ("seen", "note"),
    [
        (view(node("icon", "Clock", key="clock"), app="launcher"), "step 0 open clock"),
        (view(node("tab", "Alarms")), "step 1"),
        (view(node("heading", "List"), node("button", "Add")), "step 2 add"),
        (view(node("switch", "Vibrate", checked=False), screen="edit"), "step 3 switch on"),
        (view(node("switch", "Vibrate", checked=True), node("button", "Save", 160), screen="edit"), "step 4 save"),
    ],
)
def test_takes_the_first_step_that_is_not_done(seen: View, note: str) -> None:
    found = act(STEPS, seen)
    assert found is not None
    assert found[1] == note


def test_all_done_when_the_goal_holds_wherever_it_is() -> None:
    assert act(STEPS, view(node("text", "Saved"), app="notes")) is None


def test_backs_out_of_where_it_cannot_go_on() -> None:
    found = act(STEPS, view(screen="lost"))
    assert found == (Back(), "step 1: no tab Alarms on clock/lost")
    assert in_app("clock")(view())
    assert not in_app("clock")(view(overlay="recents"))
    assert ensure_app("clock").done(view())


def test_answer_then_finish() -> None:
    class Asks:
        def solve(self, params: Any) -> list[Unless]:
            return []

        def answer(self, params: Any) -> Integer:
            return Integer(3)

    asks: Any = Asks()
    assert next_action(asks, None, view()) == Answer("3")
    assert next_action(asks, None, view(answered="4")) == Answer("3")
    assert next_action(asks, None, view(answered="３")) == Finish()
