"""What the API server refuses: it is told, and not asked without end."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from tests.operator.machine import eventually, listed, manifest, operating, reconciles, refused, worker
from tools.kube.controlplane import ControlPlane
from tools.kube.fleet import Fleet

from mobilegym.operator import facts
from mobilegym.operator.api import Api
from mobilegym.operator.connect import connect
from mobilegym.operator.creation import create_pods
from mobilegym.operator.errors import Refused
from mobilegym.operator.kinds import POD, RUN, Kind
from mobilegym.operator.observed import Observed, Pod
from mobilegym.operator.refusals import Refusals
from mobilegym.operator.store import Key, Store

QUOTA = Kind("ResourceQuota", "v1", "resourcequotas")


def quota(pods: int) -> dict[str, Any]:
    return {
        "apiVersion": "v1",
        "kind": "ResourceQuota",
        "metadata": {"name": "q"},
        "spec": {"hard": {"pods": str(pods)}},
    }


async def limit_pods(admin: Api, namespace: str, pods: int) -> None:
    await admin.create(QUOTA, namespace, quota(pods))

    async def counted() -> bool:
        return bool((await admin.get(QUOTA, namespace, "q")).get("status", {}).get("used"))

    await eventually(counted, "the quota is in force")


async def test_a_used_up_quota_is_told_and_not_hammered(
    served: ControlPlane, namespace: str, admin: Api, fake_nodes: Fleet
) -> None:
    await limit_pods(admin, namespace, 2)
    async with operating(served, namespace, resync_seconds=0.5) as operator:
        await admin.create(RUN, namespace, manifest(namespace, "big", workers={"replicas": 40}))
        key = Key(namespace, "big")

        def status() -> dict[str, Any]:
            return dict((operator.runs.get(key) or {}).get("status") or {})

        await eventually(lambda: status().get("phase") == "Pending", "the refusal is in the status")
        await eventually(lambda: reconciles(operator) > 12, "the run was looked at many times")
        assert len(await listed(admin, POD, namespace)) == 2
        assert refused(operator, "Pod") <= 8, "at most one small batch a back-off"
        await admin.merge(QUOTA, namespace, "q", {"spec": {"hard": {"pods": "100"}}})
        await eventually(lambda: status().get("phase") == "Running", "the rest is made once there is room", 90)
        assert len(await listed(admin, POD, namespace)) == 40


async def test_creation_starts_slowly_and_stops_at_the_first_refusal(
    served: ControlPlane, namespace: str, admin: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    await limit_pods(admin, namespace, 5)
    run = await admin.create(RUN, namespace, manifest(namespace, "big"))
    wanted = [worker(Observed(run=run), index) for index in range(30)]
    asked, most, at_once = 0, 0, 0
    create = Api.create

    async def counted(self: Api, kind: Kind, where: str, body: dict[str, Any]) -> dict[str, Any]:
        nonlocal asked, most, at_once
        asked, at_once = asked + 1, at_once + 1
        most = max(most, at_once)
        try:
            return await create(self, kind, where, body)
        finally:
            at_once -= 1

    monkeypatch.setattr(Api, "create", counted)
    api = Api(await connect(), writes=30)
    try:
        with pytest.raises(Refused) as refusal:
            await create_pods(api, Key(namespace, "big"), wanted, Store(facts.pod))
    finally:
        await api.close()
    assert refusal.value.quota
    assert asked == 1 + 2 + 4
    assert most <= 4


async def test_a_pod_that_no_run_owns_is_named(served: ControlPlane, namespace: str, admin: Api) -> None:
    run = await admin.create(RUN, namespace, manifest(namespace, "one"))
    wanted = worker(Observed(run=run), 0)
    stranger = {**wanted, "metadata": {"name": wanted["metadata"]["name"]}}
    await admin.create(POD, namespace, stranger)
    with pytest.raises(Refused, match="that no run owns: delete it"):
        await create_pods(admin, Key(namespace, "one"), [wanted], Store(facts.pod))


async def test_a_pod_that_is_there_already_is_taken_over(served: ControlPlane, namespace: str, admin: Api) -> None:
    run = await admin.create(RUN, namespace, manifest(namespace, "one"))
    wanted = worker(Observed(run=run), 0)
    await admin.create(POD, namespace, wanted)
    store: Store[Pod] = Store(facts.pod)
    assert await create_pods(admin, Key(namespace, "one"), [wanted], store) == 0
    assert [pod.name for pod in store.of(Key(namespace, "one"), run["metadata"]["uid"])] == ["one-worker-0"]


def test_a_refusal_waits_longer_each_time_and_a_new_manifest_tries_at_once() -> None:
    now = 100.0
    refusals = Refusals(clock=lambda: now, jitter=lambda: 0.0)
    key, error = Key("lab", "run"), Refused("Pod/x", "Forbidden", "exceeded quota: q")
    assert refusals.refused(key, "pods", "Pod/x", error, 1)
    assert refusals.wait(key, "pods", 1) == 1.0
    assert not refusals.refused(key, "pods", "Pod/x", error, 1)
    assert refusals.wait(key, "pods", 1) == 2.0
    assert refusals.wait(key, "ConfigMap/x", 1) == 0.0
    assert refusals.wait(key, "pods", 2) == 0.0
    last = refusals.last(key)
    assert last is not None
    assert (last.quota, last.reason) == (True, "Forbidden")
    refusals.accepted(key, "pods")
    assert refusals.last(key) is None


async def test_all_refusals_at_once_are_awaited(served: ControlPlane, namespace: str, admin: Api) -> None:
    """No creation goes on behind the back of the one that raised."""
    await limit_pods(admin, namespace, 0)
    run = await admin.create(RUN, namespace, manifest(namespace, "one"))
    before = asyncio.all_tasks()
    with pytest.raises(Refused):
        await create_pods(
            admin, Key(namespace, "one"), [worker(Observed(run=run), n) for n in range(9)], Store(facts.pod)
        )
    assert asyncio.all_tasks() == before
