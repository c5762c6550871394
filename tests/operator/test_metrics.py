"""Each run's gauges: read from what is known, gone with the run."""

from __future__ import annotations

from typing import Any

from prometheus_client import generate_latest

from mobilegym.operator.metrics import Metrics
from mobilegym.operator.observed import Numbers
from mobilegym.protocol.streams.base import Counters

COUNTERS = Counters(issued=12, waiting=1, leased=2, depth=3, pending=1, trained=2, discarded=1, dead=1)


def run(name: str, status: dict[str, Any]) -> dict[str, Any]:
    return {"metadata": {"namespace": "lab", "name": name}, "status": status}


def test_a_runs_gauges_come_and_go_with_it() -> None:
    status = {
        "phase": "Running",
        "step": 4,
        "totalSteps": 10,
        "successRate": "0.25",
        "workers": {"ready": 2, "desired": 3, "busy": 1},
    }
    runs = [run("one", status), run("new", {})]
    metrics = Metrics()
    metrics.show_runs(lambda: runs, lambda r: Numbers(at=0, counters=COUNTERS) if r is runs[0] else None)
    lines = generate_latest(metrics.registry).decode().splitlines()
    for expected in (
        'mobilegym_run_phase{namespace="lab",phase="Running",run="one"} 1.0',
        'mobilegym_run_step{namespace="lab",run="one"} 4.0',
        'mobilegym_run_total_steps{namespace="lab",run="one"} 10.0',
        'mobilegym_run_success_ratio{namespace="lab",run="one"} 0.25',
        'mobilegym_run_workers_ready{namespace="lab",run="one"} 2.0',
        'mobilegym_run_workers_desired{namespace="lab",run="one"} 3.0',
        'mobilegym_run_workers_busy{namespace="lab",run="one"} 1.0',
        'mobilegym_stream_depth{namespace="lab",run="one"} 3.0',
        'mobilegym_stream_pending{namespace="lab",run="one"} 1.0',
        'mobilegym_stream_oldest_age_seconds{namespace="lab",run="one"} 0.0',
        'mobilegym_stream_lost_ids{namespace="lab",run="one"} 2.0',
        'mobilegym_stream_dead{namespace="lab",run="one"} 1.0',
    ):
        assert expected in lines
    assert not any('run="new"' in line for line in lines)
    runs.clear()
    assert 'run="one"' not in generate_latest(metrics.registry).decode()
