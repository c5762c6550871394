"""What the runs' watch has missed is found by counting."""

from __future__ import annotations

from tests.operator.machine import eventually, listed, manifest, operating
from tools.kube.controlplane import ControlPlane
from tools.kube.fleet import Fleet

from mobilegym.operator.api import Api
from mobilegym.operator.controller import MISSED_COUNTS
from mobilegym.operator.kinds import POD, RUN
from mobilegym.operator.runs import stream_of


async def test_a_deaf_operator_still_finds_new_and_deleted_runs_and_says_that_it_is_ill(
    served: ControlPlane, namespace: str, admin: Api, fake_nodes: Fleet
) -> None:
    async with operating(served, namespace, kopf=False, resync_seconds=3600) as operator:
        await eventually(lambda: operator.synced, "the first lists")
        operator.census.patience = 1e9
        made = await admin.create(RUN, namespace, manifest(namespace, "one"))
        assert await operator.census.count() == {stream_of(made)}
        assert len(operator.runs) == 0, "the watch may yet bring it"
        operator.census.patience = 0.0
        await operator.census.count()
        assert len(operator.runs) == 1
        await eventually(lambda: listed(admin, POD, namespace), "a worker")
        assert operator.ailment() == ""
        operator.census.missed = MISSED_COUNTS
        assert operator.ailment() == "the watch of runs has missed changes"
        operator.event("MODIFIED", await admin.get(RUN, namespace, "one"))
        assert operator.ailment() == "", "it is heard again"
        await admin.delete(RUN, namespace, "one", uid=made["metadata"]["uid"])
        await operator.census.count()
        assert len(operator.runs) == 0


async def test_changes_that_the_watch_brings_in_time_are_not_missed(
    served: ControlPlane, namespace: str, admin: Api, fake_nodes: Fleet
) -> None:
    async with operating(served, namespace) as operator:
        await admin.create(RUN, namespace, manifest(namespace, "one"))
        for replicas in range(2, 6):
            await admin.scale(namespace, "one", replicas)
            await operator.census.count()
        assert operator.census.missed == 0
