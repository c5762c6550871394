"""The operator's machinery on a real API server."""

from __future__ import annotations

from tests.operator.machine import eventually, listed, manifest, operating, reconciles, writes
from tools.kube.controlplane import ControlPlane
from tools.kube.fleet import Fleet

from mobilegym.operator.api import Api
from mobilegym.operator.kinds import CONFIG_MAP, POD, RUN
from mobilegym.operator.runs import Run
from mobilegym.operator.store import Key


def ready_workers(run: Run) -> int | None:
    found: int | None = ((run.get("status") or {}).get("workers") or {}).get("ready")
    return found


async def test_a_run_gets_its_objects_and_a_status(
    served: ControlPlane, namespace: str, admin: Api, fake_nodes: Fleet
) -> None:
    async with operating(served, namespace) as operator:
        await admin.create(RUN, namespace, manifest(namespace, "one", workers={"replicas": 3}))

        async def ready() -> bool:
            return ready_workers(await admin.get(RUN, namespace, "one")) == 3

        await eventually(ready, "three ready workers in the status")
        assert sorted(p["metadata"]["name"] for p in await listed(admin, POD, namespace)) == [
            "one-worker-0",
            "one-worker-1",
            "one-worker-2",
        ]
        assert len(await listed(admin, CONFIG_MAP, namespace)) == 1
        run = await admin.get(RUN, namespace, "one")
        assert "finalizers" not in run["metadata"]
        assert "annotations" not in run["metadata"]
        assert writes(operator, "Pod", "create") == 3


async def test_a_pod_deleted_by_hand_comes_back(
    served: ControlPlane, namespace: str, admin: Api, fake_nodes: Fleet
) -> None:
    async with operating(served, namespace):
        await admin.create(RUN, namespace, manifest(namespace, "one"))
        first = await eventually(lambda: listed(admin, POD, namespace), "a worker")
        uid = first[0]["metadata"]["uid"]
        await admin.delete(POD, namespace, "one-worker-0", uid=uid)

        async def successor() -> bool:
            return any(pod["metadata"]["uid"] != uid for pod in await listed(admin, POD, namespace))

        await eventually(successor, "another worker of the same name")


async def test_a_restart_writes_nothing(served: ControlPlane, namespace: str, admin: Api, fake_nodes: Fleet) -> None:
    async with operating(served, namespace) as operator:
        for number in range(4):
            await admin.create(RUN, namespace, manifest(namespace, f"run-{number}", workers={"replicas": 2}))
        await eventually(lambda: [ready_workers(run) for run in operator.runs] == [2, 2, 2, 2], "all workers ready")
    before = {pod["metadata"]["name"]: pod["metadata"]["uid"] for pod in await listed(admin, POD, namespace)}
    async with operating(served, namespace, resync_seconds=1.0) as successor:
        await eventually(lambda: reconciles(successor) >= 8, "every run was looked at twice")
        assert writes(successor) == 0
    assert before == {pod["metadata"]["name"]: pod["metadata"]["uid"] for pod in await listed(admin, POD, namespace)}


async def test_what_is_deleted_with_its_run_is_forgotten(
    served: ControlPlane, namespace: str, admin: Api, fake_nodes: Fleet
) -> None:
    async with operating(served, namespace) as operator:
        made = await admin.create(RUN, namespace, manifest(namespace, "one", workers={"replicas": 2}))
        key, uid = Key(namespace, "one"), made["metadata"]["uid"]
        await eventually(lambda: len(operator.children.pods.of(key, uid)) == 2, "two workers")
        await admin.delete(RUN, namespace, "one", uid=uid)
        again = await admin.create(RUN, namespace, manifest(namespace, "one", workers={"replicas": 1}))
        successor = again["metadata"]["uid"]
        pods = operator.children.pods
        await eventually(lambda: len(pods.of(key, successor)) == 1 and not pods.of(key, uid), "the successor's worker")
        assert len(operator.runs) == 1
