"""Agents that need no model: the oracle and the baselines."""

from __future__ import annotations

import random

from mobilegym.phone.action import AnyAction, Back, Finish, Home, Swipe, Tap, Type, Wait
from mobilegym.tasks.oracle import next_action
from mobilegym.tasks.view import View
from mobilegym.worker.agent import Decision, Turn


def view_of(turn: Turn) -> View:
    """Raises ValueError where the tree or the state was not asked for."""
    observation = turn.observation
    if observation.tree is None or observation.state is None:
        raise ValueError("this agent reads the tree and the state: observe them")
    return View(observation.state, observation.tree, answered=turn.answered)


class OracleAgent:
    """Plays the template's own solution."""

    name = "oracle"
    needs_tree = True

    async def decide(self, turn: Turn) -> Decision:
        action = next_action(turn.instance.template, turn.instance.params, view_of(turn))
        return Decision(actions=(action,))


class NoopAgent:
    """Waits until its steps are used up."""

    name = "noop"
    needs_tree = False

    async def decide(self, turn: Turn) -> Decision:
        return Decision(actions=(Wait(1.0),))


class RandomAgent:
    """Taps what is visible, scrolls, types, goes back; sometimes finishes. Seeded by the episode."""

    name = "random"
    needs_tree = True

    def __init__(self, seed: int = 0) -> None:
        self.seed = seed

    async def decide(self, turn: Turn) -> Decision:
        rng = random.Random(f"{self.seed} {turn.instance.template.id} {turn.instance.seed} {turn.step}")
        return Decision(actions=(random_action(view_of(turn), rng),))


def random_action(view: View, rng: random.Random, finish: float = 0.02) -> AnyAction:
    """A gesture that a curious finger might make here."""
    luck = rng.random()
    targets = [n for n in view.nodes if n.role not in ("text", "heading", "dialog", "image") and not n.disabled]
    if luck < finish:
        return Finish()
    if luck < finish + 0.62 and targets:
        return Tap(*rng.choice(targets).centre)
    if luck < finish + 0.72:
        return Swipe(0.5, 0.75, 0.5, 0.35)
    if luck < finish + 0.78:
        return Swipe(0.5, 0.35, 0.5, 0.75)
    if view.keyboard and luck < finish + 0.86:
        return Type(rng.choice(("a", "7", "note", "hello")))
    return Back() if luck < 0.97 else Home()
