"""The one internal Action: what a finger, a system button or the agent itself can do.

Points are floats in [0, 1) of the screen, x to the right and y down. Every dialect translates to and from this.
"""

from __future__ import annotations

from typing import Literal

import msgspec


class Action(msgspec.Struct, frozen=True, tag_field="kind"):
    """Base of all actions; `msgspec.json.encode` gives its canonical JSON."""


class Tap(Action, frozen=True, tag="tap"):
    x: float
    y: float


class DoubleTap(Action, frozen=True, tag="double_tap"):
    x: float
    y: float


class LongPress(Action, frozen=True, tag="long_press"):
    x: float
    y: float


class Swipe(Action, frozen=True, tag="swipe"):
    """A flick from one point to another, with inertia."""

    x: float
    y: float
    x2: float
    y2: float


class Drag(Action, frozen=True, tag="drag"):
    """Press, hold, move, release: moves what is under the finger; no inertia."""

    x: float
    y: float
    x2: float
    y2: float


class Type(Action, frozen=True, tag="type"):
    """Commits text at the focused field's cursor. Neither clears first nor submits."""

    text: str


class Enter(Action, frozen=True, tag="enter"):
    pass


class Back(Action, frozen=True, tag="back"):
    pass


class Home(Action, frozen=True, tag="home"):
    pass


class Recents(Action, frozen=True, tag="recents"):
    pass


class OpenApp(Action, frozen=True, tag="open_app"):
    """Starts an app by id or by its visible name."""

    name: str


class Wait(Action, frozen=True, tag="wait"):
    """Moves the phone's clock by `seconds` (0 < seconds <= 3600)."""

    seconds: float


class Answer(Action, frozen=True, tag="answer"):
    """Answers the goal's question. Does not finish by itself unless the dialect says so."""

    text: str


class Finish(Action, frozen=True, tag="finish"):
    status: Literal["success", "failure"] = "success"


AnyAction = (
    Tap | DoubleTap | LongPress | Swipe | Drag | Type | Enter | Back | Home | Recents | OpenApp | Wait | Answer | Finish
)
