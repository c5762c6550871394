"""A worker against real streams' contract and real phones: leases, back-pressure, crashes, draining."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest
import pytest_asyncio
from prometheus_client import generate_latest

from mobilegym.phone.pool import PhonePool, PoolOptions
from mobilegym.protocol.blobs import DirectoryBlobs
from mobilegym.protocol.errors import BlobUnavailable, StreamUnavailable
from mobilegym.protocol.messages import Episode, Heartbeat, Trajectory, trajectory_id
from mobilegym.protocol.status import EpisodeStatus
from mobilegym.protocol.streams import Lease, MemoryStreams, PushResult, Streams
from mobilegym.worker.agent import Agent, Decision, PolicyFailure, Turn
from mobilegym.worker.engine_client import EngineUnavailable
from mobilegym.worker.rollout import Limits
from mobilegym.worker.scripted import scripted
from mobilegym.worker.worker import Worker, WorkerOptions, instance_of

RUN = "test"
TASK = "clock.toggle-alarm"


def episode(group: str, member: int, **other: object) -> Episode:
    name = trajectory_id(RUN, group, member)
    return Episode(id=name, run=RUN, group=group, member=member, template=TASK, seed=3, **other)  # type: ignore[arg-type]


def oracle(lease: Episode) -> Agent:
    return scripted("oracle", instance_of(lease.template, lease.seed, "en"))


def noop(lease: Episode) -> Agent:
    return scripted("noop", instance_of(lease.template, lease.seed, "en"))


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def pool() -> AsyncIterator[PhonePool]:
    async with PhonePool(PoolOptions(phones=4)) as pool:
        yield pool


def worker(
    streams: Streams, pool: PhonePool, folder: Path, agent: Callable[[Episode], Agent] = oracle, **options: object
) -> Worker:
    settings = {"name": "w", "run": RUN, "phones": 4, "reward": "strict", "limits": Limits(), "drain": 0.0} | options
    return Worker(WorkerOptions(**settings), streams, DirectoryBlobs(folder), pool, agent)  # type: ignore[arg-type]


async def collect(streams: Streams, count: int) -> list[Trajectory]:
    got: list[Trajectory] = []
    async with asyncio.timeout(60):
        while len(got) < count:
            deliveries = await streams.consume(count, block=0.5)
            await streams.ack_trajectories(deliveries)
            got += [d.trajectory for d in deliveries]
    return got


async def drained(work: Worker, running: asyncio.Task[None]) -> None:
    work.drain()
    async with asyncio.timeout(30):
        await running


@pytest.mark.asyncio(loop_scope="module")
async def test_a_group_is_played_once_each_and_its_pictures_are_kept(pool: PhonePool, tmp_path: Path) -> None:
    streams = MemoryStreams(RUN)
    await streams.issue(*(episode("g", member) for member in range(8)))
    work = worker(streams, pool, tmp_path)
    running = asyncio.create_task(work.run())
    trajectories = await collect(streams, 8)
    await drained(work, running)
    assert sorted(t.member for t in trajectories) == list(range(8))
    assert {t.reward for t in trajectories} == {1.0}
    assert len({t.initial_state_hash for t in trajectories}) == 1
    blobs = DirectoryBlobs(tmp_path)
    assert all(blobs.has(step.image) for t in trajectories for step in t.steps)
    assert await streams.tasks()
    audit = await streams.audit()
    assert not audit.open
    assert not audit.faults


@pytest.mark.asyncio(loop_scope="module")
async def test_a_full_stream_makes_the_worker_wait_and_loses_nothing(pool: PhonePool, tmp_path: Path) -> None:
    streams = MemoryStreams(RUN, capacity=2)
    await streams.issue(*(episode("g", member) for member in range(6)))
    work = worker(streams, pool, tmp_path)
    running = asyncio.create_task(work.run())
    trajectories = await collect(streams, 6)
    await drained(work, running)
    assert len({t.id for t in trajectories}) == 6


class FailsOnce:
    """Cannot reach its model the first time it is asked for an episode."""

    name = "fails-once"
    needs_tree = True

    def __init__(self, lease: Episode, failed: set[str]) -> None:
        self.lease, self.failed, self.inner = lease, failed, oracle(lease)

    async def decide(self, turn: Turn) -> Decision:
        if self.lease.id not in self.failed:
            self.failed.add(self.lease.id)
            raise PolicyFailure("away for a moment")
        return await self.inner.decide(turn)


@pytest.mark.asyncio(loop_scope="module")
async def test_an_error_that_is_not_the_agents_is_played_again(pool: PhonePool, tmp_path: Path) -> None:
    streams, failed = MemoryStreams(RUN), set[str]()
    await streams.issue(*(episode("g", member) for member in range(2)))
    work = worker(streams, pool, tmp_path, lambda lease: FailsOnce(lease, failed))
    running = asyncio.create_task(work.run())
    trajectories = await collect(streams, 2)
    await drained(work, running)
    assert {t.attempt for t in trajectories} == {2}
    assert {t.reward for t in trajectories} == {1.0}


class Engine:
    """Away until it is `back`; asked by `Asks`."""

    def __init__(self) -> None:
        self.back = asyncio.Event()
        self.asked = 0

    async def answers(self, seconds: float) -> None:
        self.asked += 1
        try:
            await asyncio.wait_for(self.back.wait(), seconds / 20)
        except TimeoutError:
            raise EngineUnavailable("away") from None


class Asks:
    """Asks an engine that may be away."""

    name = "asks"
    needs_tree = True

    def __init__(self, engine: Engine, lease: Episode) -> None:
        self.engine, self.inner = engine, oracle(lease)

    async def decide(self, turn: Turn) -> Decision:
        if not self.engine.back.is_set():
            raise PolicyFailure("away")
        return await self.inner.decide(turn)


@pytest.mark.asyncio(loop_scope="module")
async def test_an_engine_that_is_away_for_long_poisons_no_episode(pool: PhonePool, tmp_path: Path) -> None:
    """An episode in play fails once; nothing is leased until the engine answers."""
    streams, engine = MemoryStreams(RUN), Engine()
    await streams.issue(*(episode("g", member) for member in range(2)))
    work = worker(streams, pool, tmp_path, lambda lease: Asks(engine, lease))
    work.engine_answers = engine.answers
    running = asyncio.create_task(work.run())
    async with asyncio.timeout(60):
        while engine.asked < 80:  # by four phones
            await asyncio.sleep(0.05)
    assert not await streams.discards()
    engine.back.set()
    trajectories = await collect(streams, 2)
    await drained(work, running)
    assert {t.attempt for t in trajectories} == {2}


class AlwaysFails:
    name = "always-fails"
    needs_tree = False

    async def decide(self, turn: Turn) -> Decision:
        raise PolicyFailure("gone for good")


@pytest.mark.asyncio(loop_scope="module")
async def test_the_third_failure_goes_to_the_discard_ledger(pool: PhonePool, tmp_path: Path) -> None:
    streams = MemoryStreams(RUN)
    await streams.issue(episode("g", 0))
    work = worker(streams, pool, tmp_path, lambda _: AlwaysFails())
    running = asyncio.create_task(work.run())
    async with asyncio.timeout(30):
        while not await streams.discards():
            await asyncio.sleep(0.05)
    await drained(work, running)
    assert list(await streams.discards()) == [trajectory_id(RUN, "g", 0)]


@pytest.mark.asyncio(loop_scope="module")
async def test_a_drain_gives_unfinished_episodes_back_for_nothing(pool: PhonePool, tmp_path: Path) -> None:
    class Slow:
        name = "slow"
        needs_tree = False

        async def decide(self, turn: Turn) -> Decision:
            await asyncio.sleep(0.05)
            return Decision(error="thinking", text="") if turn.step % 2 else Decision(actions=())

    streams = MemoryStreams(RUN)
    await streams.issue(episode("g", 0))
    started = asyncio.Event()

    def slow(_: Episode) -> Agent:
        started.set()
        return Slow()

    work = worker(streams, pool, tmp_path, slow)
    running = asyncio.create_task(work.run())
    await started.wait()
    await drained(work, running)
    lease = (await streams.lease("other", 1))[0]
    assert lease.deliveries == 1, "a drain is no failed attempt"


class Flaky(MemoryStreams):
    """Is away until `back` is set, and every second time after that."""

    def __init__(self, run: str) -> None:
        super().__init__(run)
        self.back = asyncio.Event()
        self.asked = 0

    def _answer(self) -> None:
        self.asked += 1
        if not self.back.is_set() or self.asked % 2:
            raise StreamUnavailable("away")

    async def lease(self, worker: str, count: int = 1, block: float = 0.0) -> list[Lease]:
        self._answer()
        return await super().lease(worker, count, block)

    async def push(self, trajectory: Trajectory) -> PushResult:
        self._answer()
        return await super().push(trajectory)

    async def beat(self, heartbeat: Heartbeat, ttl: float = 15.0) -> None:
        self._answer()
        await super().beat(heartbeat, ttl)


class FlakyBlobs(DirectoryBlobs):
    """Takes every second picture only."""

    asked = 0

    def put(self, data: bytes) -> str:
        self.asked += 1
        if self.asked % 2:
            raise BlobUnavailable("away")
        return super().put(data)


@pytest.mark.asyncio(loop_scope="module")
async def test_a_worker_waits_for_a_stream_that_is_away_and_goes_on(pool: PhonePool, tmp_path: Path) -> None:
    streams = Flaky(RUN)
    await streams.issue(*(episode("g", member) for member in range(4)))
    work = worker(streams, pool, tmp_path)
    work.blobs = FlakyBlobs(tmp_path)
    running = asyncio.create_task(work.run())
    async with asyncio.timeout(30):
        while streams.asked < 4:
            await asyncio.sleep(0.01)
    assert work.ready() == "the stream has not answered yet"
    streams.back.set()
    trajectories = await collect(streams, 4)
    assert {t.reward for t in trajectories} == {1.0}
    assert all(DirectoryBlobs(tmp_path).has(step.image) for t in trajectories for step in t.steps)
    async with asyncio.timeout(30):
        while work.ready() is not None:
            await asyncio.sleep(0.01)
    await drained(work, running)


@pytest.mark.asyncio(loop_scope="module")
async def test_a_drain_does_not_wait_for_a_stream_that_is_away(pool: PhonePool, tmp_path: Path) -> None:
    work = worker(Flaky(RUN), pool, tmp_path)
    running = asyncio.create_task(work.run())
    await asyncio.sleep(0)
    await drained(work, running)


@pytest.mark.asyncio(loop_scope="module")
async def test_what_was_played_is_counted(pool: PhonePool, tmp_path: Path) -> None:
    streams = MemoryStreams(RUN)
    await streams.issue(episode("g", 0))
    work = worker(streams, pool, tmp_path)
    running = asyncio.create_task(work.run())
    await collect(streams, 1)
    await drained(work, running)
    text = generate_latest(work.metrics.registry).decode()
    assert 'verdicts_total{app="clock",level="' in text
    assert "mobilegym_worker_reset_seconds_count 1.0" in text
    assert 'mobilegym_worker_browser_restarts_total{reason="lost"} 0.0' in text
    assert 'mobilegym_worker_episodes_total{purpose="train",status="env_error"} 0.0' in text
    for process in ("worker", "browsers"):
        start = f'mobilegym_worker_memory_bytes{{process="{process}"'
        line = next(line for line in text.splitlines() if line.startswith(start))
        assert float(line.split()[1]) > 1e6


def test_only_rewarded_endings_carry_a_reward() -> None:
    assert [s for s in EpisodeStatus if s.rewarded] == ["completed", "truncated", "agent_error"]
