"""What the learner is doing, as heartbeats and Prometheus metrics."""

from __future__ import annotations

import asyncio
import logging
import time
from dataclasses import asdict, dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from prometheus_client import CollectorRegistry, Counter, Gauge, start_http_server

from mobilegym.protocol.errors import ProtocolError
from mobilegym.protocol.messages import Heartbeat
from mobilegym.protocol.ports import write_port
from mobilegym.protocol.streams import Streams

log = logging.getLogger(__name__)
BEAT_SECONDS = 3.0


class Phase(StrEnum):
    STARTING = "starting"
    EVALUATING = "evaluating"
    COLLECTING = "collecting"
    TRAINING = "training"
    PUBLISHING = "publishing"
    CHECKPOINTING = "checkpointing"
    DONE = "done"
    PREEMPTED = "preempted"


@dataclass
class Status:
    """Written by the loop, read by the heartbeat."""

    total_steps: int
    step: int = 0
    version: int = 0
    phase: Phase = Phase.STARTING
    success: float | None = None  # of the last step's batch
    reward: float | None = None
    eval_success: float | None = None
    wait_share: float | None = None  # of the last step, spent waiting for trajectories
    last_checkpoint: float | None = None  # unix seconds

    def detail(self) -> dict[str, Any]:
        return {key: str(value) if isinstance(value, Phase) else value for key, value in asdict(self).items()}


async def keep_beating(streams: Streams, status: Status, who: str = "learner") -> None:
    """Until cancelled. A missed beat is logged; the stream's own retries come first."""
    while True:
        try:
            await streams.beat(Heartbeat(who=who, role="learner", at=time.time(), detail=status.detail()))
        except ProtocolError as error:
            log.warning("no heartbeat: %s", error)
        await asyncio.sleep(BEAT_SECONDS)


GAUGES = {
    "step": "learner steps taken",
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
    "tokens": "sampled tokens trained on",
    "discarded": "episodes in the discard ledger",
    "quarantined": "agent steps that could not be trained on",
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


class Metrics:
    """`mobilegym_learner_*`, on a port of its own."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        prefix = "mobilegym_learner"
        self.gauges = {n: Gauge(f"{prefix}_{n}", text, registry=self.registry) for n, text in GAUGES.items()}
        self.counters = {n: Counter(f"{prefix}_{n}", text, registry=self.registry) for n, text in COUNTERS.items()}

    def serve(self, host: str, port: int, run_dir: Path) -> int:
        """Port 0 takes a free one; the port in use is written down under `<run_dir>/ports/learner`."""
        server, _ = start_http_server(port, addr=host, registry=self.registry)
        taken = int(server.server_port)
        write_port(run_dir, "learner", taken)
        return taken

    def observe_step(self, line: dict[str, Any]) -> None:
        for name, key in FROM_LINE.items():
            self.gauges[name].set(line[key])
        for name in ("trajectories", "tokens", "quarantined"):
            self.counters[name].inc(line[name])
        self.counters["rollout_seconds"].inc(line["seconds_rollout"])
        self.counters["train_seconds"].inc(line["seconds_train"])
        self.counters["skipped_steps"].inc(int(line["optimizer_steps"] == 0))
