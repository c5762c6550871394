"""The whole way on a cluster: helm install, kubectl apply, phones, learner, what kubectl and Prometheus say of it."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.chart.release import RESTRICTED, Release
from tests.cluster.scraper import targets
from tests.conftest import missing
from tools.dashboards import check
from tools.dashboards.live import Window, now
from tools.dashboards.prometheus import Prometheus
from tools.kube.controlplane import ControlPlane
from tools.kube.wait import until

REPO = Path(__file__).parents[2]
RULES = REPO / "charts/mobilegym/files/rules/mobilegym.yaml"
SHORT_RUN = """
apiVersion: mobilegym.io/v1alpha1
kind: MobileGymRun
metadata: {name: short}
spec:
  tasks:
    include: [settings.set-switch, settings.set-font-size, clock.set-snooze, notes.sort-notes]
  model: {preset: pocket}
  algorithm:
    totalSteps: 3
    groupSize: 4
    promptsPerStep: 4
    learningRate: "5e-4"
    episodeSteps: 10
    maxTokens: 8
    reward: binary
    trainVision: false
    evalEvery: 0
    evalEpisodes: 8
  workers: {replicas: 2, phonesPerWorker: 3, drainSeconds: 5}
  learner:
    microBatchRows: 64
    checkpoint: {size: 1Gi}
"""

pytestmark = [pytest.mark.usefixtures("process_node"), pytest.mark.timeout(900)]


@pytest.fixture
def release(cluster: ControlPlane, namespace: str) -> Iterator[Release]:
    for name in ("prometheus", "redis-server"):
        if shutil.which(name) is None:
            missing(name)
    cluster.kubectl("label", "namespace", namespace, RESTRICTED)
    found = Release(cluster=cluster, namespace=namespace, name="whole")
    values = ("-f", str(REPO / "tools/kube/values.yaml"), "--set", f"watch.namespace={namespace}")
    found.install(*values, "--wait", "--timeout", "120s")
    try:
        yield found
    finally:
        cluster.kubectl("delete", "mgr", "--all", "-n", namespace, "--ignore-not-found")
        found.uninstall()


def status_of(release: Release, run: str) -> dict[str, Any]:
    found: dict[str, Any] = release.get("mgr", run).get("status", {})
    return found


def told(release: Release, run: str) -> str:
    """For an assertion: what a person would look at next."""
    place = ("-n", release.namespace)
    log = release.cluster.kubectl("logs", f"{run}-learner", *place, "--tail=30")
    return f"{json.dumps(status_of(release, run), indent=1)}\n{log}"


def columns(release: Release, run: str) -> dict[str, str]:
    """What `kubectl get mgr` prints, by heading."""
    head, row = release.cluster.kubectl("get", "mgr", run, "-n", release.namespace).splitlines()
    starts = [head.index(word) for word in head.split()]
    ends = [*starts[1:], len(row) + 1]
    return {head[a:b].strip(): row[a:b].strip() for a, b in zip(starts, ends, strict=True)}


def test_from_helm_install_to_a_run_that_succeeded(release: Release, tmp_path: Path) -> None:
    release.cluster.kubectl("apply", "-n", release.namespace, "-f", "-", input=SHORT_RUN)
    window = Window(namespace=release.namespace, run="short", rate="20s", slow_rate="1m", range="5m")
    without = ["not asked yet"]

    with Prometheus(tmp_path / "prometheus", RULES) as prometheus:

        def seen_to_the_end() -> bool:
            """Panels that had no data at any look; a run at its end has none for some."""
            nonlocal without
            prometheus.scrape(targets(release.get("pods")))
            still = check(prometheus.url, window)
            without = still if without == ["not asked yet"] else [expr for expr in without if expr in still]
            status = status_of(release, "short")
            assert status.get("phase") != "Failed", told(release, "short")
            return status.get("phase") == "Succeeded"

        try:
            until(seen_to_the_end, "the run's success", seconds=600, every=2.0)
        except TimeoutError as error:
            raise AssertionError(told(release, "short")) from error
        steps = now(prometheus.url, 'max_over_time(mobilegym_learner_step{run="short"}[10m])')
        lost = now(prometheus.url, 'max_over_time(mobilegym_stream_lost_ids{run="short"}[10m])')

    status = status_of(release, "short")
    assert (status["step"], status["progressPercentage"], status["policyVersion"]) == (3, 100, 3)
    assert status["stream"]["lost"] == status["stream"]["dead"] == 0
    assert 0 <= float(status["heldOutSuccessRate"]) <= 1
    row = columns(release, "short")
    assert (row["PHASE"], row["STEP"], row["DESIRED"]) == ("Succeeded", "3", "2")
    assert row["SUCCESS"] == status["successRate"]
    assert [value for series in steps for _, value in series.points] == [3.0]
    assert {value for series in lost for _, value in series.points} == {0.0}
    assert without == []


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_the_pocket_run_learns_on_a_cluster(release: Release, record_property: Callable[[str, object], None]) -> None:
    manifest = (REPO / "examples/pocket.yaml").read_text()
    release.cluster.kubectl("apply", "-n", release.namespace, "-f", "-", input=manifest)
    first: list[float] = []

    def done() -> bool:
        status = status_of(release, "pocket")
        assert status.get("phase") != "Failed", told(release, "pocket")
        if status.get("step") == 0 and "heldOutSuccessRate" in status:
            first[:] = [float(status["heldOutSuccessRate"])]
        return status.get("phase") == "Succeeded"

    until(done, "the pocket run's success", seconds=3000, every=5.0)
    last = float(status_of(release, "pocket")["heldOutSuccessRate"])
    record_property("held-out success before", first[0])
    record_property("held-out success after", last)
    assert last > first[0] + 0.05
