"""Agents that need no model, as agents of the rollout loop."""

from __future__ import annotations

import random
from collections.abc import Callable

from mobilegym.phone.action import Finish
from mobilegym.tasks import agents
from mobilegym.tasks.instance import Instance
from mobilegym.tasks.view import View
from mobilegym.worker.agent import Decision, Turn


class ScriptedAgent:
    """Plays one episode by a program that reads the tree and the state. One per episode: programs keep their place."""

    needs_tree = True

    def __init__(self, name: str, program: agents.Agent) -> None:
        self.name = name
        self._program = program

    async def decide(self, turn: Turn) -> Decision:
        observation = turn.observation
        if observation.tree is None or observation.state is None:
            raise ValueError("a scripted agent reads the tree and the state: observe them")
        action = self._program(View(observation.state, observation.tree, turn.answered))
        return Decision(actions=(action or Finish("failure"),))


def _random(instance: Instance) -> agents.Agent:
    return agents.random_walk(random.Random(f"{instance.template.id} {instance.seed}"), instance.budget)


PROGRAMS: dict[str, Callable[[Instance], agents.Agent]] = {
    "oracle": agents.oracle,
    "random": _random,
    "noop": lambda instance: agents.noop(instance.budget),
}


def scripted(name: str, instance: Instance) -> ScriptedAgent:
    """`oracle`, `random` or `noop`. Raises KeyError for another name."""
    return ScriptedAgent(name, PROGRAMS[name](instance))
