"""What only a real server shows."""

from __future__ import annotations

import pytest
from redis.asyncio import Redis

from mobilegym.protocol.errors import StreamUnavailable
from mobilegym.protocol.messages import Episode, trajectory_id
from mobilegym.protocol.streams import RedisStreams


async def test_an_entry_that_cannot_be_read_goes_to_dead_with_a_reason(redis_url: str, run_name: str) -> None:
    async with RedisStreams(redis_url, run_name) as streams, Redis.from_url(redis_url, protocol=2) as raw:
        await streams.counters()  # creates the groups
        await raw.xadd(streams.keys.episodes, {"id": "bad-episode", "data": b"\xc1"})
        await raw.xadd(streams.keys.trajectories, {"id": "bad-trajectory", "data": b"\xc1"})
        assert await streams.lease("w0") == []
        assert await streams.consume() == []
        reasons = {id: line.reason for id, line in (await streams.discards()).items()}
        assert sorted(reasons) == ["bad-episode", "bad-trajectory"]
        assert all(reason.startswith("undecodable") for reason in reasons.values())
        counters = await streams.counters()
        assert (counters.dead, counters.leased, counters.pending) == (2, 0, 0)


async def test_two_connections_share_one_run_and_no_other(redis_url: str, run_name: str) -> None:
    id = trajectory_id(run_name, "g", 0)
    episode = Episode(id=id, run=run_name, group="g", member=0, template="t", seed=1)
    async with (
        RedisStreams(redis_url, run_name) as learner,
        RedisStreams(redis_url, run_name) as worker,
        RedisStreams(redis_url, run_name + "-other") as other,
    ):
        await learner.issue(episode)
        assert await other.lease("w0") == []
        assert [lease.episode for lease in await worker.lease("w0")] == [episode]


async def test_all_keys_of_a_run_expire_together(redis_url: str, run_name: str) -> None:
    async with RedisStreams(redis_url, run_name) as streams, Redis.from_url(redis_url, protocol=2) as raw:
        await streams.issue(Episode(id="x", run=run_name, group="g", member=0, template="t", seed=1))
        await streams.discard("y", "stale")
        await streams.expire(60)
        keys = [key async for key in raw.scan_iter(match=f"mg:{{{run_name}}}:*")]
        assert len(keys) == 4
        assert all([0 < await raw.pttl(key) <= 60_000 for key in keys])


async def test_a_server_that_does_not_answer_is_a_typed_error(run_name: str) -> None:
    async with RedisStreams("redis://127.0.0.1:1/0", run_name) as streams:
        with pytest.raises(StreamUnavailable, match="does not answer"):
            await streams.ping()
