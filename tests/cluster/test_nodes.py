"""Nodes that are drained, removed and lost."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from tests.cluster.conftest import NewOperator
from tests.cluster.podlog import logged
from tests.cluster.runs import is_ready, make, pods_of, wait_workers
from tests.kube_fixtures import QUICK
from tests.operator.machine import eventually, serve_crd
from tools.kube.cluster import Cluster
from tools.kube.controlplane import ControlPlane
from tools.kube.fake import FakeExecutor
from tools.kube.fleet import Fleet
from tools.kube.node import cpu_node
from tools.kube.operators import Operator

from mobilegym.operator.api import Api, Object
from mobilegym.operator.connect import connect
from mobilegym.operator.kinds import BUDGET, RUN
from mobilegym.operator.resources.pod import SILENT_SECONDS

FIRST, SECOND = "first-0", "second-0"
NODE_GRACE = 8  # seconds until a silent node is told, instead of 50
DRAIN = 2  # seconds that a worker is given, beside 15 for its end


@pytest.fixture
def two_nodes(cluster: ControlPlane) -> Iterator[Fleet]:
    """Only the first one, until the second is uncordoned: all pods land on it."""
    serve_crd(cluster)
    cluster.controllers.stop()  # what counts for a budget notices a new CRD only after half a minute, or at its start
    cluster.controllers.start()
    with two(cluster) as fleet:
        yield fleet


@contextlib.contextmanager
def two(plane: ControlPlane) -> Iterator[Fleet]:
    with Fleet(plane, FakeExecutor(term=75), [cpu_node(FIRST), cpu_node(SECOND)], backoff=QUICK, resync=2.0) as fleet:
        plane.kubectl("cordon", SECOND)
        yield fleet


async def on_first(admin: Api, namespace: str, workers: int = 4) -> dict[str, Object]:
    drain = {"replicas": workers, "drainSeconds": DRAIN}
    await make(admin, namespace, workers=drain)
    pods = await wait_workers(admin, namespace, workers)
    assert {node_of(pod) for pod in pods.values()} == {FIRST}
    return pods


def node_of(pod: Object) -> str:
    return str(pod["spec"].get("nodeName", ""))


async def wait_elsewhere(admin: Api, namespace: str, workers: int, seconds: float) -> dict[str, Object]:
    """So many workers and a learner, ready, on the second node; whatever else there may be."""

    async def look() -> dict[str, Object] | None:
        pods = {
            name: p for name, p in (await pods_of(admin, namespace)).items() if node_of(p) == SECOND and is_ready(p)
        }
        return pods if len(pods) == workers + 1 else None

    found: dict[str, Object] = await eventually(look, f"{workers} workers and the learner elsewhere", seconds)
    return found


async def failures(admin: Api, namespace: str) -> int:
    return int((await admin.get(RUN, namespace, "one"))["status"]["learner"]["failures"])


async def test_a_drain_takes_few_workers_at_a_time_and_counts_as_no_failure(
    served: ControlPlane, namespace: str, admin: Api, two_nodes: Fleet, new_operator: NewOperator
) -> None:
    new_operator().start().wait_leads()
    before = await on_first(admin, namespace)
    served.kubectl("uncordon", SECOND)
    await eventually(lambda: budgeted(admin, namespace), "the workers to be counted")
    async with logged(admin, namespace) as log:
        await eventually(lambda: log.least == 4, "the log to begin")
        await asyncio.to_thread(drain, served)
        after = await wait_elsewhere(admin, namespace, 4, 30)
        assert log.least == 3
    assert not {uid_of(pod) for pod in before.values()} & {uid_of(pod) for pod in after.values()}
    assert await failures(admin, namespace) == 0
    served.kubectl("uncordon", FIRST)


async def budgeted(admin: Api, namespace: str) -> bool:
    budget = await admin.get(BUDGET, namespace, "one-workers")
    status = budget.get("status", {})
    return bool(status.get("expectedPods") == 4 and status.get("disruptionsAllowed") == 1)


def drain(cluster: Cluster) -> None:
    cluster.kubectl("drain", FIRST, "--delete-emptydir-data", "--force", "--timeout=60s", timeout=90)


def uid_of(pod: Object) -> str:
    return str(pod["metadata"]["uid"])


@pytest.fixture
async def impatient(
    tmp_path: Path, redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[tuple[ControlPlane, Api]]:
    """A control plane of the test's own that soon notices a silent node, with an operator of the namespace default."""
    plane = ControlPlane(tmp_path / "kube", node_grace=NODE_GRACE)
    operator = None
    try:
        plane.start()
        serve_crd(plane)
        monkeypatch.setenv("KUBECONFIG", str(plane.kubeconfig))
        api = Api(await connect(), writes=10)
        operator = Operator(plane, tmp_path, namespace="default", redis_url=redis_url, identity="one").start()
        await asyncio.to_thread(operator.wait_leads)
        yield plane, api
        await api.close()
    finally:
        if operator is not None:
            operator.end()
            print(operator.log.read_text())
        plane.stop()


@pytest.mark.slow
async def test_a_silent_node_is_given_up_after_a_minute(impatient: tuple[ControlPlane, Api]) -> None:
    plane, api = impatient
    with two(plane) as fleet:
        before = await on_first(api, "default")
        plane.kubectl("uncordon", SECOND)
        await asyncio.to_thread(fleet.lose, FIRST)

        async def told() -> bool:
            pods = await pods_of(api, "default")
            return all("deletionTimestamp" in pods[name]["metadata"] for name in before)

        await eventually(told, "the pods of the silent node to be given up", NODE_GRACE + 20 + SILENT_SECONDS)
        # the learner's own grace of 90 s must be over, and then its kubelet has half a minute to report
        await wait_elsewhere(api, "default", 4, 90 + 30 + 30)
        assert await failures(api, "default") == 0


@pytest.mark.slow
async def test_pods_of_a_removed_node_are_made_anew(impatient: tuple[ControlPlane, Api]) -> None:
    plane, api = impatient
    with two(plane) as fleet:
        await on_first(api, "default")
        plane.kubectl("uncordon", SECOND)
        await asyncio.to_thread(fleet.lose, FIRST)
        plane.kubectl("delete", "node", FIRST)
        await wait_elsewhere(api, "default", 4, 100)
        assert await failures(api, "default") == 0
