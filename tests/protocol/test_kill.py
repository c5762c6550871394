"""The property to keep under any kill: trained exactly once, or in the ledger with a reason."""

from __future__ import annotations

import random
from contextlib import suppress

import pytest

from mobilegym.protocol.errors import LeaseLost
from mobilegym.protocol.messages import Episode, Trajectory, trajectory_id
from mobilegym.protocol.status import EpisodeStatus
from mobilegym.protocol.streams import Lease, MemoryStreams, PushResult, RedisStreams, Streams

EPISODES = 40


def _episode(member: int) -> Episode:
    id = trajectory_id("r", "g", member)
    return Episode(id=id, run="r", group="g", member=member, template="clock.set_alarm", seed=1)


def _trajectory(episode: Episode) -> Trajectory:
    return Trajectory(
        id=episode.id,
        run="r",
        group="g",
        member=episode.member,
        template=episode.template,
        seed=1,
        status=EpisodeStatus.COMPLETED,
        reward=0.0,
    )


async def _work(streams: Streams, lease: Lease, rng: random.Random) -> None:
    """One lease's life, cut off at a random place."""
    match rng.randrange(6):
        case 0:
            return  # killed while playing
        case 1:
            with suppress(LeaseLost):
                await streams.release(lease, counts=rng.random() < 0.5)
        case 2:
            await streams.push(_trajectory(lease.episode))  # killed before the acknowledgement
        case _:
            if (await streams.push(_trajectory(lease.episode))).settled:
                await streams.ack(lease)


async def _learn(streams: Streams, rng: random.Random) -> None:
    """A learner that may be killed after any read, and then recalls; stale ones go to the ledger."""
    deliveries = await streams.recall() + await streams.consume(3)
    if rng.random() < 0.4:
        return
    for delivery in deliveries:
        if rng.random() < 0.2:
            await streams.discard(delivery.trajectory.id, "stale")
    await streams.ack_trajectories(deliveries)
    if rng.random() < 0.3:
        await streams.ack_trajectories(deliveries)


@pytest.mark.parametrize("kind", ["memory", "redis"])
@pytest.mark.parametrize("seed", range(5))
async def test_every_episode_is_trained_once_or_discarded(
    kind: str, seed: int, run_name: str, request: pytest.FixtureRequest
) -> None:
    rng = random.Random(seed)
    streams: Streams = (
        MemoryStreams(run_name, capacity=5)
        if kind == "memory"
        else RedisStreams(request.getfixturevalue("redis_url"), run_name, capacity=5)
    )
    async with streams:
        await streams.issue(*map(_episode, range(EPISODES)))
        while (await streams.audit()).open:
            await streams.issue(_episode(rng.randrange(EPISODES)))  # a learner that resumes issues again
            leases = await streams.lease("w0", count=2) + await streams.reclaim("w1", min_idle=0, count=2)
            for lease in leases:
                await _work(streams, lease, rng)
            await _learn(streams, rng)
            assert (await streams.audit()).faults == ()
        audit = await streams.audit()
        assert len(audit.trained) + len(audit.discarded) == EPISODES
        assert all(line.reason for line in (await streams.discards()).values())
        assert await streams.push(_trajectory(_episode(0))) is PushResult.DUPLICATE
