"""The cluster of `make cluster`: control plane, one node of processes, the chart."""

from __future__ import annotations

import fcntl
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from tools.kube.backoff import Backoff
from tools.kube.binaries import REPOSITORY
from tools.kube.controlplane import ControlPlane
from tools.kube.fleet import Fleet
from tools.kube.node import Node, cpu_node, gpu_node
from tools.kube.process import ProcessExecutor

NAMESPACE = RELEASE = "mobilegym"
CHART = REPOSITORY / "charts" / "mobilegym"
VALUES = Path(__file__).with_name("values.yaml")
READY_SECONDS = 180  # for the operator and Redis; slow machines compile Python the first time

Say = Callable[[str], None]


class Busy(Exception):
    """Another cluster runs in the folder."""


@dataclass(frozen=True, kw_only=True)
class Options:
    folder: Path
    chart: bool = True
    values: Path = VALUES
    gpus: int = 0  # of a second node; 0: no such node

    def nodes(self) -> list[Node]:
        return [cpu_node()] + ([gpu_node(gpus=self.gpus)] if self.gpus else [])


@contextmanager
def local_cluster(options: Options, say: Say) -> Iterator[ControlPlane]:
    """Empties the folder, starts everything, stops it in the end. Raises Busy, binaries.Missing, CommandError."""
    with ExitStack() as stack:
        stack.enter_context(_alone(options.folder))
        began = time.monotonic()
        plane = ControlPlane(options.folder)
        stack.callback(plane.stop)
        plane.start()
        say(f"control plane ready after {time.monotonic() - began:.0f} s")
        fleet = Fleet(plane, ProcessExecutor(options.folder / "node"), options.nodes(), backoff=Backoff(first=2.0))
        stack.enter_context(fleet)
        say(f"nodes: {', '.join(fleet.kubelets)}")
        if options.chart:
            _install(plane, options.values, say)
        say(f"ready after {time.monotonic() - began:.0f} s")
        yield plane


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    folder.parent.mkdir(parents=True, exist_ok=True)
    with folder.with_suffix(".lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise Busy(f"a cluster runs in {folder} already: stop it, or give another --folder") from None
        shutil.rmtree(folder, ignore_errors=True)
        yield


def _install(plane: ControlPlane, values: Path, say: Say) -> None:
    plane.helm("install", RELEASE, str(CHART), "-n", NAMESPACE, "--create-namespace", "-f", str(values))
    say("chart installed; waiting for Redis and the operator")
    for workload in (f"statefulset/{RELEASE}-redis", f"deployment/{RELEASE}-operator"):
        wait = ("rollout", "status", workload, "-n", NAMESPACE, f"--timeout={READY_SECONDS}s")
        plane.kubectl(*wait, timeout=READY_SECONDS + 10)
