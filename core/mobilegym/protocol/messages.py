"""What travels on the streams: frozen structs, each with a `schema` number, encoded as MessagePack by msgspec."""

from __future__ import annotations

import hashlib
from typing import Any

import msgspec

from mobilegym.protocol.status import EpisodeStatus

SCHEMA = 1


class Message(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=False):
    """Base of every message. A reader refuses a `schema` newer than its own."""

    schema: int = SCHEMA


class Sampling(msgspec.Struct, frozen=True, kw_only=True):
    """How the policy samples. top_p is 1 and top_k off by contract: truncated sampling would bias the ratio."""

    temperature: float = 1.0
    max_tokens: int = 64


class Episode(Message, frozen=True, kw_only=True):
    """One phone session to be played: the unit that a worker leases."""

    id: str  # trajectory_id(run, group, member)
    run: str
    group: str
    member: int  # 0 .. group_size - 1
    purpose: str = "train"  # train | eval
    template: str
    seed: int  # seeds the world and the parameters; equal in a group
    locale: str = "en"
    sample_seed: int = 0  # seeds the policy's sampling; differs in a group
    min_policy_version: int = 0
    sampling: Sampling = Sampling()
    max_steps: int | None = None  # None: the template's own budget
    deadline_seconds: float = 300.0
    issued_at: float = 0.0  # unix seconds


class GoalResult(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    holds: bool
    reason: str = ""


class SideEffect(msgspec.Struct, frozen=True, kw_only=True):
    step: int  # the step whose action changed it, 0-based
    path: str  # JSON pointer into PhoneState
    action: str  # the event's name, `app.action`


class VerdictRecord(msgspec.Struct, frozen=True, kw_only=True):
    """A judge's verdict, as sent."""

    success: bool
    progress: float  # share of goals that hold, 0..1
    clean: bool
    side_effects: tuple[SideEffect, ...] = ()
    false_complete: bool = False  # finished without success
    overdue: bool = False  # went on for more than its step budget, or past success
    goals: tuple[GoalResult, ...] = ()


class StepTiming(msgspec.Struct, frozen=True, kw_only=True):
    """Seconds spent in a step's parts."""

    observe: float = 0.0
    policy: float = 0.0
    act: float = 0.0


class StepRecord(msgspec.Struct, frozen=True, kw_only=True):
    """One agent step. `prompt_ids` and `token_ids` are verbatim what the sampler saw and drew."""

    image: str  # blob key (sha256 hex) of the screenshot shown
    prompt_ids: tuple[int, ...] = ()
    token_ids: tuple[int, ...] = ()
    logprobs: tuple[float, ...] = ()  # natural log, one per token_id, of the distribution sampled from
    policy_version: int = 0
    text: str = ""  # decoded model output
    action: str = ""  # canonical JSON of the parsed Action, or "" where it did not parse
    error: str = ""  # typed parse or act error that the model sees next
    timing: StepTiming = StepTiming()


class Trajectory(Message, frozen=True, kw_only=True):
    id: str
    run: str
    group: str
    member: int
    attempt: int = 1  # 1 .. 3
    purpose: str = "train"
    template: str
    seed: int
    locale: str = "en"
    goal: str = ""
    status: EpisodeStatus
    verdict: VerdictRecord | None = None  # None unless status.rewarded
    reward: float | None = None  # in [0, 1]; None unless status.rewarded
    answer: str | None = None
    steps: tuple[StepRecord, ...] = ()
    initial_state_hash: str = ""  # equal over a group
    final_image: str = ""
    worker: str = ""
    started_at: float = 0.0
    ended_at: float = 0.0
    error: str = ""

    @property
    def min_version(self) -> int:
        """The oldest policy version that acted."""
        return min((s.policy_version for s in self.steps), default=0)


class PolicyVersion(Message, frozen=True, kw_only=True):
    version: int  # learner steps taken
    path: str  # directory or URL of the weights
    digest: str  # sha256 of the weights file


class Heartbeat(Message, frozen=True, kw_only=True):
    who: str  # process name, unique in a run
    role: str  # worker | learner | engine
    at: float
    detail: dict[str, Any] = {}


class TaskCard(msgspec.Struct, frozen=True, kw_only=True):
    """What a learner needs to know of a template; published by the first worker of a run."""

    id: str
    apps: tuple[str, ...]
    split: str  # train | test
    level: int  # 1..4, measured
    budget: int  # steps


class Discard(Message, frozen=True, kw_only=True):
    """A line of the discard ledger: an issued episode that will never be trained on, and why."""

    id: str
    reason: str
    at: float


def trajectory_id(run: str, group: str, member: int) -> str:
    """Deterministic id of an issued episode and of its trajectory."""
    return hashlib.sha256(f"{run}\x00{group}\x00{member}".encode()).hexdigest()[:24]
