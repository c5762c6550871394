"""The learner's Prometheus metrics: `mobilegym_learner_*`."""

from __future__ import annotations

import math
from typing import Any

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

from mobilegym.learner.status import Phase

PART = "mobilegym_learner"
SECONDS = (0.1, 0.3, 1, 3, 10, 30, 60, 120, 300, 600, 1800, 3600)
GAUGES = {
    "step": "learner steps taken",
    "total_steps": "learner steps asked for",
    "policy_version": "version that is published",
    "success_ratio": "success of the last step's batch",
    "reward": "mean reward of the last step's batch",
    "loss": "loss of the last step",
    "kl_nats": "KL to the reference policy, a token",
    "clip_ratio": "share of tokens clipped",
    "entropy_nats": "entropy of the policy, a token",
    "grad_norm": "gradient norm before clipping",
    "zero_variance_ratio": "share of groups without signal",
    "staleness_versions": "mean policy versions that steps were behind",
    "ratio_max": "largest importance ratio",
    "sampler_gap_nats": "mean difference of learner's and sampler's log-probability",
    "wait_ratio": "share of the last step spent waiting for trajectories",
    "eval_success_ratio": "held-out success",
    "last_checkpoint_timestamp_seconds": "when the newest checkpoint was sealed",
}
COUNTERS = {
    "trajectories": "trajectories trained on",
    "stale_trajectories": "trajectories trained on that lagged behind more than staleness allows",
    "tokens": "sampled tokens trained on",
    "discarded": "episodes in the discard ledger",
    "quarantined": "agent steps that could not be trained on",
    "lost_images": "screenshots that the blob store no longer had",
    "skipped_steps": "steps without any group with signal",
    "rollout_seconds": "waiting for trajectories",
    "train_seconds": "training",
}
FROM_LINE = {
    "step": "step",
    "success_ratio": "success",
    "reward": "reward",
    "loss": "loss",
    "kl_nats": "kl",
    "clip_ratio": "clip_fraction",
    "entropy_nats": "entropy",
    "grad_norm": "grad_norm",
    "zero_variance_ratio": "zero_variance_share",
    "staleness_versions": "staleness",
    "ratio_max": "ratio_max",
    "sampler_gap_nats": "sampler_gap",
}
# NaN until known: a gauge that starts at 0 reads as a bad result.
FROM_STEPS = FROM_LINE.keys() - {"step"} | {"wait_ratio", "eval_success_ratio", "last_checkpoint_timestamp_seconds"}


class Metrics:
    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.gauges = {n: Gauge(f"{PART}_{n}", text, registry=self.registry) for n, text in GAUGES.items()}
        for name in FROM_STEPS:
            self.gauges[name].set(math.nan)
        self.counters = {n: Counter(f"{PART}_{n}", text, registry=self.registry) for n, text in COUNTERS.items()}
        self.phase_seconds = Histogram(
            f"{PART}_phase_seconds", "How long a phase took", ("phase",), buckets=SECONDS, registry=self.registry
        )
        for phase in Phase:  # a series born at 1 hides its first event
            self.phase_seconds.labels(phase.value)

    def observe_phase(self, phase: Phase, seconds: float) -> None:
        self.phase_seconds.labels(phase.value).observe(seconds)

    def resume(self, step: int, eval_success: float | None) -> None:
        """What a checkpoint tells."""
        self.gauges["step"].set(step)
        if eval_success is not None:
            self.gauges["eval_success_ratio"].set(eval_success)

    def observe_step(self, line: dict[str, Any]) -> None:
        for name, key in FROM_LINE.items():
            self.gauges[name].set(line[key])
        for name in ("trajectories", "tokens", "quarantined"):
            self.counters[name].inc(line[name])
        self.counters["rollout_seconds"].inc(line["seconds_rollout"])
        self.counters["train_seconds"].inc(line["seconds_train"])
        self.counters["skipped_steps"].inc(int(line["optimizer_steps"] == 0))
