"""Trajectories come in once, stay pending until settled, and are missed for a reason only."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from tests.learner.test_batch import CARDS, SETTINGS
from tests.learner.world import trajectory

from mobilegym.learner.inbox import Inbox, Stopped
from mobilegym.learner.sampler import Batch, TaskSampler
from mobilegym.protocol.messages import Episode, Trajectory
from mobilegym.protocol.status import EpisodeStatus
from mobilegym.protocol.streams import MAX_DELIVERIES, MemoryStreams

Discards = dict[str, str]


def never() -> bool:
    return False


def played(episode: Episode, **over: Any) -> Trajectory:
    return trajectory(episode.group, episode.member, [], reward=episode.member % 2, run=episode.run, **over)


def failed(episode: Episode) -> Trajectory:
    broken = played(episode, status=EpisodeStatus.ENV_ERROR, verdict=None, error="page died")
    return msgspec.structs.replace(broken, reward=None)


@pytest.fixture
def streams() -> MemoryStreams:
    return MemoryStreams("r")


@pytest.fixture
def batch() -> Batch:
    return TaskSampler(CARDS, SETTINGS).batch(0)


@pytest.fixture
def discards() -> Discards:
    return {}


async def collect(inbox: Inbox, batch: Batch, discards: Discards) -> list[Trajectory]:
    return await inbox.collect(batch, discards.__setitem__)


async def test_a_batch_is_collected_in_the_order_of_its_groups_whatever_the_order_of_arrival(
    streams: MemoryStreams, batch: Batch, discards: Discards
) -> None:
    for episode in reversed(batch.episodes):
        await streams.issue(episode)
        await streams.push(played(episode))
    got = await collect(Inbox(streams, never), batch, discards)
    assert [t.id for t in got] == [e.id for e in batch.episodes]
    assert discards == {}
    assert (await streams.counters()).pending == 12


async def test_nothing_is_settled_before_a_checkpoint_and_all_of_it_after(
    streams: MemoryStreams, batch: Batch, discards: Discards
) -> None:
    inbox = Inbox(streams, never)
    await inbox.offer(batch)
    for episode in batch.episodes:
        await streams.push(played(episode))
    first = await collect(inbox, batch, discards)
    reborn = Inbox(streams, never)  # the process died before its checkpoint
    assert await reborn.recall(frozenset()) == 12
    assert await collect(reborn, batch, discards) == first
    assert await reborn.settle() == 12
    audit = await streams.audit()
    assert audit.trained == batch.ids
    assert not audit.faults


async def test_what_a_checkpoint_holds_is_settled_on_recall(
    streams: MemoryStreams, batch: Batch, discards: Discards
) -> None:
    inbox = Inbox(streams, never)
    await inbox.offer(batch)
    for episode in batch.episodes:
        await streams.push(played(episode))
    await collect(inbox, batch, discards)
    assert await Inbox(streams, never).recall(batch.ids) == 0  # the process died between seal and acknowledgement
    assert (await streams.audit()).trained == batch.ids


async def test_poison_and_failures_leave_the_group_with_the_rest(
    streams: MemoryStreams, batch: Batch, discards: Discards
) -> None:
    inbox = Inbox(streams, never)
    await inbox.offer(batch)
    poison, broken, *good = batch.episodes
    for _ in range(MAX_DELIVERIES):
        (lease,) = await streams.lease("w")
        assert lease.episode == poison
        await streams.release(lease)
    await streams.push(failed(broken))
    for episode in good:
        await streams.push(played(episode))
    got = await collect(inbox, batch, discards)
    assert {t.id for t in got} == {e.id for e in good}
    assert "poison" in discards[poison.id]
    assert discards[broken.id] == "env_error: page died"
    await inbox.settle()
    audit = await streams.audit()
    assert audit.discarded == {poison.id, broken.id}
    assert not audit.open
    assert not audit.faults


async def test_slow_episodes_are_waited_for(streams: MemoryStreams, batch: Batch, discards: Discards) -> None:
    waiting = asyncio.create_task(collect(Inbox(streams, never), batch, discards))
    *most, last = batch.episodes
    for episode in most:
        await streams.push(played(episode))
    await asyncio.sleep(0)
    assert not waiting.done()
    await streams.push(played(last))
    assert len(await waiting) == 12


async def test_a_batch_lost_by_the_stream_is_offered_again(batch: Batch, discards: Discards) -> None:
    """Silence for longer than a roll-out takes: Redis may have lost what it had."""
    streams = MemoryStreams("r")
    hours: Iterator[float] = iter(float(3600 * i) for i in range(1000))
    offers = 0
    issue = streams.issue

    async def counted(*episodes: Episode) -> int:
        nonlocal offers
        offers += 1
        if offers == 3:
            for episode in batch.episodes:
                await streams.push(played(episode))
        return await issue(*episodes)

    streams.issue = counted  # type: ignore[method-assign]
    assert len(await collect(Inbox(streams, never, lambda: next(hours)), batch, discards)) == 12
    assert offers >= 3


async def test_a_stop_is_noticed_while_waiting(streams: MemoryStreams, batch: Batch, discards: Discards) -> None:
    asked = iter([False, True])
    with pytest.raises(Stopped):
        await collect(Inbox(streams, lambda: next(asked)), batch, discards)


async def test_at_the_end_nothing_stays_open(streams: MemoryStreams, batch: Batch, discards: Discards) -> None:
    inbox = Inbox(streams, never)
    await inbox.offer(batch)
    await streams.push(played(batch.episodes[0]))
    await inbox.abandon(frozenset(), "the run ended", discards.__setitem__)
    await inbox.settle()
    assert discards == dict.fromkeys(batch.ids, "the run ended")
    audit = await streams.audit()
    assert not audit.open
    assert not audit.faults
