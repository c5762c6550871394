"""The engine's Prometheus metrics."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

from mobilegym.policy.errors import EngineRefusal

KINDS = (*(refusal.code for refusal in EngineRefusal.__subclasses__()), "engine", "internal", "stream")
SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)


class Metrics:
    """One engine's metrics in a registry of their own."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        part = "mobilegym_policy"
        self.requests = Counter(f"{part}_requests", "Requests by outcome", ["outcome"], registry=self.registry)
        self.errors = Counter(f"{part}_errors", "Failures by kind", ["kind"], registry=self.registry)
        for kind in KINDS:  # a series born at 1 hides its first event
            self.errors.labels(kind)
        self.prompt_tokens = Counter(f"{part}_prompt_tokens", "Prompt tokens served", registry=self.registry)
        self.sampled_tokens = Counter(f"{part}_sampled_tokens", "Tokens sampled", registry=self.registry)
        self.swaps = Counter(f"{part}_weight_swaps", "Weight swaps", registry=self.registry)
        self.version = Gauge(f"{part}_version", "Policy version being served", registry=self.registry)
        self.batch_size = Histogram(
            f"{part}_batch_requests", "Requests in a batch", buckets=(1, 2, 4, 8, 16, 32, 64), registry=self.registry
        )
        self.batch_seconds = Histogram(
            f"{part}_batch_seconds", "Seconds to run a batch", buckets=SECONDS, registry=self.registry
        )
        self.request_seconds = Histogram(
            f"{part}_request_seconds", "Seconds from request to answer", buckets=SECONDS, registry=self.registry
        )
        self.swap_seconds = Histogram(
            f"{part}_weight_swap_seconds", "Seconds to swap weights", buckets=SECONDS, registry=self.registry
        )
