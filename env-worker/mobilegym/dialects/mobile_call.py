"""The arguments of a `mobile_use` call, as actions and back.

A point is written in units of a grid: `Grid(999, 999)` for a model that writes relative coordinates, the sides of the
image for one that writes pixels.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from mobilegym.dialects.base import Fault, Unreadable, shorten
from mobilegym.dialects.mobile_prompt import BUTTONS as BUTTON_NAMES
from mobilegym.phone.action import (
    Answer,
    AnyAction,
    Back,
    DoubleTap,
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

Grid = tuple[int, int]  # what the right and the lower edge of the screen are called
HOLD_SECONDS = 2
MAX_WAIT_SECONDS = 3600.0

Arguments = dict[str, Any]

PRESSES: tuple[AnyAction, ...] = (Back(), Home(), Recents(), Enter())
BUTTONS = dict(zip(BUTTON_NAMES, PRESSES, strict=True))


def read(call: Arguments, grid: Grid) -> AnyAction:
    """Raises Unreadable."""
    name = call.get("action")
    reader = READERS.get(name.strip().lower()) if isinstance(name, str) else None
    if reader is None:
        raise Unreadable(
            Fault.UNKNOWN_ACTION, f"unknown action {shorten(str(name))!r}: use one of {', '.join(READERS)}"
        )
    return reader(call, grid)


def _swipe(call: Arguments, grid: Grid) -> AnyAction:
    return Swipe(*_point(call, "coordinate", grid), *_point(call, "coordinate2", grid))


def _system_button(call: Arguments, grid: Grid) -> AnyAction:
    pressed = BUTTONS.get(str(call.get("button", "")).strip().capitalize())
    if pressed is None:
        raise Unreadable(
            Fault.BAD_ARGUMENT, f"button is {shorten(str(call.get('button')))!r}: use {', '.join(BUTTONS)}"
        )
    return pressed


def _wait(call: Arguments, grid: Grid) -> AnyAction:
    seconds = _number(call.get("time", 1))
    if seconds is None or not 0 < seconds <= MAX_WAIT_SECONDS:
        raise Unreadable(Fault.BAD_ARGUMENT, f"time is {shorten(str(call.get('time')))}: give seconds up to 3600")
    return Wait(seconds)


def _terminate(call: Arguments, grid: Grid) -> AnyAction:
    status = str(call.get("status", "success")).strip().lower()
    if status not in ("success", "failure", "fail"):
        raise Unreadable(Fault.BAD_ARGUMENT, f"status is {shorten(status)!r}: use success or failure")
    return Finish("success" if status == "success" else "failure")


READERS: dict[str, Callable[[Arguments, Grid], AnyAction]] = {
    "click": lambda call, grid: Tap(*_point(call, "coordinate", grid)),
    "tap": lambda call, grid: Tap(*_point(call, "coordinate", grid)),
    "double_tap": lambda call, grid: DoubleTap(*_point(call, "coordinate", grid)),
    "long_press": lambda call, grid: LongPress(*_point(call, "coordinate", grid)),
    "swipe": _swipe,
    "type": lambda call, grid: Type(_text(call)),
    "answer": lambda call, grid: Answer(_text(call)),
    "open": lambda call, grid: OpenApp(_text(call)),
    "system_button": _system_button,
    "wait": _wait,
    "terminate": _terminate,
}


def _text(call: Arguments) -> str:
    text = call.get("text")
    if isinstance(text, int | float) and not isinstance(text, bool):
        return str(text)
    if not isinstance(text, str) or not text:
        raise Unreadable(Fault.BAD_ARGUMENT, f"{call['action']} needs `text`")
    return text


def _point(call: Arguments, key: str, grid: Grid) -> tuple[float, float]:
    """A point, or the centre of a box of four numbers, as shares of the screen."""
    given = call.get(key)
    flat = re.findall(r"-?\d+(?:\.\d+)?", given) if isinstance(given, str) else given
    flat = flat[0] if isinstance(flat, list) and len(flat) == 1 else flat
    numbers = [_number(part) for part in flat] if isinstance(flat, list) else []
    if len(numbers) == 4 and None not in numbers:
        left, top, right, bottom = (number or 0.0 for number in numbers)
        numbers = [(left + right) / 2, (top + bottom) / 2]
    if len(numbers) != 2 or None in numbers:
        raise Unreadable(Fault.BAD_ARGUMENT, f"{key} is {shorten(str(given))}: give [x, y], up to {list(grid)}")
    return _share(numbers[0] or 0.0, grid[0]), _share(numbers[1] or 0.0, grid[1])


def _number(value: object) -> float | None:
    """A finite number, also one in quotes; None for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return number if abs(number) < 1e9 else None


def _share(coordinate: float, full: int) -> float:
    return min(max(coordinate / full, 0.0), 1.0 - 1e-9)


def _at(x: float, y: float, grid: Grid) -> list[int]:
    return [round(x * grid[0]), round(y * grid[1])]


def written(action: AnyAction, grid: Grid) -> Arguments | None:
    """None where there are no words for it."""
    match action:
        case Tap(x=x, y=y):
            return {"action": "click", "coordinate": _at(x, y, grid)}
        case LongPress(x=x, y=y):
            return {"action": "long_press", "coordinate": _at(x, y, grid), "time": HOLD_SECONDS}
        case Swipe(x=x, y=y, x2=x2, y2=y2):
            return {"action": "swipe", "coordinate": _at(x, y, grid), "coordinate2": _at(x2, y2, grid)}
        case Type(text=text) | Answer(text=text) if text:
            return {"action": "type" if isinstance(action, Type) else "answer", "text": text}
        case Wait(seconds=seconds):
            return {"action": "wait", "time": seconds}
        case Finish(status=status):
            return {"action": "terminate", "status": status}
    button = next((name for name, pressed in BUTTONS.items() if pressed == action), None)
    return {"action": "system_button", "button": button} if button else None


def in_words(arguments: Arguments) -> str:
    """The summary line that later prompts repeat."""
    rest = (str(value) for key, value in arguments.items() if key not in ("action", "time"))
    return " ".join([arguments["action"].replace("_", " "), *rest]).replace("\n", " ")
