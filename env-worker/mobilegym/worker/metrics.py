"""A worker's Prometheus metrics: `mobilegym_worker_*`."""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterator

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.registry import Collector

from mobilegym.phone.memory import own_bytes, pss_megabytes
from mobilegym.phone.pool_options import PoolCounts
from mobilegym.protocol.status import EpisodeStatus
from mobilegym.tasks.instance import card
from mobilegym.worker.rollout import Played

STEP_BUCKETS = (0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30)
RESET_BUCKETS = (0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10)
PART = "mobilegym_worker"
PURPOSES = ("train", "eval")


class WorkerMetrics:
    """One set per process; labels are bounded (status, purpose, stage, process, split, level, app).

    None is called `part`: that is the label by which a pod says whose it is.
    """

    def __init__(self) -> None:
        self.registry = registry = CollectorRegistry()
        self.phones = Gauge(f"{PART}_phones", "Phones this worker holds.", registry=registry)
        self.busy = Gauge(f"{PART}_phones_busy", "Phones that play an episode now.", registry=registry)
        self.start_seconds = Gauge(f"{PART}_start_seconds", "From start to open phones.", registry=registry)
        self.episodes = Counter(f"{PART}_episodes", "Episodes ended.", ("status", "purpose"), registry=registry)
        for status, purpose in itertools.product(EpisodeStatus, PURPOSES):  # a series born at 1 hides its first event
            self.episodes.labels(status.value, purpose)
        self.verdicts = Counter(
            f"{PART}_verdicts", "Episodes judged.", ("split", "level", "app", "success"), registry=registry
        )
        self.steps = Counter(f"{PART}_steps", "Agent steps made.", registry=registry)
        self.step_seconds = Histogram(
            f"{PART}_step_seconds", "A step's stages.", ("stage",), buckets=STEP_BUCKETS, registry=registry
        )
        self.reset_seconds = Histogram(
            f"{PART}_reset_seconds",
            "Putting a phone into an episode's state.",
            buckets=RESET_BUCKETS,
            registry=registry,
        )
        self.returned = Counter(f"{PART}_leases_returned", "Episodes given back to be played again.", registry=registry)
        self.full = Counter(
            f"{PART}_pushes_refused", "Pushes that waited because the stream was full.", registry=registry
        )
        self.judge_errors = Counter(
            f"{PART}_judge_errors", "Episodes whose judge raised: an error of ours.", registry=registry
        )

    def watch(self, counts: PoolCounts) -> None:
        """What happens in a pool, and this process's memory, read when they are asked for."""
        self.registry.register(_Machine(counts))

    def observe(self, played: Played, purpose: str) -> None:
        """One episode that has ended."""
        self.episodes.labels(played.status.value, purpose).inc()
        if played.reset_seconds is not None:
            self.reset_seconds.observe(played.reset_seconds)
        for step in played.steps:
            for stage in ("observe", "policy", "act"):
                self.step_seconds.labels(stage).observe(getattr(step.timing, stage))
        if played.verdict is not None:
            about = card(played.instance.template)
            app, success = about.id.partition(".")[0], str(played.verdict.success).lower()
            self.verdicts.labels(about.split, str(about.level), app, success).inc()


class _Machine(Collector):
    def __init__(self, counts: PoolCounts) -> None:
        self._counts = counts

    def collect(self) -> Iterator[CounterMetricFamily | GaugeMetricFamily]:
        restarts = CounterMetricFamily(f"{PART}_browser_restarts", "Browsers replaced.", labels=["reason"])
        restarts.add_metric(["lost"], self._counts.browsers_lost)
        restarts.add_metric(["recycled"], self._counts.browsers_recycled)
        yield restarts
        pages = CounterMetricFamily(f"{PART}_phones_lost", "Phones that died and were opened anew.")
        pages.add_metric([], self._counts.pages_lost)
        yield pages
        memory = GaugeMetricFamily(f"{PART}_memory_bytes", "Proportional set size.", labels=["process"])
        own = own_bytes(os.getpid())
        memory.add_metric(["worker"], own)
        memory.add_metric(["browsers"], max(0.0, pss_megabytes(os.getpid()) * 2**20 - own))
        yield memory
