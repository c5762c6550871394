"""The operator's Prometheus metrics: its own, and those of each run."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from mobilegym.operator.observed import Numbers
from mobilegym.operator.runs import Run, key_of

BUCKETS = (0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30)
LABELS = ("namespace", "run")


class Metrics:
    """Labels are bounded: kinds, verbs, outcomes; those of runs go with the run."""

    def __init__(self) -> None:
        self.registry = registry = CollectorRegistry()
        prefix = "mobilegym_operator"
        self.depth = Gauge(f"{prefix}_queue_depth", "Runs waiting to be looked at.", registry=registry)
        self.leader = Gauge(f"{prefix}_leader", "1 where this process writes.", registry=registry)
        self.reconciles = Counter(f"{prefix}_reconciles", "Looks at a run.", ("outcome",), registry=registry)
        self.seconds = Histogram(
            f"{prefix}_reconcile_seconds", "One look at a run, writes included.", buckets=BUCKETS, registry=registry
        )
        self.writes = Counter(f"{prefix}_writes", "Writes to the API server.", ("kind", "verb"), registry=registry)
        self.refusals = Counter(
            f"{prefix}_refusals", "Writes that the API server refused.", ("kind",), registry=registry
        )
        self.restarts = Counter(f"{prefix}_watch_restarts", "Watches begun anew.", ("kind",), registry=registry)

    def wrote(self, kind: str, verb: str) -> None:
        self.writes.labels(kind, verb).inc()

    def refused(self, kind: str) -> None:
        self.refusals.labels(kind).inc()

    def restarted(self, kind: str) -> None:
        self.restarts.labels(kind).inc()

    def show_runs(self, runs: Callable[[], Iterable[Run]], numbers: Callable[[Run], Numbers | None]) -> None:
        """From now on also what these give: read at each scrape, so nothing outlives its run."""
        self.registry.register(RunCollector(runs, numbers))


FROM_STATUS = {
    "step": ("Learner steps taken.", ("step",)),
    "total_steps": ("Learner steps wanted.", ("totalSteps",)),
    "success_ratio": ("Success of the last step's batch.", ("successRate",)),
    "workers_ready": ("Workers whose phones are open.", ("workers", "ready")),
    "workers_desired": ("Workers wanted.", ("workers", "desired")),
    "workers_busy": ("Workers that play an episode.", ("workers", "busy")),
}
FROM_STREAM: dict[str, tuple[str, Callable[[Numbers], float | None]]] = {
    "depth": ("Trajectories that the learner has not read.", lambda n: n.counters.depth if n.counters else None),
    "pending": ("Trajectories read and not settled.", lambda n: n.counters.pending if n.counters else None),
    "oldest_age_seconds": ("Age of the oldest unread trajectory.", lambda n: n.oldest_age or 0.0),
    "lost_ids": ("Issued episodes that are nowhere: must be 0.", lambda n: n.counters.lost if n.counters else None),
    "dead": ("Poison messages kept for inspection.", lambda n: n.counters.dead if n.counters else None),
}


class RunCollector(Collector):
    def __init__(self, runs: Callable[[], Iterable[Run]], numbers: Callable[[Run], Numbers | None]) -> None:
        self._runs = runs
        self._numbers = numbers

    def describe(self) -> Iterable[GaugeMetricFamily]:
        return ()

    def collect(self) -> Iterator[GaugeMetricFamily]:
        runs = [(tuple(key_of(run)), run.get("status") or {}, self._numbers(run)) for run in self._runs()]
        phase = GaugeMetricFamily(
            "mobilegym_run_phase", "1 for the phase that the run is in.", labels=(*LABELS, "phase")
        )
        for labels, status, _ in runs:
            if status.get("phase"):
                phase.add_metric((*labels, status["phase"]), 1)
        yield phase
        for name, (text, path) in FROM_STATUS.items():
            family = GaugeMetricFamily(f"mobilegym_run_{name}", text, labels=LABELS)
            _fill(family, ((labels, _at(status, path)) for labels, status, _ in runs))
            yield family
        for name, (text, read) in FROM_STREAM.items():
            family = GaugeMetricFamily(f"mobilegym_stream_{name}", text, labels=LABELS)
            _fill(family, ((labels, read(numbers)) for labels, _, numbers in runs if numbers and not numbers.error))
            yield family


def _fill(family: GaugeMetricFamily, values: Iterable[tuple[tuple[str, ...], float | None]]) -> None:
    for labels, value in values:
        if value is not None:
            family.add_metric(labels, value)


def _at(status: Any, path: tuple[str, ...]) -> float | None:
    for part in path:
        status = (status or {}).get(part)
    return float(status) if status is not None else None
