"""Rules over several fields, in CEL: twins of the validators in `mobilegym.run`, in the same words, by model.

Defaults are filled in before rules are looked at, so only fields without a default need `has()`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, kw_only=True)
class Rule:
    """`field` is what it is about, relative to the model. `words` is an expression: the message with numbers."""

    field: str
    rule: str
    message: str
    words: str | None = None

    @property
    def transition(self) -> bool:
        """Compares with the object before: says what may not change."""
        return "oldSelf" in self.rule

    def written(self) -> dict[str, Any]:
        """As `x-kubernetes-validations` wants it."""
        path = {"fieldPath": f".{self.field}"} if self.field else {}
        words = {"messageExpression": self.words} if self.words else {}
        return {"rule": self.rule, "message": self.message, **words, **path}


def _ordered(field: str, sign: str, other: str, *, optional: bool = False, fraction: bool = False) -> Rule:
    """`field` must stand in this order to `other`."""
    left, right = (f"double(self.{f})" if fraction else f"self.{f}" for f in (field, other))
    guard = "".join(f"!has(self.{f}) || " for f in ("min", "max") if optional and f in (field, other))
    verb = "%s" if fraction else "%d"
    return Rule(
        field=field,
        rule=f"{guard}{left} {sign} {right}",
        message=f"must be {sign} {other}",
        words=f"'got {verb}, must be {sign} {other} ({verb})'.format([self.{field}, self.{other}])",
    )


def _immutable(field: str) -> Rule:
    """For a field without a default: it may not come or go either."""
    same = f"has(self.{field}) == has(oldSelf.{field}) && (!has(self.{field}) || self.{field} == oldSelf.{field})"
    return Rule(field=field, rule=same, message="cannot be changed: make another run")


RANKS = (
    "(self.learner.gpus == 0 ? self.learner.ranks : "
    "self.learner.layout == 'split' ? self.learner.gpus - 1 : self.learner.gpus)"
)
EPISODES = "(self.algorithm.promptsPerStep * self.algorithm.groupSize)"
_FORMS = "(has(self.claim) ? 1 : 0) + (has(self.size) ? 1 : 0) + (self.ephemeral ? 1 : 0)"

RULES: dict[str, tuple[Rule, ...]] = {
    "MobileGymRun": (
        Rule(
            field="",  # of metadata, a schema knows no fields to point at
            rule="size(self.metadata.name) <= 40 && self.metadata.name.matches('^[a-z]([a-z0-9-]*[a-z0-9])?$')",
            message="metadata.name must have at most 40 characters: a-z, 0-9 and -, a letter first, no - last",
        ),
    ),
    "RunSpec": (
        Rule(
            field="algorithm.promptsPerStep",
            # One GPU cannot be split: LearnerSpec says so.
            rule=f"(self.learner.layout == 'split' && self.learner.gpus == 1) || {EPISODES} % {RANKS} == 0",
            message="promptsPerStep x groupSize must be divisible by the learner's ranks",
            words="'%d x %d = %d episodes a step must be divisible by the learner\\'s %d ranks'.format("
            f"[self.algorithm.promptsPerStep, self.algorithm.groupSize, {EPISODES}, {RANKS}])",
        ),
        Rule(
            field="stream.capacity",
            rule=f"self.stream.capacity >= {EPISODES}",
            message="must be >= algorithm.promptsPerStep x groupSize, the episodes of one step",
            words=f"'got %d, must be >= %d, the episodes of one step'.format([self.stream.capacity, {EPISODES}])",
        ),
        Rule(
            field="stream.claimIdleSeconds",
            rule="self.stream.claimIdleSeconds > self.workers.stepDeadlineSeconds",
            message="must be > workers.stepDeadlineSeconds: a busy lease would be taken over",
            words="'got %d, must be > workers.stepDeadlineSeconds (%d): a busy lease would be taken over'.format("
            "[self.stream.claimIdleSeconds, self.workers.stepDeadlineSeconds])",
        ),
        Rule(
            field="workers.max",
            rule="!self.autoscaling.enabled || (has(self.workers.min) && has(self.workers.max))",
            message="autoscaling needs workers.min and workers.max",
        ),
    ),
    "ModelSpec": (
        Rule(
            field="preset",
            rule="has(self.preset) || has(self.path)",
            message="give preset (pocket, qwen3-vl-4b) or path (a directory with weights)",
        ),
        Rule(
            field="dialect",
            rule="has(self.preset) || !has(self.path) || has(self.dialect)",
            message="must be given where there is no preset to say it",
        ),
        Rule(
            field="path",
            rule="!has(self.preset) || self.preset != 'qwen3-vl-4b' || has(self.path)",
            message="must be given: the preset qwen3-vl-4b brings no weights of its own",
        ),
    ),
    "AlgorithmSpec": (_immutable("loss"),),
    "WorkersSpec": (
        _ordered("min", "<=", "max", optional=True),
        _ordered("replicas", ">=", "min", optional=True),
        _ordered("replicas", "<=", "max", optional=True),
        _ordered("browsersPerWorker", "<=", "phonesPerWorker"),
        _ordered("stepDeadlineSeconds", "<=", "episodeDeadlineSeconds"),
        Rule(
            field="runtimeClassName",
            rule="self.sandbox != 'RuntimeClass' || has(self.runtimeClassName)",
            message="must be given with sandbox RuntimeClass, for example gvisor",
        ),
        _immutable("image"),
    ),
    "LearnerSpec": (
        Rule(
            field="ranks",
            rule="self.gpus == 0 || self.ranks == 1",
            message="is for CPU runs: with GPUs leave it out",
            words="'got %d, is for CPU runs: with %d GPUs leave it out'.format([self.ranks, self.gpus])",
        ),
        Rule(
            field="layout",
            rule="self.layout != 'split' || self.gpus != 1",
            message="split needs learner.gpus >= 2 (one serves), or none",
            words="'got split, needs learner.gpus >= 2 (one serves), there is 1'",
        ),
        Rule(
            field="microBatchTokens",
            rule="!has(self.microBatchRows) || !has(self.microBatchTokens)",
            message="give microBatchRows or microBatchTokens, not both",
        ),
        _immutable("image"),
    ),
    "CheckpointSpec": (
        Rule(
            field="",
            rule=f"{_FORMS} <= 1",
            message="give one volume for checkpoints: claim, size or ephemeral",
        ),
        Rule(
            field="storageClassName",
            rule="!has(self.storageClassName) || (!has(self.claim) && !self.ephemeral)",
            message="is for a claim of the run's own: give size, not claim or ephemeral",
        ),
    ),
    "StreamSpec": (
        Rule(
            field="redisUrl",
            rule="!has(self.redisSecret) || !has(self.redisUrl)",
            message="give redisSecret or redisUrl, not both",
        ),
    ),
    "AutoscalingSpec": (
        _ordered("lowBuffer", "<", "highBuffer", fraction=True),
        _ordered("idleWait", "<", "targetWait", fraction=True),
    ),
    "Toleration": (
        Rule(
            field="value",
            rule="self.operator != 'Exists' || !has(self.value)",
            message="must be left out with operator Exists",
        ),
        Rule(
            field="key",
            rule="self.operator != 'Equal' || has(self.key)",
            message="must be given with operator Equal",
        ),
    ),
}
