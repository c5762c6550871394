"""A learner step's optimizer updates over packed rows; every rank calls it with the same parts."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import torch
from torch import Tensor

from mobilegym.learner.engine import Engine
from mobilegym.learner.forward import TeacherForced
from mobilegym.learner.losses import Denominators, LossParts, policy_loss
from mobilegym.learner.pack import MicroBatch, share
from mobilegym.learner.rows import Row, count_tokens
from mobilegym.learner.scene import Scene
from mobilegym.learner.settings import Settings


class Interrupted(Exception):
    """Asked to stop: the update in progress was dropped on all ranks."""


@dataclass(frozen=True, kw_only=True)
class Reference:
    """The frozen policy that KL is taken to."""

    forward: TeacherForced
    scene: Scene


@dataclass(frozen=True, kw_only=True)
class UpdateStats:
    """Over all ranks. Means are over trained tokens; `ratio_max` and `sampler_gap` come from the first update."""

    optimizer_steps: int = 0
    loss: float = 0.0
    kl: float = 0.0
    clip_fraction: float = 0.0
    entropy: float = 0.0
    grad_norm: float = 0.0
    ratio_max: float = 0.0
    sampler_gap: float = 0.0
    tokens: int = 0  # sampled tokens trained on
    nodes: int = 0  # tokens the model was run on
    seconds: float = 0.0


@dataclass
class Trainer:
    """`stopping` is asked between micro-batches; any rank's yes drops the update everywhere."""

    engine: Engine
    scene: Scene
    settings: Settings
    reference: Reference | None = None
    stopping: Callable[[], bool] = field(default=lambda: False)

    def __post_init__(self) -> None:
        assert isinstance(self.engine.module, TeacherForced)
        self._forward = self.engine.module

    def run(self, parts: Sequence[Sequence[Row]]) -> UpdateStats:
        """One optimizer update for each part. Raises Interrupted with the parameters of the last whole update."""
        started = time.monotonic()
        packed = [self._pack(part) for part in parts]
        # Before the first update, old policy and current one are the same; later parts need the old one's values.
        old = [[None] * len(batches) if i == 0 else self._old(batches) for i, batches in enumerate(packed)]
        totals = [self._update(part, b, o) for part, b, o in zip(parts, packed, old, strict=True)]
        (nodes,) = self.engine.sums([float(sum(b.nodes for batches in packed for b in batches))])
        return _stats(totals, round(nodes), time.monotonic() - started)

    def _pack(self, rows: Sequence[Row]) -> list[MicroBatch]:
        mine = share(rows, self.engine.rank, self.engine.ranks)
        return self.scene.pack(mine, budget=self.settings.budget, max_rows=self.settings.max_rows)

    @torch.no_grad()
    def _old(self, batches: Sequence[MicroBatch]) -> list[Tensor | None]:
        return [self._forward(b, self.scene.see(b.images))[0] for b in batches]

    def _update(self, rows: Sequence[Row], batches: Sequence[MicroBatch], old: Sequence[Tensor | None]) -> _Totals:
        """Every rank holds all rows, so the denominators need no exchange."""
        denominators = Denominators(sequences=len({r.trajectory for r in rows}), tokens=count_tokens(rows))
        totals = _Totals(denominators)
        for batch, old_logp in zip(batches, old, strict=True):
            if self.stopping():
                break
            parts = self._loss(batch, old_logp, denominators)
            self.engine.accumulate(parts.loss)
            totals.add(parts)
        if self.engine.agree(self.stopping()):
            self.engine.forget()
            raise Interrupted
        totals.reduce(self.engine)
        totals.grad_norm = self.engine.update()
        return totals

    def _loss(self, batch: MicroBatch, old: Tensor | None, denominators: Denominators) -> LossParts:
        visuals = self.scene.see(batch.images)
        logp, entropy = self._forward(batch, visuals)
        device = logp.device
        return policy_loss(
            self.settings.loss,
            logp,
            old,
            batch.sampler_logp.to(device),
            self._reference(batch),
            batch.advantages.to(device),
            batch.mask.to(device),
            self.settings.loss_config,
            denominators=denominators,
            entropy=entropy,
            sequence_tokens=batch.sequence_tokens.to(device),
        )

    @torch.no_grad()
    def _reference(self, batch: MicroBatch) -> Tensor | None:
        if self.reference is None:
            return None
        logp: Tensor = self.reference.forward(batch, self.reference.scene.see(batch.images))[0]
        return logp


class _Totals:
    """Sums of one update, then over ranks."""

    def __init__(self, denominators: Denominators) -> None:
        self.denominators = denominators
        self.sums = [0.0] * 6  # loss, tokens, kl, entropy, clipped, gap
        self.ratio_max = 0.0
        self.grad_norm = 0.0

    def add(self, parts: LossParts) -> None:
        found = (parts.loss.detach(), parts.tokens, parts.kl, parts.entropy, parts.clipped, parts.gap)
        self.sums = [a + float(b) for a, b in zip(self.sums, found, strict=True)]
        self.ratio_max = max(self.ratio_max, float(parts.ratio_max))

    def reduce(self, engine: Engine) -> None:
        self.sums = engine.sums(self.sums)
        self.ratio_max = engine.maxima([self.ratio_max])[0]


def _stats(totals: Sequence[_Totals], nodes: int, seconds: float) -> UpdateStats:
    if not totals:
        return UpdateStats(seconds=seconds)
    loss, tokens, kl, entropy, clipped, _ = (sum(column) for column in zip(*(t.sums for t in totals), strict=True))
    first = totals[0]
    return UpdateStats(
        optimizer_steps=len(totals),
        loss=loss / len(totals),
        kl=kl / tokens,
        clip_fraction=clipped / tokens,
        entropy=entropy / tokens,
        grad_norm=max(t.grad_norm for t in totals),
        ratio_max=max(t.ratio_max for t in totals),
        sampler_gap=first.sums[5] / max(first.sums[1], 1.0),
        tokens=round(tokens),
        nodes=nodes,
        seconds=seconds,
    )
