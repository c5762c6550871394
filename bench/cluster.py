"""A run on a cluster: how soon it starts, and how soon it is over a fault.

    python -m bench.cluster

Executor: the process kubelet on one machine (tools/kube): a real control plane and real processes, without images to
pull and without a network between machines. Run and faults are those of tests/cluster.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from tests.chart.release import Release
from tests.cluster import faults
from tests.cluster.realrun import RealRun, manifest
from tools.kube.controlplane import ControlPlane
from tools.kube.local import NAMESPACE, RELEASE, VALUES, Options, local_cluster

from bench.figure import Figure

EXECUTOR = "process kubelet on one machine"
REPEATS = 3
STEPS = 200  # more than are taken: the run is ended
FAULTS: tuple[tuple[str, str, Callable[[RealRun], float]], ...] = (
    ("worker ready again after SIGKILL", "its browser and phones open again", faults.kill_worker),
    ("learner ready again after SIGKILL", "5 s of backoff among them", faults.kill_learner_in_a_step),
    ("learner ready again after an eviction", "its checkpoint among them", faults.evict_learner),
    ("an episode more after Redis is back", "killed, its append-only file read", faults.kill_redis),
    ("another operator leads", "its pod was killed; a Lease lasts 15 s", faults.replace_operator),
)


def say(text: str) -> None:
    print(f"cluster: {text}", file=sys.stderr, flush=True)


def tell(name: str, values: list[float], note: str) -> None:
    Figure.of(name, "s", values, f"{EXECUTOR}; {note}").say()


def installed(plane: ControlPlane) -> Release:
    plane.kubectl("create", "namespace", NAMESPACE)
    release, began = Release(cluster=plane, namespace=NAMESPACE, name=RELEASE), time.monotonic()
    release.install("-f", str(VALUES), "--wait", "--timeout", "110s")
    tell("helm install until ready", [time.monotonic() - began], "operator and Redis")
    return release


def started(plane: ControlPlane, release: Release) -> RealRun:
    run, began = RealRun(plane, release, manifest("bench", STEPS)), time.monotonic()
    run.apply()
    run.wait(lambda: run.phase == "Running", "it runs")
    running = time.monotonic() - began
    run.wait(run.steps, "the first step")
    tell("kubectl apply until Running", [running], "the first policy is published")
    tell("kubectl apply until the first step", [time.monotonic() - began], "an evaluation of 8 episodes among them")
    return run


def repeated(run: RealRun, fault: Callable[[RealRun], float]) -> list[float]:
    found = []
    for _ in range(REPEATS):
        found.append(fault(run))
        run.wait_step()
    return found


def main() -> None:
    with (
        tempfile.TemporaryDirectory() as folder,
        local_cluster(Options(folder=Path(folder) / "cluster", chart=False), say) as plane,
    ):
        run = started(plane, installed(plane))
        for name, note, fault in FAULTS:
            tell(name, repeated(run, fault), note)


if __name__ == "__main__":
    main()
