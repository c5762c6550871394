"""An action as the browser's own input: which DevTools commands travel together, and when the kernel is told.

Commands of one part are pipelined. A part that follows another waits for its acknowledgement, because pointer input and
calls into the page reach the renderer by different ways.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from mobilegym.phone.action import (
    AnyAction,
    Back,
    DoubleTap,
    Drag,
    Enter,
    Finish,
    Home,
    LongPress,
    OpenApp,
    Recents,
    Swipe,
    Tap,
    Type,
    Wait,
)

Command = tuple[str, dict[str, Any]]
MAX_WAIT_SECONDS = 3600.0


@dataclass(frozen=True)
class Pointer:
    """Commands to send in one round trip."""

    commands: list[Command]


@dataclass(frozen=True)
class Told:
    """What `window.phone.input` is given."""

    gesture: dict[str, Any]


Part = Pointer | Told
HOLD = Told({"kind": "hold"})
NONE = Told({"kind": "none"})


def parts(action: AnyAction, width: int, height: int) -> list[Part]:
    """The parts of a gesture on a screen of width x height CSS px. Empty for Finish, which leaves the phone alone."""
    match action:
        case Tap(x=x, y=y):
            return [Pointer(_click(_px(x, width), _px(y, height), 1)), _end("tap")]
        case DoubleTap(x=x, y=y):
            at = _px(x, width), _px(y, height)
            return [Pointer([*_click(*at, 1), *_click(*at, 2)]), _end("double_tap")]
        case LongPress(x=x, y=y):
            at = _px(x, width), _px(y, height)
            return [
                Pointer([_mouse("mousePressed", *at)]),
                HOLD,
                Pointer([_mouse("mouseReleased", *at)]),
                _end("long_press"),
            ]
        case Swipe():
            press, rest = _stroke(action, width, height)
            return [Pointer([press, *rest]), _end("swipe")]
        case Drag():
            press, rest = _stroke(action, width, height)
            return [Pointer([press]), HOLD, Pointer(rest), _end("drag")]
        case Type(text=text):
            return [Pointer([("Input.insertText", {"text": text})]), _end("type")]
        case Enter() | Back() | Home() | Recents():
            return [Told({"kind": type(action).__name__.lower()})]
        case OpenApp(name=name):
            return [Told({"kind": "open_app", "name": name})]
        case Wait(seconds=seconds):
            return [Told({"kind": "wait", "seconds": min(max(seconds, 0.001), MAX_WAIT_SECONDS)})]
        case Finish():
            return []
    return [NONE]


def _px(share: float, side: int) -> int:
    return min(max(int(share * side + 1e-6), 0), side - 1)


def _mouse(kind: str, x: int, y: int, count: int = 1) -> Command:
    pressed = 0 if kind == "mouseReleased" else 1
    params = {"type": kind, "x": x, "y": y, "button": "left", "buttons": pressed, "clickCount": count}
    return "Input.dispatchMouseEvent", params


def _click(x: int, y: int, count: int) -> list[Command]:
    return [_mouse("mousePressed", x, y, count), _mouse("mouseReleased", x, y, count)]


def _stroke(action: Swipe | Drag, width: int, height: int) -> tuple[Command, list[Command]]:
    """Press, and the rest: a single move, because the browser merges moves by its own timing."""
    x, y = _px(action.x, width), _px(action.y, height)
    x2, y2 = _px(action.x2, width), _px(action.y2, height)
    move, release = _mouse("mouseMoved", x2, y2, 0), _mouse("mouseReleased", x2, y2)
    return _mouse("mousePressed", x, y), [move, release]


def _end(gesture: str) -> Told:
    return Told({"kind": "end", "gesture": gesture})
