"""Training rows: one per agent step, carrying the sampled tokens verbatim."""

from __future__ import annotations

import math
from collections.abc import Sequence, Set
from dataclasses import dataclass

from mobilegym.protocol.messages import StepRecord, Trajectory


@dataclass(frozen=True, kw_only=True, slots=True)
class Row:
    """What the learner needs of one step. `logprobs` are the sampler's, one per token of `token_ids`."""

    trajectory: str
    step: int
    image: str  # blob key
    prompt_ids: tuple[int, ...]
    token_ids: tuple[int, ...]
    logprobs: tuple[float, ...]
    advantage: float
    sequence_tokens: int  # trainable tokens of the whole trajectory
    policy_version: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Quarantine:
    """A step that must not be trained on, and why."""

    trajectory: str
    step: int
    reason: str


@dataclass(frozen=True, kw_only=True)
class Rows:
    rows: tuple[Row, ...]
    quarantined: tuple[Quarantine, ...]


def rows_of(trajectory: Trajectory, advantage: float, suppressed: Set[int]) -> Rows:
    """Rows of a trajectory; steps that the policy cannot have sampled go to quarantine instead.

    `suppressed`: ids that the sampler never emits, image placeholders among them.
    """
    faults = [_fault(step, suppressed) for step in trajectory.steps]
    total = sum(len(s.token_ids) for s, fault in zip(trajectory.steps, faults, strict=True) if not fault)
    rows: list[Row] = []
    quarantined: list[Quarantine] = []
    for index, (step, fault) in enumerate(zip(trajectory.steps, faults, strict=True)):
        if fault:
            quarantined.append(Quarantine(trajectory=trajectory.id, step=index, reason=fault))
            continue
        rows.append(
            Row(
                trajectory=trajectory.id,
                step=index,
                image=step.image,
                prompt_ids=step.prompt_ids,
                token_ids=step.token_ids,
                logprobs=step.logprobs,
                advantage=advantage,
                sequence_tokens=total,
                policy_version=step.policy_version,
            )
        )
    return Rows(rows=tuple(rows), quarantined=tuple(quarantined))


def _fault(step: StepRecord, suppressed: Set[int]) -> str:
    if not step.token_ids:
        return "no sampled tokens"
    if not step.prompt_ids:
        return "no prompt tokens: the engine must return token ids"
    if not step.image:
        return "no screenshot"
    if len(step.logprobs) != len(step.token_ids):
        return f"{len(step.logprobs)} log-probabilities for {len(step.token_ids)} tokens"
    if not all(math.isfinite(p) and p <= 1e-6 for p in step.logprobs):
        return "a log-probability that is not finite or above 0"
    bad = suppressed & set(step.token_ids)
    return f"sampled suppressed ids {sorted(bad)[:4]}" if bad else ""


def count_tokens(rows: Sequence[Row]) -> int:
    return sum(len(row.token_ids) for row in rows)
