"""From a step's trajectories to training rows: groups, advantages, and what must not be trained on."""

from __future__ import annotations

import statistics
from collections import Counter, defaultdict
from collections.abc import Sequence, Set
from dataclasses import dataclass, replace

import numpy as np

from mobilegym.learner.advantage import group_advantages, has_signal
from mobilegym.learner.overlong import Overlong, ran_out, soft_punishment
from mobilegym.learner.rows import Quarantine, Row, rows_of
from mobilegym.learner.settings import Settings
from mobilegym.protocol.messages import Trajectory

Groups = dict[str, list[Trajectory]]


@dataclass(frozen=True, kw_only=True)
class Sorted:
    """Trajectories by group, and those that cannot be used with a reason by id."""

    groups: Groups
    refused: dict[str, str]


def usable(trajectories: Sequence[Trajectory], *, evaluation: bool = False) -> Sorted:
    """A group needs two members with a reward and one initial state, an evaluation's one.

    The same trajectories always sort alike.
    """
    refused: dict[str, str] = {}
    gathered: Groups = defaultdict(list)
    for t in sorted(trajectories, key=lambda t: (t.group, t.member)):
        if not t.status.rewarded or t.reward is None:
            refused[t.id] = f"{t.status.value}: {t.error or 'no reward'}"
        else:
            gathered[t.group].append(t)
    groups: Groups = {}
    for group, members in gathered.items():
        (common, _), *_ = Counter(t.initial_state_hash for t in members).most_common(1)
        kept = [t for t in members if t.initial_state_hash == common]
        refused |= {t.id: "its initial state differs from its group's" for t in members if t not in kept}
        if len(kept) >= 2 or evaluation:
            groups[group] = kept
        else:
            refused |= {t.id: "fewer than two members of its group are left" for t in kept}
    return Sorted(groups=groups, refused=refused)


@dataclass(frozen=True, kw_only=True)
class BatchStats:
    success: float
    reward: float
    zero_variance_share: float  # of groups
    staleness: float  # mean policy versions behind, over steps
    trajectories: int
    steps: int
    quarantined: int


@dataclass(frozen=True, kw_only=True)
class TrainingBatch:
    """`parts`: the rows of each optimizer update, whole groups in each."""

    parts: tuple[tuple[Row, ...], ...]
    quarantined: tuple[Quarantine, ...]
    stats: BatchStats


def training_batch(
    groups: Groups, settings: Settings, step: int, suppressed: Set[int], end_ids: Set[int], lost_images: Set[str]
) -> TrainingBatch:
    """Rows of all groups with signal, dealt out to `settings.updates` updates by group."""
    advantages = {
        t.id: a
        for members in groups.values()
        for t, a in zip(members, _advantages(members, settings, end_ids), strict=True)
    }
    if settings.shuffle_advantages:
        advantages = _shuffled(advantages, settings.seed, step)
    live = [g for g, members in groups.items() if any(advantages[t.id] for t in members)]
    parts: list[list[Row]] = [[] for _ in range(min(settings.updates, len(live)))]
    quarantined: list[Quarantine] = []
    for i, group in enumerate(live):
        for t in groups[group]:
            made = rows_of(t, advantages[t.id], suppressed)
            quarantined += made.quarantined
            rows = [row for row in made.rows if row.image not in lost_images]
            quarantined += [
                Quarantine(trajectory=r.trajectory, step=r.step, reason="its screenshot is not in the blob store")
                for r in made.rows
                if r.image in lost_images
            ]
            parts[i % len(parts)] += _without_overlong(rows, settings, end_ids)
    stats = _stats(groups, step, len(quarantined))
    return TrainingBatch(
        parts=tuple(tuple(part) for part in parts if part), quarantined=tuple(quarantined), stats=stats
    )


def _advantages(members: Sequence[Trajectory], settings: Settings, end_ids: Set[int]) -> list[float]:
    rewards = [t.reward or 0.0 for t in members]
    if settings.overlong is Overlong.PUNISH:
        margin = settings.max_tokens // 4
        rewards = [
            r + min((soft_punishment(len(s.token_ids), settings.max_tokens, margin) for s in t.steps), default=0.0)
            for r, t in zip(rewards, members, strict=True)
        ]
    return group_advantages(rewards, scale_by_std=settings.loss.scales_by_std)


def _shuffled(advantages: dict[str, float], seed: int, step: int) -> dict[str, float]:
    order = np.random.default_rng((seed, 3, step)).permutation(len(advantages))
    values = list(advantages.values())
    return {id: values[int(i)] for id, i in zip(advantages, order, strict=True)}


def _without_overlong(rows: list[Row], settings: Settings, end_ids: Set[int]) -> list[Row]:
    if settings.overlong is not Overlong.MASK:
        return rows
    kept = [row for row in rows if not ran_out(row.token_ids, settings.max_tokens, end_ids)]
    total = sum(len(row.token_ids) for row in kept)
    return [replace(row, sequence_tokens=total) for row in kept]


def _stats(groups: Groups, step: int, quarantined: int) -> BatchStats:
    all_ = [t for members in groups.values() for t in members]
    dead = [not has_signal([t.reward or 0.0 for t in members]) for members in groups.values()]
    behind = [step - s.policy_version for t in all_ for s in t.steps]

    def mean(values: Sequence[float]) -> float:
        return statistics.fmean(values) if values else 0.0

    return BatchStats(
        success=mean([float(t.verdict is not None and t.verdict.success) for t in all_]),
        reward=mean([t.reward or 0.0 for t in all_]),
        zero_variance_share=mean([float(d) for d in dead]),
        staleness=mean(behind),
        trajectories=len(all_),
        steps=len(behind),
        quarantined=quarantined,
    )
