"""qwen3-vl: the `mobile_use` tool call of the Qwen3-VL family, with coordinates 0..999 relative to the image.

The image fills the screen (resized, never padded), so relative to the image is relative to the screen.
Several tool calls in one text are made in order; `answer` does not finish, `terminate` does.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from typing import Any

from mobilegym.dialects.base import (
    IMAGE,
    Fault,
    Inexpressible,
    Message,
    Parsed,
    Past,
    Seen,
    Size,
    Unreadable,
    refused,
    shorten,
)
from mobilegym.dialects.qwen3_prompt import BUTTONS as BUTTON_NAMES
from mobilegym.dialects.qwen3_prompt import SYSTEM
from mobilegym.dialects.toolcall import tool_calls
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

FULL = 999  # the coordinate of the right and lower edge
HOLD_SECONDS = 2
MAX_WAIT_SECONDS = 3600.0

Arguments = dict[str, Any]

PRESSES: tuple[AnyAction, ...] = (Back(), Home(), Recents(), Enter())
BUTTONS = dict(zip(BUTTON_NAMES, PRESSES, strict=True))


class Qwen3VL:
    name = "qwen3-vl"

    def messages(self, goal: str, history: Sequence[Past], observation: Seen) -> list[Message]:
        lines = [f"Task: {goal}"]
        if history:
            lines.append("Steps so far:")
            lines.extend(f"{number}. {_told(past)}" for number, past in enumerate(history, 1))
        content = [{"type": "text", "text": "\n".join(lines)}, dict(IMAGE)]
        return [{"role": "system", "content": SYSTEM}, {"role": "user", "content": content}]

    def parse(self, text: str, size: Size) -> Parsed:
        try:
            return Parsed(actions=tuple(_read(call) for call in tool_calls(text)))
        except Unreadable as error:
            return refused(error)

    def encode(self, action: AnyAction, size: Size) -> str:
        arguments = _arguments(action)
        if arguments is None:
            raise Inexpressible(self.name, action)
        call = json.dumps({"name": "mobile_use", "arguments": arguments}, ensure_ascii=False)
        return f"Action: {_in_words(arguments)}\n<tool_call>\n{call}\n</tool_call>"


def _told(past: Past) -> str:
    """An earlier step in a line: its own summary, else its call."""
    said = re.search(r"^\s*Action:\s*(.+)$", past.text, re.MULTILINE)
    line = shorten(said[1] if said else past.text, 160) or "nothing"
    return f"{line} (not done: {shorten(past.error)})" if past.error else line


def _read(call: Arguments) -> AnyAction:
    name = call.get("action")
    reader = READERS.get(name.strip().lower()) if isinstance(name, str) else None
    if reader is None:
        raise Unreadable(
            Fault.UNKNOWN_ACTION, f"unknown action {shorten(str(name))!r}: use one of {', '.join(READERS)}"
        )
    return reader(call)


def _swipe(call: Arguments) -> AnyAction:
    return Swipe(*_point(call, "coordinate"), *_point(call, "coordinate2"))


def _system_button(call: Arguments) -> AnyAction:
    pressed = BUTTONS.get(str(call.get("button", "")).strip().capitalize())
    if pressed is None:
        raise Unreadable(
            Fault.BAD_ARGUMENT, f"button is {shorten(str(call.get('button')))!r}: use {', '.join(BUTTONS)}"
        )
    return pressed


def _wait(call: Arguments) -> AnyAction:
    seconds = _number(call.get("time", 1))
    if seconds is None or not 0 < seconds <= MAX_WAIT_SECONDS:
        raise Unreadable(Fault.BAD_ARGUMENT, f"time is {shorten(str(call.get('time')))}: give seconds up to 3600")
    return Wait(seconds)


def _terminate(call: Arguments) -> AnyAction:
    status = str(call.get("status", "success")).strip().lower()
    if status not in ("success", "failure", "fail"):
        raise Unreadable(Fault.BAD_ARGUMENT, f"status is {shorten(status)!r}: use success or failure")
    return Finish("success" if status == "success" else "failure")


READERS: dict[str, Callable[[Arguments], AnyAction]] = {
    "click": lambda call: Tap(*_point(call, "coordinate")),
    "tap": lambda call: Tap(*_point(call, "coordinate")),
    "double_tap": lambda call: DoubleTap(*_point(call, "coordinate")),
    "long_press": lambda call: LongPress(*_point(call, "coordinate")),
    "swipe": _swipe,
    "type": lambda call: Type(_text(call)),
    "answer": lambda call: Answer(_text(call)),
    "open": lambda call: OpenApp(_text(call)),
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


def _point(call: Arguments, key: str) -> tuple[float, float]:
    """A point, or the centre of a box of four numbers, as shares of the screen."""
    given = call.get(key)
    flat = re.findall(r"-?\d+(?:\.\d+)?", given) if isinstance(given, str) else given
    flat = flat[0] if isinstance(flat, list) and len(flat) == 1 else flat
    numbers = [_number(part) for part in flat] if isinstance(flat, list) else []
    if len(numbers) == 4 and None not in numbers:
        left, top, right, bottom = (number or 0.0 for number in numbers)
        numbers = [(left + right) / 2, (top + bottom) / 2]
    if len(numbers) != 2 or None in numbers:
        raise Unreadable(Fault.BAD_ARGUMENT, f"{key} is {shorten(str(given))}: give [x, y], each from 0 to 999")
    return _share(numbers[0] or 0.0), _share(numbers[1] or 0.0)


def _number(value: object) -> float | None:
    """A finite number, also one in quotes; None for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return number if abs(number) < 1e9 else None


def _share(coordinate: float) -> float:
    return min(max(coordinate / FULL, 0.0), 1.0 - 1e-9)


def _at(x: float, y: float) -> list[int]:
    return [round(x * FULL), round(y * FULL)]


def _arguments(action: AnyAction) -> Arguments | None:
    match action:
        case Tap(x=x, y=y):
            return {"action": "click", "coordinate": _at(x, y)}
        case LongPress(x=x, y=y):
            return {"action": "long_press", "coordinate": _at(x, y), "time": HOLD_SECONDS}
        case Swipe(x=x, y=y, x2=x2, y2=y2):
            return {"action": "swipe", "coordinate": _at(x, y), "coordinate2": _at(x2, y2)}
        case Type(text=text) | Answer(text=text) if text:
            return {"action": "type" if isinstance(action, Type) else "answer", "text": text}
        case Wait(seconds=seconds):
            return {"action": "wait", "time": seconds}
        case Finish(status=status):
            return {"action": "terminate", "status": status}
    button = next((name for name, pressed in BUTTONS.items() if pressed == action), None)
    return {"action": "system_button", "button": button} if button else None


def _in_words(arguments: Arguments) -> str:
    """The summary line that later prompts repeat."""
    rest = (str(value) for key, value in arguments.items() if key not in ("action", "time"))
    return " ".join([arguments["action"].replace("_", " "), *rest]).replace("\n", " ")
