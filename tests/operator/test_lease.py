"""Of two operators one writes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable

import pytest
from tests.operator.machine import eventually, listed, manifest, operating, writes
from tools.kube.controlplane import ControlPlane
from tools.kube.fleet import Fleet

from mobilegym.operator.api import Api
from mobilegym.operator.connect import connect
from mobilegym.operator.errors import Fenced
from mobilegym.operator.kinds import CONFIG_MAP, LEASE, POD, RUN
from mobilegym.operator.lease import Lease

Candidate = Callable[[str], "tuple[Lease, asyncio.Task[None]]"]


@pytest.fixture
async def candidate(admin: Api, namespace: str) -> AsyncIterator[Candidate]:
    tasks = []

    def start(name: str) -> tuple[Lease, asyncio.Task[None]]:
        lease = Lease(admin, namespace, name, seconds=5.0)
        tasks.append(asyncio.create_task(lease.run()))
        return lease, tasks[-1]

    yield start
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


async def holder(admin: Api, namespace: str) -> str:
    return str((await admin.get(LEASE, namespace, "mobilegym-operator"))["spec"]["holderIdentity"])


async def test_one_leads_and_the_other_waits(admin: Api, namespace: str, candidate: Candidate) -> None:
    first, _ = candidate("first")
    await asyncio.wait_for(first.wait(True), 10)
    second, _ = candidate("second")
    for _ in range(3):  # renewals
        version = (await admin.get(LEASE, namespace, "mobilegym-operator"))["metadata"]["resourceVersion"]

        async def renewed(version: str = version) -> bool:
            lease = await admin.get(LEASE, namespace, "mobilegym-operator")
            return bool(lease["metadata"]["resourceVersion"] != version)

        await eventually(renewed, "a renewal")
        assert first.leads
        assert not second.leads


async def test_a_release_lets_the_successor_begin(admin: Api, namespace: str, candidate: Candidate) -> None:
    first, _ = candidate("first")
    await asyncio.wait_for(first.wait(True), 10)
    second, _ = candidate("second")
    await first.release()
    assert not first.leads
    await asyncio.wait_for(second.wait(True), 10)
    assert await holder(admin, namespace) == "second"
    assert not first.leads


async def test_a_holder_that_is_silent_stops_before_the_next_begins(
    admin: Api, namespace: str, candidate: Candidate
) -> None:
    first, task = candidate("first")
    await asyncio.wait_for(first.wait(True), 10)
    second, _ = candidate("second")
    task.cancel()
    await asyncio.wait_for(second.wait(True), 20)
    assert not first.leads
    lease = await admin.get(LEASE, namespace, "mobilegym-operator")
    assert lease["spec"]["holderIdentity"] == "second"
    assert lease["spec"]["leaseTransitions"] == 2


async def test_who_does_not_lead_sends_no_write(served: ControlPlane, namespace: str) -> None:
    leads = True
    api = Api(await connect(), writes=5, fence=lambda: leads)
    config = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "c", "namespace": namespace}}
    try:
        await api.apply(config)
        leads = False
        with pytest.raises(Fenced):
            await api.apply(config | {"data": {"late": "yes"}})
        assert "data" not in await api.get(CONFIG_MAP, namespace, "c")
    finally:
        await api.close()


async def test_of_two_operators_one_writes_and_the_other_takes_over(
    served: ControlPlane, namespace: str, admin: Api, fake_nodes: Fleet
) -> None:
    async with operating(served, namespace) as first:
        await asyncio.wait_for(first.lease.wait(True), 20)
        async with operating(served, namespace) as second:
            await admin.create(RUN, namespace, manifest(namespace, "one", workers={"replicas": 3}))
            await eventually(lambda: len(second.children.pods) == 3, "the second one sees three workers")
            assert writes(first, "Pod", "create") == 3
            assert writes(second) == 0
            await first.release()
            await eventually(lambda: second.lease.leads, "the second one leads")
            before = writes(first)
            await admin.scale(namespace, "one", 4)
            await eventually(lambda: len(second.children.pods) == 4, "the fourth worker")
            assert writes(second, "Pod", "create") == 1
            assert writes(first) == before
    assert len(await listed(admin, POD, namespace)) == 4


async def test_a_leader_that_loses_the_lease_again_and_again_still_finishes_its_work(
    served: ControlPlane, namespace: str, admin: Api, fake_nodes: Fleet
) -> None:
    async with operating(served, namespace, numbers_seconds=0.2, resync_seconds=0.5, lease_seconds=3.0) as operator:
        for number in range(12):
            await admin.create(RUN, namespace, manifest(namespace, f"run-{number}", workers={"replicas": 3}))
            operator.lease._until = float("-inf")
            async with operator.lease.changed:
                operator.lease.changed.notify_all()
            await eventually(lambda: operator.lease.leads, "it leads again")
        await eventually(lambda: len(operator.children.pods) == 36, "all workers of all runs")
