"""What a run leaves to be read: metrics.jsonl, and the trajectories of each step for the viewer."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from mobilegym.learner.batch import BatchStats
from mobilegym.learner.update import UpdateStats
from mobilegym.protocol.messages import Trajectory
from mobilegym.protocol.trace import write_trajectories


def wilson(successes: int, n: int, z: float = 1.959964) -> tuple[float, float]:
    """95 % interval of a share (Wilson 1927)."""
    if n == 0:
        return 0.0, 1.0
    share, denominator = successes / n, 1 + z * z / n
    middle = (share + z * z / (2 * n)) / denominator
    half = z / denominator * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    return max(0.0, middle - half), min(1.0, middle + half)


def step_line(step: int, batch: BatchStats, update: UpdateStats, seconds_rollout: float) -> dict[str, Any]:
    """`step` counts learner steps taken, this one included. Shares are 0..1, entropy, kl and gap nats a token."""
    return {
        "kind": "step",
        "step": step,
        "success": batch.success,
        "reward": batch.reward,
        "loss": update.loss,
        "kl": update.kl,
        "clip_fraction": update.clip_fraction,
        "entropy": update.entropy,
        "grad_norm": update.grad_norm,
        "zero_variance_share": batch.zero_variance_share,
        "staleness": batch.staleness,
        "tokens": update.tokens,
        "seconds_rollout": round(seconds_rollout, 3),
        "seconds_train": round(update.seconds, 3),
        "ratio_max": update.ratio_max,
        "sampler_gap": update.sampler_gap,
        "optimizer_steps": update.optimizer_steps,
        "nodes": update.nodes,
        "trajectories": batch.trajectories,
        "rows": batch.steps,
        "quarantined": batch.quarantined,
    }


def eval_line(version: int, trajectories: Sequence[Trajectory]) -> dict[str, Any]:
    per_template: dict[str, list[int]] = {}
    for t in trajectories:
        counts = per_template.setdefault(t.template, [0, 0])
        counts[0] += int(t.verdict is not None and t.verdict.success)
        counts[1] += 1
    successes, n = sum(c[0] for c in per_template.values()), sum(c[1] for c in per_template.values())
    low, high = wilson(successes, n)
    return {
        "kind": "eval",
        "version": version,
        "success": successes / n if n else 0.0,
        "n": n,
        "low": low,
        "high": high,
        "reward": sum(t.reward or 0.0 for t in trajectories) / n if n else 0.0,
        "per_template": dict(sorted(per_template.items())),
    }


class Records:
    """Files under the run's folder. `restore` goes back to what a checkpoint knows, so no step stands there twice."""

    def __init__(self, run_dir: Path) -> None:
        self._metrics = run_dir / "metrics.jsonl"
        self._run_dir = run_dir
        run_dir.mkdir(parents=True, exist_ok=True)

    def write(self, line: dict[str, Any]) -> None:
        with self._metrics.open("a") as file:
            file.write(json.dumps(line) + "\n")

    def lines(self) -> list[dict[str, Any]]:
        if not self._metrics.exists():
            return []
        lines = []
        for raw in self._metrics.read_text().splitlines():
            try:
                lines.append(json.loads(raw))
            except json.JSONDecodeError:  # torn by a kill
                continue
        return lines

    def restore(self, known: Callable[[dict[str, Any]], bool]) -> None:
        kept = [line for line in self.lines() if known(line)]
        aside = self._metrics.with_suffix(".tmp")
        aside.write_text("".join(json.dumps(line) + "\n" for line in kept))
        aside.rename(self._metrics)

    def keep_trajectories(self, name: str, trajectories: Sequence[Trajectory]) -> None:
        write_trajectories(self._run_dir, name, trajectories)
