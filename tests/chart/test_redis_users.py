"""The Redis of the chart, started as its pod starts it: each role can do its work, and not the others'."""

from __future__ import annotations

import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import redis
from redis.asyncio import Redis
from redis.exceptions import AuthenticationError, NoPermissionError
from tests.chart.chart import NAMESPACE, RELEASE, one, render
from tests.conftest import free_port, missing
from tools.kube.environment import base

from mobilegym.operator import glance, sweep
from mobilegym.operator.observed import Numbers
from mobilegym.protocol.blobs import RedisBlobs
from mobilegym.protocol.errors import StreamError
from mobilegym.protocol.messages import Episode, Heartbeat, PolicyVersion, TaskCard, Trajectory, trajectory_id
from mobilegym.protocol.status import EpisodeStatus, RunState
from mobilegym.protocol.streams import PushResult, RedisStreams


@dataclass(frozen=True, kw_only=True)
class Urls:
    operator: str
    worker: str
    learner: str
    nobody: str
    probe: str


@pytest.fixture(scope="module")
def urls(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Urls]:
    with served(tmp_path_factory.mktemp("redis")) as found:
        yield found


@contextmanager
def served(folder: Path) -> Iterator[Urls]:
    """A Redis of the chart on the folder's data, killed in the end."""
    binary = shutil.which("redis-server", path=base(ours=False)["PATH"])
    if binary is None or "v=6." in subprocess.run([binary, "--version"], capture_output=True, text=True).stdout:
        missing("redis-server 7.0 or later")
    objects = render()
    secret = one(objects, "Secret", f"{RELEASE}-redis")["stringData"]
    (container,) = one(objects, "StatefulSet", f"{RELEASE}-redis")["spec"]["template"]["spec"]["containers"]
    (folder / "users.acl").write_text(secret["users.acl"])
    host, port = "127.0.0.1", str(free_port())
    here = {
        "redis-server": str(binary),
        "$(POD_IP)": host,
        "6379": port,
        "/etc/redis/users.acl": str(folder / "users.acl"),
        "/data": str(folder),
    }
    with (folder / "log").open("wb") as log:
        server = subprocess.Popen([here.get(arg, arg) for arg in container["args"]], stdout=log, stderr=log)
    at = {role: secret[role].replace(f"{RELEASE}-redis.{NAMESPACE}.svc:6379", f"{host}:{port}") for role in secret}
    found = Urls(
        operator=at["operator"],
        worker=at["worker"],
        learner=at["learner"],
        nobody=f"redis://{host}:{port}/0",
        probe=f"redis://probe:none@{host}:{port}/0",
    )
    try:
        _until_it_answers(found.probe, server, folder / "log")
        yield found
    finally:
        server.kill()
        server.wait(20)


def _until_it_answers(url: str, server: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + 20
    with redis.Redis.from_url(url) as client:
        while True:
            try:
                client.ping()
                return
            except redis.ConnectionError:
                assert server.poll() is None, log.read_text()
                assert time.monotonic() < deadline, "redis-server does not answer after 20 s"
                time.sleep(0.02)


def episode(run: str, member: int) -> Episode:
    return Episode(id=trajectory_id(run, "g", member), run=run, group="g", member=member, template="t", seed=1)


def trajectory(played: Episode) -> Trajectory:
    return Trajectory(
        **{field: getattr(played, field) for field in ("id", "run", "group", "member", "template", "seed")},
        status=EpisodeStatus.COMPLETED,
        reward=1.0,
    )


async def test_a_worker_and_a_learner_can_do_all_that_a_run_asks_of_them(urls: Urls, run_name: str) -> None:
    async with RedisStreams(urls.learner, run_name) as learner, RedisStreams(urls.worker, run_name) as worker:
        await learner.ping()
        card = TaskCard(id="t", apps=("clock",), split="train", level=1, budget=5)
        assert await worker.publish_tasks([card])
        assert await learner.tasks() == [card]
        assert await learner.issue(*(episode(run_name, member) for member in range(3))) == 3
        first, second, third = await worker.lease("w0", count=3)
        await worker.renew(first)
        assert await worker.push(trajectory(first.episode)) is PushResult.OK
        await worker.ack(first)
        await worker.release(second)
        (again,) = await worker.lease("w1")
        assert again.deliveries == 2
        (taken,) = [lease for lease in await worker.reclaim("w1", min_idle=0) if lease.entry == third.entry]
        await worker.release(taken, counts=False)
        (delivery,) = await learner.consume()
        assert await learner.recall() == [delivery]
        assert await learner.ack_trajectories([delivery]) == 1
        assert await learner.discard(second.episode.id, "stale")
        assert set(await worker.discards()) == {second.episode.id}
        await learner.publish_policy(PolicyVersion(version=1, path="w", digest="d"))
        published = await worker.wait_policy(0, timeout=5)
        assert published is not None
        assert published.version == 1
        for streams, who in ((learner, "learner"), (worker, "w0")):
            await streams.beat(Heartbeat(who=who, role="worker", at=1.0))
        assert [beat.who for beat in await worker.heartbeats()] == ["learner", "w0"]
        await learner.set_state(RunState.DONE)
        assert await worker.state() is RunState.DONE
        assert (await worker.counters()).trained == 1
        assert (await learner.audit()).trained == {first.episode.id}
        await learner.expire(60)


async def test_a_killed_redis_comes_back_with_all_that_it_answered_to(tmp_path: Path, run_name: str) -> None:
    """What a script writes is replayed as a transaction, in which Redis 7 allows only what `default` may do."""
    with served(tmp_path) as urls:
        async with RedisStreams(urls.learner, run_name) as learner, RedisStreams(urls.worker, run_name) as worker:
            await learner.issue(*(episode(run_name, member) for member in range(4)))
            for lease in (await worker.lease("w0", count=3))[:2]:
                await worker.push(trajectory(lease.episode))
                await worker.ack(lease)
            await learner.ack_trajectories(await learner.consume())
            await learner.discard(trajectory_id(run_name, "g", 3), "stale")
            before = await learner.counters(), await learner.audit()
    with served(tmp_path) as urls:
        async with RedisStreams(urls.learner, run_name) as learner:
            assert (await learner.counters(), await learner.audit()) == before
    assert "CRITICAL" not in (tmp_path / "log").read_text()


async def test_an_entry_that_nobody_can_read_is_buried_by_both(urls: Urls, run_name: str) -> None:
    async with RedisStreams(urls.learner, run_name) as learner, RedisStreams(urls.worker, run_name) as worker:
        await learner.counters()
        async with Redis.from_url(urls.learner, protocol=2) as raw:
            for key in (learner.keys.episodes, learner.keys.trajectories):
                await raw.xadd(key, {"id": key, "data": b"\xc1"})
        assert await worker.lease("w0") == []
        assert await learner.consume() == []
        assert (await learner.counters()).dead == 2


async def test_a_worker_stores_screenshots_that_the_learner_reads(urls: Urls, run_name: str) -> None:
    workers, learners = RedisBlobs(urls.worker, run_name), RedisBlobs(urls.learner, run_name)
    key = workers.put(b"picture")
    assert learners.get(key) == b"picture"
    assert learners.has(key)
    workers.close()
    learners.close()


async def test_the_operator_reads_and_expires_a_run(urls: Urls, run_name: str) -> None:
    stream = f"space.{run_name}.0123abcd"
    async with RedisStreams(urls.learner, stream) as learner, RedisStreams(urls.operator, stream) as operator:
        await learner.issue(episode(stream, 0))
        await learner.set_state(RunState.DONE)
        await learner.beat(Heartbeat(who="learner", role="learner", at=1.0))
        assert await operator.state() is RunState.DONE
        assert (await operator.audit()).issued == {episode(stream, 0).id}
        async with Redis.from_url(urls.operator, protocol=2) as raw:
            numbers = await look(raw, stream)
            assert numbers.counters is not None
            assert (numbers.counters.issued, numbers.counters.waiting) == (1, 1)
            assert numbers.learner is not None
            assert stream in await sweep.streams(raw)
            await operator.expire(60)
            assert 0 < await raw.pttl(operator.keys.episodes) <= 60_000


async def look(raw: Redis, stream: str) -> Numbers:
    """As the operator does it."""
    script = raw.register_script(glance.SCRIPT)
    async with raw.pipeline(transaction=False) as pipe:
        await script(keys=glance.keys_of(stream), args=list(glance.ARGS), client=pipe)
        (answer,) = await pipe.execute()
    return glance.numbers_of(answer, 0.0, None)


async def test_a_script_lets_the_operator_write_nothing(urls: Urls, run_name: str) -> None:
    async with Redis.from_url(urls.operator, protocol=2) as client:
        for command in ("'SET', KEYS[1], 'done'", "'XADD', KEYS[1], '*', 'a', 'b'", "'DEL', KEYS[1]"):
            with pytest.raises(redis.ResponseError, match="user executing the script"):
                await client.eval(f"return redis.call({command})", 1, f"mg:{{{run_name}}}:control")


NOBODY = """
FLUSHALL; FLUSHDB; CONFIG GET *; ACL LIST; ACL WHOAMI; KEYS *; SHUTDOWN; MONITOR; CLIENT LIST; SAVE;
CLIENT KILL TYPE normal; SLAVEOF NO ONE; MODULE LIST; FUNCTION LIST; SCRIPT FLUSH; SUBSCRIBE x; SWAPDB 0 1;
LATENCY RESET; MIGRATE h 1 k 0 1; RENAME a b; GET other; SET other x
"""
ALL_OF_A_STREAM = "DEL {run}episodes; XTRIM {run}episodes MAXLEN 0; SCAN 0; INFO"
FORBIDDEN = {
    "operator": """
        SET {run}control done; XADD {run}episodes * a b; DEL {run}issued; HSET {run}discards a b; HDEL {run}trained a;
        XTRIM {run}episodes MAXLEN 0; XGROUP CREATE {run}episodes g 0 MKSTREAM
    """,
    "worker": f"""
        SET {{run}}control done; XADD {{run}}policy * data x; HSET {{run}}trained a 1; HSET {{run}}issued a b;
        EXPIRE {{run}}policy 1; {ALL_OF_A_STREAM}
    """,
    "learner": ALL_OF_A_STREAM,
    "probe": "GET {run}control; INFO; SCAN 0",
}
CASES = [(role, line.strip()) for role, lines in FORBIDDEN.items() for line in (NOBODY + ";" + lines).split(";")]


@pytest.mark.parametrize(("role", "command"), CASES)
async def test_a_role_cannot(urls: Urls, run_name: str, role: str, command: str) -> None:
    client: Any
    async with Redis.from_url(getattr(urls, role), protocol=2) as client:
        with pytest.raises(NoPermissionError):
            await client.execute_command(*command.replace("{run}", f"mg:{{{run_name}}}:").split())


async def test_a_script_gives_a_worker_no_more_rights(urls: Urls, run_name: str) -> None:
    async with Redis.from_url(urls.worker, protocol=2) as client:
        with pytest.raises(redis.ResponseError, match="user executing the script"):
            await client.eval("return redis.call('FLUSHALL')", 0)
        with pytest.raises(redis.ResponseError):
            await client.eval("return redis.call('SET', KEYS[1], 'done')", 1, f"mg:{{{run_name}}}:control")


async def test_nobody_without_a_password_gets_in(urls: Urls) -> None:
    async with Redis.from_url(urls.nobody, protocol=2) as client:
        with pytest.raises(AuthenticationError):
            await client.ping()


async def test_a_wrong_password_does_not_get_in(urls: Urls) -> None:
    password = urls.worker.split(":")[2].split("@")[0]
    async with RedisStreams(urls.worker.replace(password, "guess"), "r") as streams:
        with pytest.raises(StreamError):
            await streams.ping()
