"""The operator's machinery on a real API server."""

from __future__ import annotations

import asyncio

from redis.asyncio import Redis
from tests.operator.machine import eventually, listed, manifest, operating, reconciles, writes
from tools.kube.controlplane import ControlPlane
from tools.kube.fleet import Fleet

from mobilegym.operator.api import Api
from mobilegym.operator.kinds import CONFIG_MAP, POD, RUN
from mobilegym.operator.runs import Run, stream_of
from mobilegym.operator.store import Key
from mobilegym.protocol.messages import Heartbeat
from mobilegym.protocol.streams import RedisStreams
from mobilegym.protocol.streams.keys import Keys


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


async def test_the_operator_goes_on_after_the_api_server_was_killed(
    served: ControlPlane, namespace: str, admin: Api, fake_nodes: Fleet
) -> None:
    async with operating(served, namespace) as operator:
        await admin.create(RUN, namespace, manifest(namespace, "one", workers={"replicas": 2}))
        await eventually(lambda: [ready_workers(run) for run in operator.runs] == [2], "two ready workers")
        pods = {pod["metadata"]["uid"] for pod in await listed(admin, POD, namespace)}
        created = writes(operator, "Pod", "create")
        served.apiserver.kill()
        served.apiserver.start()
        await asyncio.to_thread(served.wait_ready)
        await admin.create(RUN, namespace, manifest(namespace, "two"))

        async def made() -> bool:
            return len(await listed(admin, POD, namespace)) == 3

        await eventually(made, "a worker for a run made after the restart", 90)
        assert pods <= {pod["metadata"]["uid"] for pod in await listed(admin, POD, namespace)}
        assert writes(operator, "Pod", "create") == created + 1
        assert reconciles(operator, "error") == 0


async def test_a_deleted_runs_streams_are_given_an_expiry(
    served: ControlPlane, namespace: str, admin: Api, redis_url: str
) -> None:
    async with operating(served, namespace, numbers_seconds=0.2) as operator:
        made = await admin.create(RUN, namespace, manifest(namespace, "one", stream={"redisUrl": redis_url}))
        async with RedisStreams(redis_url, stream_of(made)) as streams:
            await streams.beat(Heartbeat(who="learner", role="learner", at=1.0))
        await eventually(lambda: (numbers := operator.numbers.of(made)) and numbers.learner, "the learner's heartbeat")
        await admin.delete(RUN, namespace, "one", uid=made["metadata"]["uid"])
        client = Redis.from_url(redis_url)
        await eventually(lambda: _expires(client, Keys.of(stream_of(made)).beats), "the expiry of a day")
        await client.aclose()


async def _expires(client: Redis, key: str) -> bool:
    return int(await client.pttl(key)) > 0
