"""The contract of a task template: one small class that samples, states its goals, and knows how to solve itself.

    World -> sample -> params -> setup -> initial state -> (agent) -> final state + events -> goals, answer -> Verdict

Goal text, expectation and oracle all read the same `params`, so they cannot contradict each other.
"""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, Literal, TypeVar

from mobilegym.judge.answers import Expected
from mobilegym.judge.ending import Ending
from mobilegym.phone.action import AnyAction
from mobilegym.tasks.view import View
from mobilegym.world.world import World

State = dict[str, Any]  # a PhoneState document
P = TypeVar("P")  # a frozen dataclass of JSON values


@dataclass(frozen=True)
class Goal:
    """A named condition on how the episode ended. All goals of a template must hold."""

    name: str
    holds: Callable[[Ending], bool]


@dataclass(frozen=True)
class Unless:
    """One step of an oracle: unless `done` holds in this view, make the gesture `act` proposes.

    `act` reads only what is visible (the accessibility tree); `done` may read the state too.
    """

    done: Callable[[View], bool]
    act: Callable[[View], AnyAction]
    note: str = ""


class Template(ABC, Generic[P]):
    """A parameterised task."""

    id: ClassVar[str]  # `app.verb-noun`, e.g. "clock.create-alarm"
    apps: ClassVar[tuple[str, ...]]
    split: ClassVar[Literal["train", "test"]] = "train"
    goal: ClassVar[dict[str, str]]  # "en" and "zh", with {parameters}

    @abstractmethod
    def sample(self, world: World, rng: random.Random) -> P:
        """Draws parameters that fit this world; must vary with rng. Raises `Unsuitable` where the world offers none."""

    def setup(self, state: State, params: P) -> None:
        """Edits the initial state in place, where the world alone does not suit."""

    @abstractmethod
    def goals(self, params: P) -> Sequence[Goal]: ...

    @abstractmethod
    def allowed(self, params: P) -> Sequence[str]:
        """Path patterns (`apps.clock.data.alarms.*.enabled`, `**` for any tail) that the task may change.

        Depths must be equal unless a `**` stands for the rest. An action that replaces a whole record or list has that
        path. `mobilegym.judge.paths.ALWAYS` (navigation, `apps.*.ui.**`, scroll, keyboard, ...) is always allowed.
        """

    def free(self, params: P) -> Sequence[str]:
        """Path patterns among the allowed whose value the goal leaves open, such as a colour nobody asked for.

        The certificate changes every other value that the oracle changed and expects the judge to notice.
        """
        return ()

    def answer(self, params: P) -> Expected | None:
        """The typed answer of a question; None for a task that only acts."""
        return None

    @abstractmethod
    def solve(self, params: P) -> Sequence[Unless]:
        """The oracle, level-triggered: looked at from the top after every action; when all are done, it finishes.

        Must work from any state that a random walk leaves.
        """

    def words(self, params: P, locale: str) -> dict[str, str]:
        """What `goal[locale]` is formatted with; by default the fields of `params`, as text."""
        return {name: str(value) for name, value in vars(params).items()}


class Unsuitable(Exception):
    """This world has nothing that the template could ask about; the caller draws another seed."""
