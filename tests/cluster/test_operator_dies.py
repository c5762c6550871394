"""The operator dies at every write that it does, and a fresh one goes on."""

from __future__ import annotations

import asyncio
import os
import sys
from asyncio.subprocess import PIPE
from pathlib import Path

import pytest
from tests.cluster.podlog import logged
from tests.cluster.runs import edit, make, objects_of, uids_of, wait_workers
from tools.kube.binaries import REPOSITORY
from tools.kube.controlplane import ControlPlane
from tools.kube.fake import FakeExecutor
from tools.kube.fleet import Fleet
from tools.kube.operators import redis_folder

from mobilegym.operator.api import Api
from mobilegym.operator.kinds import RUN

PODS = ["one-learner", "one-worker-0", "one-worker-1", "one-worker-2"]
OTHERS = {
    ("ConfigMap", "one-run"),
    ("NetworkPolicy", "one-learner"),
    ("NetworkPolicy", "one-workers"),
    ("PodDisruptionBudget", "one-workers"),
    ("Secret", "one-redis"),
    ("Service", "one-engine"),
    ("ServiceAccount", "one-pods"),
    ("MobileGymRun", "one"),
}


async def die_until(goal: str, namespace: str, redis: Path, *more: str) -> int:
    """How many lives it took besides the last."""
    command = (sys.executable, "-m", "tests.cluster.dying", namespace, str(redis), goal, *more)
    process = await asyncio.create_subprocess_exec(*command, cwd=REPOSITORY, env=os.environ, stdout=PIPE, stderr=PIPE)
    said, words = await process.communicate()
    assert process.returncode == 0, words.decode()
    return int(said)


# Writes that are on their way when one dies may still arrive: how many deaths it takes is not fixed.
@pytest.mark.parametrize(("more", "least"), [((), 4), (("--growing",), 2)], ids=["at each write", "later each time"])
async def test_a_run_comes_up_once(
    served: ControlPlane,
    namespace: str,
    admin: Api,
    fake_nodes: Fleet,
    redis_url: str,
    tmp_path: Path,
    more: tuple[str, ...],
    least: int,
) -> None:
    async with logged(admin, namespace) as log:
        await make(admin, namespace, workers={"replicas": 3})
        deaths = await die_until("up", namespace, redis_folder(tmp_path, redis_url), *more)
        assert deaths >= least
        assert {key for key in await objects_of(admin, namespace) if key[0] != "Pod"} == OTHERS
        assert sorted(await uids_of(admin, namespace)) == PODS
        assert log.names() == PODS
    run = await admin.get(RUN, namespace, "one")
    assert run["status"]["learner"]["failures"] == 0


async def test_a_failure_of_the_learner_is_counted_once(
    served: ControlPlane, namespace: str, admin: Api, fake_nodes: Fleet, redis_url: str, tmp_path: Path
) -> None:
    redis = redis_folder(tmp_path, redis_url)
    await make(admin, namespace, workers={"replicas": 3})
    async with logged(admin, namespace) as log:
        await die_until("up", namespace, redis, "--growing")
        assert isinstance(fake_nodes.executor, FakeExecutor)
        fake_nodes.executor.finish(namespace, "one-learner", 1)
        await die_until("failed-once", namespace, redis)
        await wait_workers(admin, namespace, 3)
        assert log.names() == sorted([*PODS, "one-learner"])
    run = await admin.get(RUN, namespace, "one")
    assert run["status"]["learner"]["failures"] == 1


async def test_a_suspension_is_finished(
    served: ControlPlane, namespace: str, admin: Api, fake_nodes: Fleet, redis_url: str, tmp_path: Path
) -> None:
    redis = redis_folder(tmp_path, redis_url)
    await make(admin, namespace, workers={"replicas": 3})
    async with logged(admin, namespace) as log:
        await die_until("up", namespace, redis, "--growing")
        await edit(admin, namespace, suspend=True)
        await die_until("suspended", namespace, redis)
        assert log.names() == PODS
    assert await uids_of(admin, namespace) == {}
