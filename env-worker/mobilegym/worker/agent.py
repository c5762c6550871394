"""What acts on a phone: the one interface of policies, oracles and baselines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from mobilegym.phone.action import AnyAction
from mobilegym.phone.observation import Observation
from mobilegym.protocol.messages import StepRecord
from mobilegym.tasks.instance import Instance


@dataclass(frozen=True, kw_only=True)
class Turn:
    """All that an agent may look at when it is asked for the next action."""

    instance: Instance
    observation: Observation
    history: Sequence[StepRecord]
    answered: str | None = None

    @property
    def goal(self) -> str:
        return self.instance.goal

    @property
    def step(self) -> int:
        return len(self.history)

    @property
    def last_error(self) -> str:
        return self.history[-1].error if self.history else ""


@dataclass(frozen=True, kw_only=True)
class Decision:
    """What an agent wants done: actions in order, or an error where its words could not be understood."""

    actions: tuple[AnyAction, ...] = ()
    error: str = ""
    text: str = ""
    prompt_ids: tuple[int, ...] = ()
    token_ids: tuple[int, ...] = ()
    logprobs: tuple[float, ...] = ()
    policy_version: int = 0


class Agent(Protocol):
    name: str
    needs_tree: bool  # reads the accessibility tree and the state besides the picture

    async def decide(self, turn: Turn) -> Decision: ...


class PolicyFailure(Exception):
    """The agent's model could not be asked: no fault of the phone's, and none of the policy's."""
