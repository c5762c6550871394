"""Actions as browser input."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mobilegym.phone import action as a
from mobilegym.phone.gesture import Pointer, Told, parts

share = st.floats(0, 1)


@given(x=share, y=share, width=st.integers(1, 2000), height=st.integers(1, 3000))
def test_a_tap_stays_on_the_screen(x: float, y: float, width: int, height: int) -> None:
    pointer = parts(a.Tap(x, y), width, height)[0]
    assert isinstance(pointer, Pointer)
    for _, params in pointer.commands:
        assert 0 <= params["x"] <= width - 1
        assert 0 <= params["y"] <= height - 1


@given(x=st.integers(0, 359), y=st.integers(0, 799))
def test_a_pixel_survives_the_way_through_shares(x: int, y: int) -> None:
    pointer = parts(a.Tap(x / 360, y / 800), 360, 800)[0]
    assert isinstance(pointer, Pointer)
    assert (pointer.commands[0][1]["x"], pointer.commands[0][1]["y"]) == (x, y)


@pytest.mark.parametrize(
    ("action", "told"),
    [
        (a.Back(), {"kind": "back"}),
        (a.Recents(), {"kind": "recents"}),
        (a.OpenApp("Clock"), {"kind": "open_app", "name": "Clock"}),
        (a.Wait(1e9), {"kind": "wait", "seconds": 3600.0}),
        (a.Answer("7"), {"kind": "none"}),
    ],
)
def test_buttons_only_tell_the_kernel(action: a.AnyAction, told: dict[str, object]) -> None:
    assert parts(action, 360, 800) == [Told(told)]


@pytest.mark.parametrize("action", [a.Tap(0, 0), a.DoubleTap(0, 0), a.LongPress(0, 0), a.Type("x")])
def test_pointer_gestures_close_their_step(action: a.AnyAction) -> None:
    last = parts(action, 360, 800)[-1]
    assert isinstance(last, Told)
    assert last.gesture["kind"] == "end"


def test_a_long_press_rests_between_press_and_release() -> None:
    kinds = [type(part).__name__ for part in parts(a.LongPress(0.5, 0.5), 360, 800)]
    assert kinds == ["Pointer", "Told", "Pointer", "Told"]


def test_finish_leaves_the_phone_alone() -> None:
    assert parts(a.Finish(), 360, 800) == []
