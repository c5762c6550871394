"""`<run>/metrics.jsonl`, written by the learner: one JSON object a line; a step done again replaces the earlier."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec


class StepLine(msgspec.Struct, frozen=True, kw_only=True):
    """One learner step."""

    step: int
    success: float | None = None  # share of the batch's trajectories, 0..1
    reward: float | None = None
    loss: float | None = None
    kl: float | None = None
    clip_fraction: float | None = None
    entropy: float | None = None  # nat a token
    grad_norm: float | None = None
    zero_variance_share: float | None = None
    staleness: float | None = None  # versions
    tokens: int | None = None
    seconds_rollout: float | None = None
    seconds_train: float | None = None

    @property
    def seconds(self) -> float | None:
        parts = [part for part in (self.seconds_rollout, self.seconds_train) if part is not None]
        return sum(parts) if parts else None


class TemplateScore(msgspec.Struct, frozen=True, kw_only=True):
    success: float
    n: int = 0


class EvalLine(msgspec.Struct, frozen=True, kw_only=True):
    """One held-out evaluation."""

    version: int
    success: float
    n: int = 0
    low: float | None = None  # 95 % interval
    high: float | None = None
    per_template: dict[str, TemplateScore] = {}


class Progress(msgspec.Struct, frozen=True, kw_only=True):
    steps: tuple[StepLine, ...] = ()  # ascending
    evaluations: tuple[EvalLine, ...] = ()  # ascending


def read_progress(path: Path) -> Progress:
    """Everything written so far. A last line that is still being written is left out."""
    steps: dict[int, StepLine] = {}
    evaluations: dict[int, EvalLine] = {}
    if not path.exists():
        return Progress()
    for line in path.read_bytes().split(b"\n")[:-1]:
        if not line.strip():
            continue
        row = msgspec.json.decode(line)
        if row.get("kind") == "eval":
            found = _evaluation(row)
            evaluations[found.version] = found
        elif "step" in row:
            step = msgspec.convert(row, StepLine, strict=False)
            steps[step.step] = step
    return Progress(
        steps=tuple(steps[number] for number in sorted(steps)),
        evaluations=tuple(evaluations[number] for number in sorted(evaluations)),
    )


def _evaluation(row: dict[str, Any]) -> EvalLine:
    scores = {name: _score(value) for name, value in (row.get("per_template") or {}).items()}
    return msgspec.convert({**row, "per_template": scores}, EvalLine, strict=False)


def _score(value: Any) -> Any:
    """Of a pair: successes, episodes."""
    successes, n = value
    return {"success": successes / n if n else 0.0, "n": n}
