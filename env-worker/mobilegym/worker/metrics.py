"""A worker's Prometheus metrics: `mobilegym_worker_*`."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

STEP_BUCKETS = (0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30)


class WorkerMetrics:
    """One set per process; labels are bounded (status, purpose, part)."""

    def __init__(self) -> None:
        self.registry = registry = CollectorRegistry()
        self.phones = Gauge("mobilegym_worker_phones", "Phones this worker holds.", registry=registry)
        self.busy = Gauge("mobilegym_worker_phones_busy", "Phones that play an episode now.", registry=registry)
        self.episodes = Counter(
            "mobilegym_worker_episodes", "Episodes ended.", ("status", "purpose"), registry=registry
        )
        self.steps = Counter("mobilegym_worker_steps", "Agent steps made.", registry=registry)
        self.step_seconds = Histogram(
            "mobilegym_worker_step_seconds", "A step's parts.", ("part",), buckets=STEP_BUCKETS, registry=registry
        )
        self.returned = Counter(
            "mobilegym_worker_leases_returned", "Episodes given back to be played again.", registry=registry
        )
        self.full = Counter(
            "mobilegym_worker_pushes_refused", "Pushes that waited because the stream was full.", registry=registry
        )
        self.judge_errors = Counter(
            "mobilegym_worker_judge_errors", "Episodes whose judge raised: an error of ours.", registry=registry
        )
