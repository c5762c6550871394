"""A run that is edited faster than its pods follow."""

from __future__ import annotations

import asyncio

import pytest
from tests.cluster.conftest import NewOperator
from tests.cluster.podlog import logged
from tests.cluster.runs import (
    Holds,
    condition,
    edit,
    is_up,
    make,
    objects_of,
    phase,
    pods_of,
    throughout,
    wait_run,
    wait_workers,
)
from tools.kube.controlplane import ControlPlane
from tools.kube.fleet import Fleet

from mobilegym.operator import names
from mobilegym.operator.api import Api
from mobilegym.operator.kinds import CONFIG_MAP
from mobilegym.operator.store import hash_of


async def test_scaling_up_and_down_with_a_new_manifest_in_between(
    served: ControlPlane, namespace: str, admin: Api, fake_nodes: Fleet, new_operator: NewOperator
) -> None:
    operator = new_operator().start().wait_leads()
    await make(admin, namespace, workers={"replicas": 2})
    first = await wait_workers(admin, namespace, 2)
    old = {part_of(pod): hash_of(pod) for pod in first.values()}
    async with logged(admin, namespace) as log:
        await edit(admin, namespace, workers={"replicas": 6})
        await edit(admin, namespace, algorithm={"totalSteps": 77})
        await edit(admin, namespace, workers={"replicas": 3})
        await wait_run(admin, namespace, "one", is_up, "up")
        pods = await wait_workers(admin, namespace, 3)
        assert all(hash_of(pod) != old[part_of(pod)] for pod in pods.values())
        assert len({hash_of(pod) for pod in pods.values() if part_of(pod) == names.WORKER}) == 1
        assert log.most[names.WORKER] <= 6
        assert log.most[names.LEARNER] == 1
    config = await admin.get(CONFIG_MAP, namespace, names.config_name("one"))
    assert "totalSteps: 77" in config["data"]["run.yaml"]
    assert operator.reconciles("error") == 0


def suspended(run: dict[str, object]) -> bool:
    return phase(run) == "Suspended" and condition(run, "Suspended")[0] == "True"


@pytest.mark.parametrize(("last", "holds"), [(True, suspended), (False, is_up)], ids=["suspended", "resumed"])
async def test_suspending_and_resuming_ten_times_quickly(
    served: ControlPlane,
    namespace: str,
    admin: Api,
    fake_nodes: Fleet,
    new_operator: NewOperator,
    last: bool,
    holds: Holds,
) -> None:
    operator = new_operator().start().wait_leads()
    await make(admin, namespace, workers={"replicas": 3})
    await wait_workers(admin, namespace, 3)
    async with logged(admin, namespace) as log:
        for turn in range(10):
            await edit(admin, namespace, suspend=bool(turn % 2) is last)
            await asyncio.sleep(0.05 * turn)  # from faster than the operator looks to slower
        run = await wait_run(admin, namespace, "one", holds, "its last state")
        assert log.most[names.WORKER] <= 3
        assert log.most[names.LEARNER] <= 1
        made = len(log.made)
        if last:
            assert await pods_of(admin, namespace) == {}
        else:
            assert sorted(await wait_workers(admin, namespace, 3)) == sorted(await pods_of(admin, namespace))
        await throughout(3.0, lambda: len(log.made) == made, "no pod comes after it")
    assert run["status"]["learner"]["failures"] == 0
    assert condition(run, "Failed")[0] == "False"
    assert operator.reconciles("error") == 0
    assert {kind for kind, _ in await objects_of(admin, namespace)} >= {"ConfigMap", "Secret", "Service"}


def part_of(pod: dict[str, dict[str, dict[str, str]]]) -> str:
    return pod["metadata"]["labels"][names.PART]
