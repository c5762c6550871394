"""ui-tars: UI-TARS 1.5's mobile calls, `Action: click(start_box='(100,200)')`, in pixels of the resized image.

A scroll's direction is that of the content: `down` shows what is below, so the finger moves up. A typed text that ends
in a newline is submitted. `finished` with a text answers and finishes.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

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
from mobilegym.dialects.qwen2_5_vl import resized
from mobilegym.phone.action import (
    Answer,
    AnyAction,
    Back,
    Enter,
    Finish,
    Home,
    LongPress,
    OpenApp,
    Swipe,
    Tap,
    Type,
    Wait,
)

SCROLL = 0.3  # of the screen, that a scroll's finger moves
WAIT_SECONDS = 5.0
DIRECTIONS = {"down": (0, -SCROLL), "up": (0, SCROLL), "right": (-SCROLL, 0), "left": (SCROLL, 0)}
CALL = re.compile(r"([a-z_]+)\s*\((.*)\)", re.DOTALL)
ARGUMENT = re.compile(r"(\w+)\s*=\s*('(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\")", re.DOTALL)
NUMBER = re.compile(r"\d{1,5}(?:\.\d{1,6})?")
SYSTEM = """You operate a phone by touch. After each screenshot, reply in this form with one action:
Thought: what you see and what is next
Action: one of
click(start_box='(x,y)')
long_press(start_box='(x,y)')
type(content='...') puts text into the focused field; end it with \\n to submit
scroll(start_box='(x,y)', direction='down or up or right or left')
drag(start_box='(x,y)', end_box='(x,y)')
open_app(app_name='...')
press_home()
press_back()
wait()
finished(content='...') ends the task; content is the answer, if one was asked for"""

Arguments = dict[str, str]
PLAIN: dict[str, AnyAction] = {"press_home": Home(), "press_back": Back(), "wait": Wait(WAIT_SECONDS)}


class UITars:
    name = "ui-tars"

    def messages(self, goal: str, history: Sequence[Past], observation: Seen) -> list[Message]:
        lines = [f"Task: {goal}"]
        if history:
            lines.append("Steps so far:")
        for number, past in enumerate(history, 1):
            failed = f" (not done: {shorten(past.error)})" if past.error else ""
            lines.append(f"{number}. {shorten(past.text.rpartition('Action:')[2], 160)}{failed}")
        content = [{"type": "text", "text": "\n".join(lines)}, dict(IMAGE)]
        return [{"role": "system", "content": SYSTEM}, {"role": "user", "content": content}]

    def parse(self, text: str, size: Size) -> Parsed:
        try:
            return Parsed(actions=_read(text[:20_000], resized(size)))
        except Unreadable as error:
            return refused(error)

    def encode(self, action: AnyAction, size: Size) -> str:
        call = _written(action, resized(size))
        if call is None:
            raise Inexpressible(self.name, action)
        return f"Action: {call}"


def _read(text: str, size: Size) -> tuple[AnyAction, ...]:
    found = CALL.search(text.rpartition("Action:")[2])
    if found is None:
        raise Unreadable(Fault.NO_ACTION, "no action")
    arguments = {key: _unquoted(value) for key, value in ARGUMENT.findall(found[2])}
    match found[1]:
        case "click":
            return (Tap(*_point(arguments, ("start_box", "point"), size)),)
        case "long_press":
            return (LongPress(*_point(arguments, ("start_box", "point"), size)),)
        case "drag":
            start = _point(arguments, ("start_box", "start_point"), size)
            return (Swipe(*start, *_point(arguments, ("end_box", "end_point"), size)),)
        case "scroll":
            return (_scroll(arguments, size),)
        case "type":
            content = _text(arguments, "content")
            typed: AnyAction = Type(content.rstrip("\n")) if content.rstrip("\n") else Enter()
            return (typed, Enter()) if content.endswith("\n") and isinstance(typed, Type) else (typed,)
        case "open_app":
            return (OpenApp(_text(arguments, "app_name")),)
        case "finished":
            answer = arguments.get("content", "")
            return (Answer(answer), Finish()) if answer else (Finish(),)
    plain = PLAIN.get(found[1])
    if plain is None:
        raise Unreadable(Fault.UNKNOWN_ACTION, f"unknown action {shorten(found[1])!r}")
    return (plain,)


def _scroll(arguments: Arguments, size: Size) -> Swipe:
    x, y = _point(arguments, ("start_box", "point"), size)
    towards = DIRECTIONS.get(arguments.get("direction", "").strip().lower())
    if towards is None:
        raise Unreadable(Fault.BAD_ARGUMENT, "scroll needs a direction: down, up, right or left")
    return Swipe(x, y, _inside(x + towards[0]), _inside(y + towards[1]))


def _point(arguments: Arguments, keys: tuple[str, str], size: Size) -> tuple[float, float]:
    """A point, or the centre of a box, as shares of the screen."""
    given = arguments.get(keys[0]) or arguments.get(keys[1]) or ""
    numbers = [float(number) for number in NUMBER.findall(given)]
    if len(numbers) == 4:
        numbers = [(numbers[0] + numbers[2]) / 2, (numbers[1] + numbers[3]) / 2]
    if len(numbers) != 2:
        raise Unreadable(Fault.BAD_ARGUMENT, f"{keys[0]} is {shorten(given)!r}: give '(x,y)' in pixels")
    return _inside(numbers[0] / size[0]), _inside(numbers[1] / size[1])


def _inside(share: float) -> float:
    return min(max(share, 0.0), 1.0 - 1e-9)


def _text(arguments: Arguments, key: str) -> str:
    if not arguments.get(key):
        raise Unreadable(Fault.BAD_ARGUMENT, f"needs {key}='...'")
    return arguments[key]


def _unquoted(value: str) -> str:
    return re.sub(r"\\(.)", lambda found: "\n" if found[1] == "n" else found[1], value[1:-1], flags=re.DOTALL)


def _quoted(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'").replace("\n", "\\n") + "'"


def _written(action: AnyAction, size: Size) -> str | None:
    def at(x: float, y: float) -> str:
        return f"'({round(x * size[0])},{round(y * size[1])})'"

    match action:
        case Tap(x=x, y=y):
            return f"click(start_box={at(x, y)})"
        case LongPress(x=x, y=y):
            return f"long_press(start_box={at(x, y)})"
        case Swipe(x=x, y=y, x2=x2, y2=y2):
            return f"drag(start_box={at(x, y)}, end_box={at(x2, y2)})"
        case Type(text=text) if text and not text.endswith("\n"):
            return f"type(content={_quoted(text)})"
        case Enter():
            return "type(content='\\n')"
        case Answer(text=text) if text:
            return f"finished(content={_quoted(text)})"
        case OpenApp(name=name) if name:
            return f"open_app(app_name={_quoted(name)})"
    if action == Finish():
        return "finished()"
    return next((f"{name}()" for name, plain in PLAIN.items() if plain == action), None)
