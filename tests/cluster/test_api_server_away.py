"""The API server is killed and stays away."""

from __future__ import annotations

import asyncio

import pytest
from tests.cluster.conftest import NewOperator
from tests.cluster.podlog import logged
from tests.cluster.runs import edit, make, throughout, uids_of, wait_workers
from tests.operator.machine import eventually
from tools.kube.controlplane import ControlPlane
from tools.kube.fleet import Fleet

from mobilegym.operator.api import Api

AFTER_SECONDS = 15.0  # in which the operator acts again; it takes less than 10 on a calm machine
SCHEDULED_SECONDS = 150.0  # until its pod is ready: the scheduler's own watches back off for up to a minute


@pytest.mark.parametrize("away", [10, pytest.param(30, marks=pytest.mark.slow)])
async def test_no_pod_is_touched_and_the_operator_acts_soon_after(
    served: ControlPlane, namespace: str, admin: Api, fake_nodes: Fleet, new_operator: NewOperator, away: int
) -> None:
    operator = new_operator().start().wait_leads()
    await make(admin, namespace, workers={"replicas": 2})
    await wait_workers(admin, namespace, 2)
    async with logged(admin, namespace) as log:
        before = await uids_of(admin, namespace)
        served.apiserver.kill()
        try:
            await throughout(away, lambda: operator.alive and operator.health == "ok", "the operator stays healthy")
        finally:
            served.apiserver.start()
            await asyncio.to_thread(served.wait_ready)
        await edit(admin, namespace, workers={"replicas": 3})
        after = await eventually(lambda: _four(admin, namespace), "a third worker beside the learner", AFTER_SECONDS)
        await wait_workers(admin, namespace, 3, SCHEDULED_SECONDS)
        assert log.names() == sorted(after)
    assert before.items() <= after.items()
    assert operator.reconciles("error") == 0


async def _four(admin: Api, namespace: str) -> dict[str, str] | None:
    uids = await uids_of(admin, namespace)
    return uids if len(uids) == 4 else None
