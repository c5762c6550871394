"""Agents that need no model: the oracle, and those that must never succeed."""

from __future__ import annotations

import random
from collections.abc import Callable

from mobilegym.phone.action import AnyAction, Back, Finish, Home, LongPress, Recents, Swipe, Tap, Type, Wait
from mobilegym.tasks.instance import Instance
from mobilegym.tasks.oracle import explain, next_action
from mobilegym.tasks.view import Node, View

Agent = Callable[[View], AnyAction | None]  # None: stops without a word

TAPPABLE = ("button", "switch", "checkbox", "radio", "tab", "textbox", "listitem", "key", "icon", "option", "slider")


def oracle(instance: Instance) -> Agent:
    return lambda view: next_action(instance.template, instance.params, view)


class Diary:
    """The oracle, keeping its reasons: for reports of where it got stuck."""

    def __init__(self, instance: Instance) -> None:
        self._instance = instance
        self.lines: list[str] = []

    def __call__(self, view: View) -> AnyAction:
        action, reason = explain(self._instance.template, self._instance.params, view)
        self.lines.append(f"{view.app}/{view.screen}: {type(action).__name__} ({reason})")
        return action


def replay(actions: list[AnyAction]) -> Agent:
    left = iter(actions)
    return lambda view: next(left, None)


def noop(steps: int = 3) -> Agent:
    """Lets some steps pass."""
    return replay([Wait(1.0)] * steps)


def finish_at_once() -> Agent:
    return replay([Finish()])


def random_walk(rng: random.Random, steps: int) -> Agent:
    """Taps, holds, swipes, types and backs out at random."""
    left = iter(range(steps))
    return lambda view: _any(rng, view) if next(left, None) is not None else None


def _any(rng: random.Random, view: View) -> AnyAction:
    choice = rng.random()
    if view.keyboard and choice < 0.2:
        return Type(rng.choice(("a", "plum", "12", "雨")))
    if choice < 0.85 and (targets := _targets(rng, view)):
        node = rng.choice(targets)
        return LongPress(*node.centre) if choice < 0.05 else Tap(*node.centre)
    if choice < 0.93:
        start, end = rng.choice(((0.7, 0.4), (0.4, 0.7)))
        return Swipe(0.5, start, 0.5, end)
    return rng.choice((Back(), Back(), Back(), Home(), Recents()))


def _targets(rng: random.Random, view: View) -> list[Node]:
    """What can be tapped; the many keys of the keyboard only now and then, and on the launcher mostly the apps."""
    roles = ("icon",) if view.app == "launcher" and rng.random() < 0.8 else TAPPABLE
    found = [node for node in view.nodes if node.role in roles and not node.disabled]
    plain = [node for node in found if node.role != "key"]
    return plain if plain and rng.random() < 0.85 else found
