"""What Redis says of the runs, and what is made of its silence."""

from __future__ import annotations

import shutil
import subprocess
import time
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from redis.asyncio import Redis
from tests.conftest import free_port, missing
from tests.operator.machine import eventually, manifest

from mobilegym.operator.numbers import NumbersTable, words
from mobilegym.operator.runs import Runs, key_of, stream_of
from mobilegym.operator.settings import Settings
from mobilegym.operator.store import Key
from mobilegym.operator.sweep import DAY_MS, expire, streams, sweep
from mobilegym.operator.urls import RedisUrls
from mobilegym.protocol.messages import Episode, Heartbeat, Trajectory
from mobilegym.protocol.status import EpisodeStatus
from mobilegym.protocol.streams import RedisStreams
from mobilegym.protocol.streams.keys import Keys


class Server:
    """A Redis that can be stopped and started again."""

    def __init__(self, folder: Path) -> None:
        binary = shutil.which("redis-server")
        if binary is None:
            missing("redis-server")
        self.port = free_port()
        self.url = f"redis://127.0.0.1:{self.port}/0"
        self._command = [binary, "--port", str(self.port), "--bind", "127.0.0.1", "--save", "", "--dir", str(folder)]
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        self._process = subprocess.Popen(self._command, stdout=subprocess.DEVNULL)

    def stop(self) -> None:
        if self._process is not None:
            self._process.terminate()
            self._process.wait(10)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    found = Server(tmp_path)
    yield found
    found.stop()


def run(url: str, name: str = "one", **status: Any) -> dict[str, Any]:
    made = manifest("lab", name, stream={"redisUrl": url})
    made["metadata"] |= {"uid": uuid.uuid4().hex, "resourceVersion": "1"}
    return made | {"status": status}


class Table(NumbersTable):
    """With the runs given, and a clock to set."""

    def __init__(self, *runs: dict[str, Any], folder: Path | None = None) -> None:
        self.now = time.time()
        self.told: list[Key] = []
        self.known = Runs()
        for one in runs:
            self.known.put(one)
        urls = RedisUrls(None, folder)  # type: ignore[arg-type]  # no Secret is read here
        settings = Settings(namespace="lab", numbers_seconds=0.2, status_seconds=10.0)
        super().__init__(self.known, urls, settings, lambda: self.now)
        self.changed = self.told.append


def episode(streams: RedisStreams, id: str) -> Episode:
    return Episode(id=id, run=streams.run, group="g", member=0, template="t", seed=1)


def trajectory(streams: RedisStreams, id: str) -> Trajectory:
    return Trajectory(
        id=id, run=streams.run, group="g", member=0, template="t", seed=1, status=EpisodeStatus.COMPLETED, reward=1.0
    )


def learner(step: int, phase: str = "training") -> Heartbeat:
    return Heartbeat(who="learner", role="learner", at=time.time(), detail={"phase": phase, "step": step})


def worker(busy: int, who: str = "one-worker-0") -> Heartbeat:
    return Heartbeat(who=who, role="worker", at=time.time(), detail={"phase": "running", "busy": busy})


async def test_everything_of_a_run_in_one_look(redis_url: str) -> None:
    one, other = run(redis_url), run(redis_url, "other")
    table = Table(one, other)
    async with RedisStreams(redis_url, stream_of(one)) as streams:
        await streams.issue(*(episode(streams, f"e{n}") for n in range(5)))
        leases = await streams.lease("one-worker-0", 3)
        for lease in leases[:2]:
            await streams.push(trajectory(streams, lease.episode.id))
            await streams.ack(lease)
        await streams.consume(1)
        await streams.beat(learner(7))
        await streams.beat(worker(3))
        await streams.beat(worker(1, "one-worker-1"), ttl=0.001)
        await eventually(lambda: _one_beat(redis_url, one), "one heartbeat has expired")
        await table.look()
    seen = table.of(one)
    assert seen is not None
    assert seen.counters is not None
    counters = seen.counters
    assert (counters.issued, counters.waiting, counters.leased) == (5, 2, 1)
    assert (counters.depth, counters.pending, counters.trained, counters.dead) == (1, 1, 0, 0)
    assert seen.oldest_age is not None
    assert 0 <= seen.oldest_age < 60
    assert seen.learner is not None
    assert seen.learner.detail["step"] == 7
    assert list(seen.workers) == ["one-worker-0"]
    silent = table.of(other)
    assert silent is not None
    assert silent.counters is not None
    assert (silent.counters.issued, silent.oldest_age, silent.learner, silent.error) == (0, None, None, "")
    await table.close()


async def _one_beat(url: str, one: dict[str, Any]) -> bool:
    client = Redis.from_url(url)
    now = (await client.time())[0] * 1000
    alive = await client.zcount(Keys.of(stream_of(one)).beat_expiry, now + 1001, "+inf")
    await client.aclose()
    return bool(alive == 2)


async def test_the_learners_last_heartbeat_is_remembered(redis_url: str) -> None:
    one = run(redis_url)
    table = Table(one)
    async with RedisStreams(redis_url, stream_of(one)) as streams:
        await streams.beat(learner(3), ttl=0.001)
        await table.look()
        first = table.of(one)
        assert first is not None
        assert first.learner is not None, "an expired one still tells when it beat last"
        await eventually(lambda: _dropped(streams), "Redis has dropped it")
        await table.look()
        second = table.of(one)
    assert second is not None
    assert second.learner == first.learner
    await table.close()


async def _dropped(streams: RedisStreams) -> bool:
    return not await streams.heartbeats()


async def test_the_run_is_told_at_once_of_steps_and_seldom_of_the_rest(redis_url: str) -> None:
    one = run(redis_url)
    table = Table(one)
    async with RedisStreams(redis_url, stream_of(one)) as streams:

        async def look(*beats: Heartbeat) -> int:
            for beat in beats:
                await streams.beat(beat)
            before = len(table.told)
            await table.look()
            return len(table.told) - before

        assert await look() == 1, "first numbers"
        assert await look() == 0, "nothing new"
        assert await look(learner(0)) == 1, "the learner is there"
        assert await look(learner(0)) == 0, "it only beats"
        assert await look(learner(1)) == 1, "a step"
        assert await look(learner(1, "publishing")) == 1, "a phase"
        assert await look(worker(1)) == 0, "a worker is busy: not yet"
        table.now += 11
        assert await look(worker(2)) == 1, "now it is time"
    await table.close()


async def test_a_redis_that_is_away_is_told_in_words_and_found_again(server: Server, redis_url: str) -> None:
    near, far = run(redis_url, "near"), run(server.url, "far")
    table = Table(near, far)
    await table.look()
    lost, fine = table.of(far), table.of(near)
    assert lost is not None
    assert fine is not None
    assert f"Redis at 127.0.0.1:{server.port} does not answer" in lost.error
    assert fine.error == ""
    assert set(table.told) == {key_of(near), key_of(far)}
    table.told.clear()
    await table.look()
    assert table.told == [], "told once"
    server.start()

    async def answers() -> bool:
        table.now += 61
        await table.look()
        seen = table.of(far)
        return seen is not None and not seen.error and seen.counters is not None

    await eventually(answers, "Redis is back")
    assert table.told.count(key_of(far)) == 1
    server.stop()
    table.now += 61
    await table.look()
    lost = table.of(far)
    assert lost is not None
    assert lost.error
    assert lost.counters is not None, "what was known last is kept"
    await table.close()


async def test_a_redis_that_is_away_is_not_asked_at_every_look(server: Server) -> None:
    far = run(server.url)
    table = Table(far)
    await table.look()
    server.start()
    await table.look()
    seen = table.of(far)
    assert seen is not None
    assert seen.error, "its turn has not come"
    await table.close()


@pytest.mark.parametrize("url", ["redis://worker:hunter2@redis:6380/0", "rediss://:hunter2@redis:6380"])
def test_no_password_in_words(url: str) -> None:
    said = words(url, OSError(f"cannot reach {url}"))
    assert "hunter2" not in said
    assert said.startswith("Redis at redis:6380 does not answer: ")


async def test_a_deleted_runs_streams_expire_in_a_day(redis_url: str) -> None:
    gone, client = run(redis_url), Redis.from_url(redis_url)
    async with RedisStreams(redis_url, stream_of(gone)) as streams:
        await streams.issue(episode(streams, "e"))
    await expire(client, gone)
    assert 0 < await client.pttl(Keys.of(stream_of(gone)).episodes) <= DAY_MS
    await client.aclose()


async def test_the_sweep_takes_only_streams_without_a_run(redis_url: str) -> None:
    alive, gone = run(redis_url, "alive"), run(redis_url, "gone")
    elsewhere, local = run(redis_url, "gone"), f"local-{uuid.uuid4().hex[:6]}"
    elsewhere["metadata"]["namespace"] = "other"
    client = Redis.from_url(redis_url)
    for name in (*map(stream_of, (alive, gone, elsewhere)), local):
        async with RedisStreams(redis_url, name) as made:
            await made.issue(episode(made, "e"))

    async def runs() -> set[str]:
        return {stream_of(alive)}

    assert {stream_of(alive), stream_of(gone)} <= await streams(client)
    assert stream_of(gone) in await sweep(client, runs, "lab")
    assert stream_of(gone) not in await sweep(client, runs, "lab"), "it has its expiry by now"
    for name in (stream_of(alive), stream_of(elsewhere), local):
        assert await client.pttl(Keys.of(name).episodes) == -1
    await client.aclose()
