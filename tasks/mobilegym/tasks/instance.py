"""A template made concrete: one world, its parameters, the state to start from, the goal in words."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import resources
from typing import Any

import msgspec

from mobilegym.protocol.messages import TaskCard
from mobilegym.tasks import registry
from mobilegym.tasks.template import Template, Unsuitable
from mobilegym.world.dates import Locale
from mobilegym.world.world import World

LEVELS = "levels.json"  # beside this module: oracle steps by template and locale, written by `mobilegym check`
UNMEASURED_STEPS = 20
_WORLDS_TRIED = 50
_STRIDE = 1_000_003  # apart from any seed that a run would name


def level_of(steps: int) -> int:
    """1 (1-4 oracle steps), 2 (5-10), 3 (11-20), 4 (more)."""
    return 1 if steps <= 4 else 2 if steps <= 10 else 3 if steps <= 20 else 4


def budget_of(steps: int) -> int:
    """Steps that an agent may take where the oracle takes `steps`."""
    return math.ceil(2.5 * steps) + 5


@cache
def measured() -> dict[str, int]:
    """Oracle steps by template id, the most over the seeds and languages measured."""
    stored = resources.files("mobilegym.tasks").joinpath(LEVELS)
    return dict(json.loads(stored.read_text(encoding="utf-8"))) if stored.is_file() else {}


@dataclass(frozen=True)
class Instance:
    """Equal (template, seed, locale) make equal instances, anywhere.

    A world that does not suit the template is passed over for the next one of a fixed sequence. Raises `Unsuitable`
    after 50.
    """

    template: Template[Any]
    seed: int
    locale: Locale = "en"

    @classmethod
    def of(cls, template_id: str, seed: int, locale: Locale = "en") -> Instance:
        """Raises `UnknownTemplate`."""
        return cls(registry.template(template_id), seed, locale)

    @cached_property
    def _drawn(self) -> tuple[World, Any]:
        for attempt in range(_WORLDS_TRIED):
            world = World(self.seed + attempt * _STRIDE, self.locale)
            try:
                return world, self.template.sample(world, world.rng(f"params/{self.template.id}"))
            except Unsuitable as error:
                reason = error
        raise Unsuitable(
            f"{self.template.id}, seed {self.seed}, {self.locale}: none of {_WORLDS_TRIED} worlds suits; last: {reason}"
        )

    @property
    def world(self) -> World:
        return self._drawn[0]

    @property
    def params(self) -> Any:
        return self._drawn[1]

    @cached_property
    def state(self) -> dict[str, Any]:
        """The state to start from, shared: read it only."""
        state = self.world.state()
        self.template.setup(state, self.params)
        return state

    def initial(self) -> dict[str, Any]:
        """The state to start from, the caller's to keep."""
        state: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(self.state))
        return state

    @property
    def goal(self) -> str:
        """What the agent is asked to do."""
        text = self.template.goal[self.locale]
        try:
            return text.format(**self.template.words(self.params, self.locale))
        except (KeyError, IndexError) as error:
            raise ValueError(f"{self.template.id}: goal[{self.locale!r}] names an unknown parameter {error}") from error

    @property
    def budget(self) -> int:
        """Steps, from the measured oracle; a generous guess for a template that was never measured."""
        return budget_of(measured().get(self.template.id, UNMEASURED_STEPS))


def card(template: Template[Any]) -> TaskCard:
    steps = measured().get(template.id, UNMEASURED_STEPS)
    return TaskCard(
        id=template.id, apps=template.apps, split=template.split, level=level_of(steps), budget=budget_of(steps)
    )


def catalogue() -> list[TaskCard]:
    """A card for each template, by id."""
    return [card(template) for template in registry.templates().values()]
