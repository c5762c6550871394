"""One suite, both implementations: what the streams promise."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable

import msgspec
import pytest

from mobilegym.protocol.errors import LeaseLost
from mobilegym.protocol.messages import Episode, Heartbeat, PolicyVersion, TaskCard, Trajectory, trajectory_id
from mobilegym.protocol.status import EpisodeStatus, RunState
from mobilegym.protocol.streams import MemoryStreams, PushResult, RedisStreams, Streams

CAPACITY = 4


@pytest.fixture(params=["memory", "redis"])
async def streams(request: pytest.FixtureRequest, run_name: str) -> AsyncIterator[Streams]:
    if request.param == "memory":
        opened: Streams = MemoryStreams(run_name, capacity=CAPACITY)
    else:
        opened = RedisStreams(request.getfixturevalue("redis_url"), run_name, capacity=CAPACITY)
    async with opened:
        yield opened


def episode(member: int = 0, group: str = "g0", purpose: str = "train") -> Episode:
    id = trajectory_id("r", group, member)
    return Episode(id=id, run="r", group=group, member=member, template="clock.set_alarm", seed=7, purpose=purpose)


def trajectory(played: Episode) -> Trajectory:
    return Trajectory(
        id=played.id,
        run=played.run,
        group=played.group,
        member=played.member,
        template=played.template,
        seed=played.seed,
        status=EpisodeStatus.COMPLETED,
        reward=1.0,
    )


async def until(condition: Callable[[], object], seconds: float = 10.0) -> None:
    async with asyncio.timeout(seconds):
        while not await condition():  # type: ignore[misc]
            await asyncio.sleep(0.01)


async def test_an_issued_episode_is_leased_once(streams: Streams) -> None:
    await streams.issue(episode())
    (lease,) = await streams.lease("w0")
    assert lease.episode == episode()
    assert lease.deliveries == 1
    assert await streams.lease("w1") == []


async def test_issuing_again_changes_nothing(streams: Streams) -> None:
    assert await streams.issue(episode(0), episode(1)) == 2
    assert await streams.issue(episode(1), episode(2)) == 1
    assert len(await streams.lease("w0", count=10)) == 3


async def test_a_lease_waits_for_an_episode(streams: Streams) -> None:
    waiting = asyncio.create_task(streams.lease("w0", block=10))
    await streams.issue(episode())
    assert [lease.episode for lease in await waiting] == [episode()]


async def test_a_lease_gives_up_after_its_block(streams: Streams) -> None:
    assert await streams.lease("w0", block=0.01) == []


async def test_a_released_episode_is_leased_again_at_once(streams: Streams) -> None:
    await streams.issue(episode(0), episode(1))
    (first,) = await streams.lease("w0")
    await streams.release(first)
    (again,) = await streams.lease("w1")
    assert (again.episode, again.deliveries) == (first.episode, 2)


async def test_a_drain_does_not_count_as_an_attempt(streams: Streams) -> None:
    await streams.issue(episode())
    for _ in range(5):
        (lease,) = await streams.lease("w0")
        assert lease.deliveries == 1
        await streams.release(lease, counts=False)


async def test_a_lease_that_moved_on_is_lost(streams: Streams) -> None:
    await streams.issue(episode())
    (old,) = await streams.lease("w0")
    (new,) = await streams.reclaim("w1", min_idle=0)
    with pytest.raises(LeaseLost, match="stop playing"):
        await streams.renew(old)
    with pytest.raises(LeaseLost):
        await streams.release(old)
    await streams.renew(new)


async def test_a_worker_started_again_under_its_name_does_not_revive_an_old_lease(streams: Streams) -> None:
    await streams.issue(episode())
    (old,) = await streams.lease("w0")
    (new,) = await streams.reclaim("w0", min_idle=0)
    with pytest.raises(LeaseLost):
        await streams.renew(old)
    assert new.deliveries == 2


async def test_a_busy_lease_is_not_reclaimed(streams: Streams) -> None:
    await streams.issue(episode())
    await streams.lease("w0")
    assert await streams.reclaim("w1", min_idle=3600) == []


async def test_the_fourth_delivery_is_buried_with_a_reason(streams: Streams) -> None:
    await streams.issue(episode())
    await streams.lease("w0")
    assert [lease.deliveries for lease in await streams.reclaim("w1", min_idle=0)] == [2]
    assert [lease.deliveries for lease in await streams.reclaim("w2", min_idle=0)] == [3]
    assert await streams.reclaim("w3", min_idle=0) == []
    assert (await streams.discards())[episode().id].reason.startswith("poison")
    counters = await streams.counters()
    assert (counters.dead, counters.leased, counters.waiting) == (1, 0, 0)
    assert (await streams.audit()).open == frozenset()


async def test_a_third_release_is_buried(streams: Streams) -> None:
    await streams.issue(episode())
    for _ in range(3):
        (lease,) = await streams.lease("w0")
        await streams.release(lease)
    assert await streams.lease("w0") == []
    assert (await streams.counters()).dead == 1


async def test_a_worker_that_dies_between_push_and_ack_repeats_nothing(streams: Streams) -> None:
    await streams.issue(episode())
    (lease,) = await streams.lease("w0")
    assert await streams.push(trajectory(lease.episode)) is PushResult.OK
    assert await streams.reclaim("w1", min_idle=0) == []
    assert (await streams.counters()).leased == 0
    assert (await streams.counters()).dead == 0


async def test_three_leases_of_a_killed_worker_are_each_done_once(streams: Streams) -> None:
    await streams.issue(*(episode(m) for m in range(3)))
    await streams.lease("killed", count=3)
    for lease in await streams.reclaim("w1", min_idle=0):
        assert await streams.push(trajectory(lease.episode)) is PushResult.OK
        await streams.ack(lease)
    deliveries = await streams.consume(10)
    assert sorted(d.trajectory.member for d in deliveries) == [0, 1, 2]
    assert (await streams.counters()).leased == 0


async def test_pushing_twice_is_a_duplicate(streams: Streams) -> None:
    assert await streams.push(trajectory(episode())) is PushResult.OK
    assert await streams.push(trajectory(episode())) is PushResult.DUPLICATE
    assert len(await streams.consume(10)) == 1
    assert await streams.push(trajectory(episode())) is PushResult.DUPLICATE


async def test_a_discarded_episode_is_neither_leased_nor_pushed(streams: Streams) -> None:
    await streams.issue(episode())
    assert await streams.discard(episode().id, "stale")
    assert await streams.lease("w0") == []
    assert await streams.push(trajectory(episode())) is PushResult.DUPLICATE


async def test_a_full_stream_refuses_and_loses_nothing(streams: Streams) -> None:
    for member in range(CAPACITY):
        assert await streams.push(trajectory(episode(member))) is PushResult.OK
    assert await streams.push(trajectory(episode(CAPACITY))) is PushResult.FULL
    (first,) = await streams.consume(1)
    assert await streams.push(trajectory(episode(CAPACITY))) is PushResult.OK
    rest = await streams.consume(100)
    assert [d.trajectory.member for d in (first, *rest)] == list(range(CAPACITY + 1))


async def test_a_learner_that_restarts_recalls_what_it_had_not_acknowledged(streams: Streams) -> None:
    for member in range(4):
        await streams.push(trajectory(episode(member)))
    taken = await streams.consume(3)
    await streams.ack_trajectories(taken[:1])
    assert await streams.recall() == taken[1:]
    assert await streams.recall(after=taken[1].entry) == taken[2:]
    assert await streams.recall(after=taken[2].entry) == []
    assert [d.trajectory.member for d in await streams.consume(10)] == [3]


async def test_acknowledging_twice_counts_once(streams: Streams) -> None:
    await streams.issue(episode())
    await streams.push(trajectory(episode()))
    taken = await streams.consume()
    assert await streams.ack_trajectories(taken) == 1
    assert await streams.ack_trajectories(taken) == 0
    audit = await streams.audit()
    assert audit.trained == {episode().id}
    assert audit.faults == ()


async def test_the_audit_says_where_every_episode_stands(streams: Streams) -> None:
    await streams.issue(episode(0), episode(1), episode(2), episode(0, "e", "eval"))
    for member in (0, 1):
        await streams.push(trajectory(episode(member)))
    taken = await streams.consume(10)
    await streams.discard(taken[1].trajectory.id, "zero variance")
    await streams.ack_trajectories(taken)
    audit = await streams.audit("train")
    assert audit.trained == {episode(0).id}
    assert audit.discarded == {episode(1).id}
    assert audit.open == {episode(2).id}
    assert audit.faults == ()
    assert (await streams.audit("eval")).open == {episode(0, "e").id}


async def test_the_ledger_keeps_the_first_reason(streams: Streams) -> None:
    assert await streams.discard("x", "stale")
    assert not await streams.discard("x", "other")
    assert (await streams.discards())["x"].reason == "stale"
    assert (await streams.audit()).faults == ("never issued: x (1)",)


async def test_the_policy_is_the_last_one_published(streams: Streams) -> None:
    assert await streams.policy() is None
    for number in (1, 2, 1):
        await streams.publish_policy(PolicyVersion(version=number, path=f"/p/{number}", digest="d"))
    assert await streams.policy() == PolicyVersion(version=1, path="/p/1", digest="d")


async def test_waiting_for_a_policy_ends_with_a_newer_one(streams: Streams) -> None:
    await streams.publish_policy(PolicyVersion(version=1, path="p", digest="d"))
    waiting = asyncio.create_task(streams.wait_policy(newer_than=1, timeout=10))
    await streams.publish_policy(PolicyVersion(version=1, path="p", digest="again"))
    await streams.publish_policy(PolicyVersion(version=2, path="p", digest="d"))
    found = await waiting
    assert found is not None
    assert found.version == 2
    assert await streams.wait_policy(newer_than=2, timeout=0.01) is None


async def test_a_heartbeat_expires(streams: Streams) -> None:
    await streams.beat(Heartbeat(who="worker-1", role="worker", at=1.0, detail={"phones": 4}), ttl=60)
    await streams.beat(Heartbeat(who="worker-0", role="worker", at=1.0), ttl=0.05)

    async def only_one() -> bool:
        return [beat.who for beat in await streams.heartbeats()] == ["worker-1"]

    await until(only_one)
    assert (await streams.heartbeats())[0].detail == {"phones": 4}


async def test_a_later_heartbeat_replaces_the_earlier(streams: Streams) -> None:
    for at in (1.0, 2.0):
        await streams.beat(Heartbeat(who="w", role="worker", at=at))
    assert [beat.at for beat in await streams.heartbeats()] == [2.0]


async def test_the_first_task_catalogue_stays(streams: Streams) -> None:
    cards = [TaskCard(id="clock.a", apps=("clock",), split="train", level=1, budget=9)]
    assert await streams.tasks() == []
    assert await streams.publish_tasks(cards)
    assert not await streams.publish_tasks([msgspec.structs.replace(cards[0], id="other")])
    assert await streams.tasks() == cards


async def test_a_run_is_running_until_told_otherwise(streams: Streams) -> None:
    assert await streams.state() is RunState.RUNNING
    await streams.set_state(RunState.DRAINING)
    assert await streams.state() is RunState.DRAINING
    assert not (await streams.state()).leases


async def test_counters_follow_an_episode(streams: Streams) -> None:
    await streams.issue(episode(0), episode(1))
    (lease,) = await streams.lease("w0")
    await streams.push(trajectory(lease.episode))
    await streams.ack(lease)
    counters = await streams.counters()
    assert (counters.issued, counters.waiting, counters.leased, counters.depth) == (2, 1, 0, 1)
    taken = await streams.consume()
    assert (await streams.counters()).pending == 1
    await streams.ack_trajectories(taken)
    counters = await streams.counters()
    assert (counters.depth, counters.pending, counters.trained) == (0, 0, 1)
