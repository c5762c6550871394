"""compact: a word and its arguments, for small models.

    click x475 y300      hold x475 y300      swipe up|down|left|right
    type TEXT            answer TEXT         enter  back  home  wait  done

A coordinate is thousandths of the phone's screen (not of the image, which may have a margin): `x` a multiple of 25 in
0..975, `y` a multiple of 20 in 0..980, one token each. The value is the point itself, the centre of the cell of points
that are written so: `x475` is 0.475 of the width. Off-grid integers of 0..999 are read too.
`swipe up` moves the finger up by 0.3 of the screen, which shows what is below. `answer` answers and finishes at once.
`wait` lets 5 seconds pass, `wait 60` a minute.
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
from mobilegym.phone.action import (
    Answer,
    AnyAction,
    Back,
    Enter,
    Finish,
    Home,
    LongPress,
    Swipe,
    Tap,
    Type,
    Wait,
)

X_STEP, Y_STEP = 25, 20
WAIT_SECONDS = 5.0
NEWLINES = "\r\n"  # dropped where they end a text
EDGE = 0.03  # of the height: a swipe from there is the system's (shade, home), not a scroll
STROKES = {
    "up": Swipe(0.5, 0.6, 0.5, 0.3),
    "down": Swipe(0.5, 0.3, 0.5, 0.6),
    "left": Swipe(0.8, 0.4, 0.2, 0.4),
    "right": Swipe(0.2, 0.4, 0.8, 0.4),
}
PLAIN: dict[str, AnyAction] = {"enter": Enter(), "back": Back(), "home": Home(), "done": Finish()}
WORDS = ("click", "hold", "swipe", "type", "enter", "back", "home", "wait", "answer", "done")
POINT = re.compile(r"x\s*=?\s*(\d{1,3})[\s,]+y\s*=?\s*(\d{1,3})")


class Compact:
    name = "compact"

    def messages(self, goal: str, history: Sequence[Past], observation: Seen) -> list[Message]:
        lines = [goal]
        if history:
            lines.append(f"last: {shorten(history[-1].text) or 'none'}")
            if history[-1].error:
                lines.append(f"error: {shorten(history[-1].error)}")
        return [{"role": "user", "content": [{"type": "text", "text": "\n".join(lines)}, dict(IMAGE)]}]

    def parse(self, text: str, size: Size) -> Parsed:
        try:
            return Parsed(actions=_read(text))
        except Unreadable as error:
            return refused(error)

    def encode(self, action: AnyAction, size: Size) -> str:
        match action:
            case Tap(x=x, y=y):
                return f"click {_point(x, y)}"
            case LongPress(x=x, y=y):
                return f"hold {_point(x, y)}"
            case Swipe() if EDGE <= action.y <= 1 - EDGE:
                return f"swipe {_direction(action)}"
            case Type(text=text) if kept := text.rstrip(NEWLINES):
                return f"type {kept}"
            case Answer(text=text) if kept := text.rstrip(NEWLINES):
                return f"answer {kept}"
            case Wait(seconds=seconds):
                return "wait" if seconds == WAIT_SECONDS else f"wait {seconds:g}"
        for word, plain in PLAIN.items():
            if action == plain:
                return word
        raise Inexpressible(self.name, action)


def _read(text: str) -> tuple[AnyAction, ...]:
    word, _, rest = text.lstrip().rstrip(NEWLINES).partition(" ")
    word = word.strip().lower()
    match word:
        case "click" | "hold":
            x, y = _coordinates(rest)
            return (Tap(x, y) if word == "click" else LongPress(x, y),)
        case "swipe":
            stroke = STROKES.get(rest.strip().lower())
            if stroke is None:
                raise Unreadable(Fault.BAD_ARGUMENT, f"swipe needs up, down, left or right, not {shorten(rest)!r}")
            return (stroke,)
        case "type" | "answer":
            if not rest:
                raise Unreadable(Fault.BAD_ARGUMENT, f"{word} needs a text")
            return (Type(rest),) if word == "type" else (Answer(rest), Finish())
        case "wait":
            return (Wait(_seconds(rest.strip())),)
        case "":
            raise Unreadable(Fault.NO_ACTION, "no action")
    if word not in PLAIN:
        raise Unreadable(Fault.UNKNOWN_ACTION, f"unknown action {shorten(word)!r}: use {', '.join(WORDS)}")
    return (PLAIN[word],)


def _coordinates(text: str) -> tuple[float, float]:
    found = POINT.fullmatch(text.strip().lower())
    if found is None:
        raise Unreadable(Fault.BAD_ARGUMENT, f"a point is written x475 y300, not {shorten(text)!r}")
    return int(found[1]) / 1000, int(found[2]) / 1000


def _seconds(text: str) -> float:
    if not text:
        return WAIT_SECONDS
    if re.fullmatch(r"\d{1,4}(\.\d+)?", text) is None or not 0 < float(text) <= 3600:
        raise Unreadable(Fault.BAD_ARGUMENT, f"wait takes seconds up to 3600, not {shorten(text)!r}")
    return float(text)


def _point(x: float, y: float) -> str:
    return f"x{_on_grid(x, X_STEP)} y{_on_grid(y, Y_STEP)}"


def _on_grid(share: float, step: int) -> int:
    return min(1000 - step, max(0, round(share * 1000 / step) * step))


def _direction(stroke: Swipe) -> str:
    dx, dy = stroke.x2 - stroke.x, stroke.y2 - stroke.y
    if abs(dx) > abs(dy):
        return "left" if dx < 0 else "right"
    return "up" if dy < 0 else "down"
