"""A fresh operator over runs in every state has nothing to do."""

from __future__ import annotations

import asyncio
import time

from tests.cluster.conftest import NewOperator
from tests.cluster.runs import Holds, condition, edit, make, objects_of, phase, throughout, wait_run
from tools.kube.controlplane import ControlPlane
from tools.kube.fake import FakeExecutor
from tools.kube.fleet import Fleet

from mobilegym.operator.api import Api
from mobilegym.operator.runs import Run, stream_of
from mobilegym.protocol.messages import Heartbeat
from mobilegym.protocol.streams import RedisStreams

QUIET_SECONDS = 6.0  # longer than the operator takes between two looks into Redis

STATES: dict[str, Holds] = {
    "trains": lambda run: phase(run) == "Running" and run["status"]["step"] == 5 and run["status"]["workers"]["busy"],
    "waits": lambda run: condition(run, "WorkersReady")[1] == "Unschedulable",
    "rests": lambda run: phase(run) == "Suspended",
    "done": lambda run: phase(run) == "Succeeded" and run["status"]["workers"]["replicas"] == 0,
    "without-redis": lambda run: condition(run, "StreamReady")[1] == "RedisSecretMissing",
}


async def beat(url: str, run: Run, detail: dict[str, object]) -> None:
    """As the learner and one of two workers tell of themselves."""
    name, now = run["metadata"]["name"], time.time()
    async with RedisStreams(url, stream_of(run)) as streams:
        await streams.beat(Heartbeat(who="learner", role="learner", at=now, detail=detail))
        await streams.beat(Heartbeat(who=f"{name}-worker-0", role="worker", at=now, detail={"busy": 2}), ttl=300)


async def test_nothing_is_written(
    served: ControlPlane, namespace: str, admin: Api, fake_nodes: Fleet, new_operator: NewOperator, redis_url: str
) -> None:
    operator = new_operator("before").start().wait_leads()
    trains = await make(admin, namespace, "trains", workers={"replicas": 2})
    await make(admin, namespace, "waits", workers={"placement": {"nodeSelector": {"no": "such"}}})
    await make(admin, namespace, "rests", suspend=True)
    await make(admin, namespace, "done")
    await make(admin, namespace, "without-redis", stream={"redisSecret": {"name": "none"}})
    await beat(redis_url, trains, {"phase": "training", "step": 5, "version": 5, "success": 0.25, "reward": 0.5})
    await wait_run(admin, namespace, "done", lambda run: phase(run) == "Running", "running")
    assert isinstance(fake_nodes.executor, FakeExecutor)
    fake_nodes.executor.finish(namespace, "done-learner", 0)
    for name, holds in STATES.items():
        await wait_run(admin, namespace, name, holds, f"its state {name}")
    await _quiet(admin, namespace)
    assert operator.stop() == 0
    before = await objects_of(admin, namespace)
    assert len(before) > 30

    operator = new_operator("after").start().wait_leads()
    await throughout(QUIET_SECONDS, lambda: operator.writes() == 0, "it writes nothing")
    assert operator.reconciles() >= len(STATES)
    assert await objects_of(admin, namespace) == before
    assert operator.health == "ok"

    await edit(admin, namespace, "rests", suspend=False)  # and yet it is awake
    await wait_run(admin, namespace, "rests", lambda run: phase(run) == "Running", "running")


async def _quiet(admin: Api, namespace: str) -> None:
    """Until nothing has changed for a while: statuses are held back for some seconds."""
    async with asyncio.timeout(60):
        seen, since = await objects_of(admin, namespace), time.monotonic()
        while time.monotonic() - since < 12:
            await asyncio.sleep(0.5)
            now = await objects_of(admin, namespace)
            if now != seen:
                seen, since = now, time.monotonic()
