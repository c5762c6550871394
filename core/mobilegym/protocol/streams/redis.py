"""Streams over Redis, by consumer groups and Lua."""

from __future__ import annotations

import socket
import time
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager
from typing import Any

import msgspec
from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import ExponentialWithJitterBackoff
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import RedisError, ResponseError
from redis.exceptions import TimeoutError as RedisTimeoutError

from mobilegym.protocol.codec import decode, encode
from mobilegym.protocol.errors import LeaseLost, StreamError, StreamUnavailable, Undecodable
from mobilegym.protocol.messages import SCHEMA, Discard, Episode, Heartbeat, PolicyVersion, TaskCard, Trajectory
from mobilegym.protocol.status import RunState
from mobilegym.protocol.streams import scripts
from mobilegym.protocol.streams.base import MAX_DELIVERIES, Audit, Counters, Delivery, Lease, PushResult, Streams
from mobilegym.protocol.streams.keys import LEARNER, RETURNED, WORKERS, Keys
from mobilegym.protocol.streams.reasons import POISON, UNDECODABLE

_RETURNED_IDLE_MS = 10 * 365 * 86_400_000  # a released entry pretends to be idle this long; no real lease is
_RETRIES = 5
# A machine that is gone says nothing: noticed after 30 s, not after the kernel's two hours.
_KEEP_ALIVE = {
    getattr(socket, name): seconds
    for name, seconds in (("TCP_KEEPIDLE", 15), ("TCP_KEEPINTVL", 5), ("TCP_KEEPCNT", 3))
    if hasattr(socket, name)
}
_TCP: dict[str, Any] = {"socket_connect_timeout": 5, "socket_keepalive": True, "socket_keepalive_options": _KEEP_ALIVE}


def _milliseconds(seconds: float) -> int:
    return max(1, round(seconds * 1000))


@asynccontextmanager
async def _typed_errors(what: str) -> AsyncIterator[None]:
    try:
        yield
    except (RedisConnectionError, RedisTimeoutError) as error:
        raise StreamUnavailable(f"{what}: Redis does not answer after {_RETRIES} retries: {error}") from error
    except RedisError as error:
        raise StreamError(f"{what}: {error}") from error


class RedisStreams(Streams):
    """One connection pool for one run, bound to the event loop that uses it. `capacity` bounds unread trajectories."""

    def __init__(self, url: str, run: str, *, capacity: int = 1024) -> None:
        self.run = run
        self.keys = Keys.of(run)
        self._capacity = capacity
        self._ready = False
        # No socket timeout: blocking reads wait on purpose; dead peers are found by keep-alive and health checks.
        self._redis: Any = Redis.from_url(  # replies of a bytes client, which the library types as bytes or str
            url,
            protocol=2,
            socket_timeout=None,
            **({} if url.startswith("unix:") else _TCP),
            health_check_interval=30,
            retry=Retry(ExponentialWithJitterBackoff(cap=2, base=0.05), _RETRIES),
            retry_on_error=[RedisConnectionError],
        )

    async def close(self) -> None:
        await self._redis.aclose()

    async def ping(self) -> None:
        async with _typed_errors("ping"):
            await self._redis.ping()

    async def _groups(self) -> None:
        if self._ready:
            return
        for key, group in ((self.keys.episodes, WORKERS), (self.keys.trajectories, LEARNER)):
            try:
                await self._redis.xgroup_create(key, group, id="0", mkstream=True)
            except ResponseError as error:
                if "BUSYGROUP" not in str(error):
                    raise
        self._ready = True

    async def _script(self, what: str, source: str, keys: Sequence[str], *args: Any) -> Any:
        async with _typed_errors(what):
            await self._groups()
            return await self._redis.register_script(source)(keys=list(keys), args=list(args))

    async def _read(self, what: str, key: str, group: str, consumer: str, start: str, count: int, block: float) -> Any:
        async with _typed_errors(what):
            await self._groups()
            reply = await self._redis.xreadgroup(
                group, consumer, {key: start}, count=count, block=_milliseconds(block) if block > 0 else None
            )
        return reply[0][1] if reply else []

    # -- episodes --

    async def issue(self, *episodes: Episode) -> int:
        if not episodes:
            return 0
        args = [part for e in episodes for part in (e.id, e.purpose, encode(e))]
        return int(await self._script("issue", scripts.ISSUE, (self.keys.issued, self.keys.episodes), *args))

    async def lease(self, worker: str, count: int = 1, block: float = 0.0) -> list[Lease]:
        leases = await self._reclaim(worker, _RETURNED_IDLE_MS // 2, count)
        if len(leases) == count:
            return leases
        rows = await self._read(
            "lease", self.keys.episodes, WORKERS, worker, ">", count - len(leases), 0.0 if leases else block
        )
        rows = [(entry.decode(), fields) for entry, fields in rows]
        if not rows:
            return leases
        pairs = [part for entry, fields in rows for part in (entry, fields[b"id"])]
        settled = await self._script(
            "lease", scripts.DROP_SETTLED, (self.keys.episodes, self.keys.seen, self.keys.discards), WORKERS, *pairs
        )
        for (entry, fields), gone in zip(rows, settled, strict=True):
            if not gone:
                leases += await self._as_lease(worker, entry, 1, fields[b"id"], fields[b"data"])
        return leases

    async def _as_lease(self, worker: str, entry: str, deliveries: int, id: bytes, data: bytes) -> list[Lease]:
        try:
            episode = decode(Episode, data)
        except Undecodable as error:
            await self._bury(self.keys.episodes, WORKERS, entry, id, data, str(error))
            return []
        return [Lease(entry=entry, worker=worker, deliveries=deliveries, episode=episode)]

    async def _bury(self, key: str, group: str, entry: str, id: bytes, data: bytes, why: str) -> None:
        reason = f"{UNDECODABLE}: {why}"
        line = encode(Discard(id=id.decode(errors="replace"), reason=reason, at=time.time()))
        keys = (key, self.keys.dead, self.keys.discards)
        await self._script("bury", scripts.BURY, keys, group, entry, id, data, reason, line)

    async def renew(self, lease: Lease) -> None:
        args = (WORKERS, lease.worker, lease.entry, lease.deliveries)
        if not await self._script("renew", scripts.RENEW, (self.keys.episodes,), *args):
            raise self._lost(lease)

    def _lost(self, lease: Lease) -> LeaseLost:
        return LeaseLost(f"episode {lease.episode.id} is no longer leased to {lease.worker}: stop playing it")

    async def release(self, lease: Lease, *, counts: bool = True) -> None:
        keep = lease.deliveries if counts else lease.deliveries - 1
        held = await self._script(
            "release",
            scripts.RELEASE,
            (self.keys.episodes, self.keys.discards, self.keys.dead),
            *(WORKERS, lease.worker, lease.entry, lease.deliveries, RETURNED, _RETURNED_IDLE_MS, keep),
            *(MAX_DELIVERIES, SCHEMA, POISON, lease.episode.id, encode(lease.episode)),
        )
        if not held:
            raise self._lost(lease)

    async def ack(self, lease: Lease) -> None:
        await self._script("ack", scripts.ACK, (self.keys.episodes,), WORKERS, lease.entry)

    async def reclaim(self, worker: str, min_idle: float, count: int = 16) -> list[Lease]:
        return await self._reclaim(worker, round(min_idle * 1000), count)

    async def _reclaim(self, worker: str, min_idle_ms: int, count: int) -> list[Lease]:
        rows = await self._script(
            "reclaim",
            scripts.RECLAIM,
            (self.keys.episodes, self.keys.seen, self.keys.discards, self.keys.dead),
            *(WORKERS, worker, min_idle_ms, count, MAX_DELIVERIES, SCHEMA, POISON),
        )
        leases: list[Lease] = []
        for entry, deliveries, data, id in rows:
            leases += await self._as_lease(worker, entry.decode(), deliveries, id, data)
        return leases

    # -- trajectories --

    async def push(self, trajectory: Trajectory) -> PushResult:
        keys = (self.keys.trajectories, self.keys.seen, self.keys.discards)
        args = (LEARNER, trajectory.id, encode(trajectory), self._capacity)
        return PushResult((await self._script("push", scripts.PUSH, keys, *args)).decode())

    async def consume(self, count: int = 1, block: float = 0.0) -> list[Delivery]:
        rows = await self._read("consume", self.keys.trajectories, LEARNER, LEARNER, ">", count, block)
        return await self._as_deliveries(rows)

    async def recall(self, after: str = "0", count: int = 64) -> list[Delivery]:
        rows = await self._read("recall", self.keys.trajectories, LEARNER, LEARNER, after, count, 0.0)
        return await self._as_deliveries(rows)

    async def _as_deliveries(self, rows: Iterable[tuple[bytes, dict[bytes, bytes]]]) -> list[Delivery]:
        deliveries: list[Delivery] = []
        for entry, fields in rows:
            try:
                trajectory = decode(Trajectory, fields[b"data"])
            except Undecodable as error:
                where = (self.keys.trajectories, LEARNER, entry.decode())
                await self._bury(*where, fields[b"id"], fields[b"data"], str(error))
                continue
            deliveries.append(Delivery(entry=entry.decode(), trajectory=trajectory))
        return deliveries

    async def ack_trajectories(self, deliveries: Iterable[Delivery]) -> int:
        pairs = [part for d in deliveries for part in (d.entry, d.trajectory.id)]
        if not pairs:
            return 0
        keys = (self.keys.trajectories, self.keys.trained, self.keys.discards)
        return int(await self._script("ack trajectories", scripts.SETTLE, keys, LEARNER, *pairs))

    async def discard(self, id: str, reason: str) -> bool:
        line = encode(Discard(id=id, reason=reason, at=time.time()))
        async with _typed_errors("discard"):
            return bool(await self._redis.hsetnx(self.keys.discards, id, line))

    async def discards(self) -> dict[str, Discard]:
        async with _typed_errors("discards"):
            rows = await self._redis.hgetall(self.keys.discards)
        return {id.decode(): decode(Discard, line) for id, line in rows.items()}

    # -- policy --

    async def publish_policy(self, version: PolicyVersion) -> None:
        async with _typed_errors("publish policy"):
            await self._redis.xadd(self.keys.policy, {"data": encode(version)})

    async def policy(self) -> PolicyVersion | None:
        return (await self._last_policy())[1]

    async def _last_policy(self) -> tuple[str, PolicyVersion | None]:
        async with _typed_errors("policy"):
            rows = await self._redis.xrevrange(self.keys.policy, count=1)
        if not rows:
            return "0", None
        return rows[0][0].decode(), decode(PolicyVersion, rows[0][1][b"data"])

    async def wait_policy(self, newer_than: int, timeout: float) -> PolicyVersion | None:
        deadline = time.monotonic() + timeout
        while True:
            entry, version = await self._last_policy()
            if version is not None and version.version > newer_than:
                return version
            left = deadline - time.monotonic()
            if left <= 0:
                return None
            async with _typed_errors("wait policy"):
                await self._redis.xread({self.keys.policy: entry}, count=1, block=_milliseconds(left))

    # -- run --

    async def beat(self, heartbeat: Heartbeat, ttl: float = 15.0) -> None:
        args = (heartbeat.who, encode(heartbeat), _milliseconds(ttl))
        await self._script("beat", scripts.BEAT, (self.keys.beats, self.keys.beat_expiry), *args)

    async def heartbeats(self) -> list[Heartbeat]:
        rows = await self._script("heartbeats", scripts.LIVE, (self.keys.beats, self.keys.beat_expiry))
        return sorted((decode(Heartbeat, row) for row in rows), key=lambda beat: beat.who)

    async def publish_tasks(self, cards: Sequence[TaskCard]) -> bool:
        async with _typed_errors("publish tasks"):
            return bool(await self._redis.setnx(self.keys.tasks, msgspec.msgpack.encode(list(cards))))

    async def tasks(self) -> list[TaskCard]:
        async with _typed_errors("tasks"):
            data = await self._redis.get(self.keys.tasks)
        return msgspec.msgpack.decode(data, type=list[TaskCard]) if data else []

    async def set_state(self, state: RunState) -> None:
        async with _typed_errors("set state"):
            await self._redis.set(self.keys.control, state.value)

    async def state(self) -> RunState:
        async with _typed_errors("state"):
            value = await self._redis.get(self.keys.control)
        return RunState(value.decode()) if value else RunState.RUNNING

    async def counters(self) -> Counters:
        async with _typed_errors("counters"):
            await self._groups()
            pipe = self._redis.pipeline(transaction=True)
            pipe.hlen(self.keys.issued)
            pipe.xlen(self.keys.episodes)
            pipe.xpending(self.keys.episodes, WORKERS)
            pipe.xlen(self.keys.trajectories)
            pipe.xpending(self.keys.trajectories, LEARNER)
            pipe.hlen(self.keys.trained)
            pipe.hlen(self.keys.discards)
            pipe.xlen(self.keys.dead)
            issued, episodes, leased, trajectories, pending, trained, discarded, dead = await pipe.execute()
        return Counters(
            issued=issued,
            waiting=episodes - leased["pending"],
            leased=leased["pending"],
            depth=trajectories - pending["pending"],
            pending=pending["pending"],
            trained=trained,
            discarded=discarded,
            dead=dead,
        )

    async def audit(self, purpose: str | None = None) -> Audit:
        async with _typed_errors("audit"):
            pipe = self._redis.pipeline(transaction=True)
            pipe.hgetall(self.keys.issued)
            pipe.hgetall(self.keys.trained)
            pipe.hkeys(self.keys.discards)
            purposes, trained, discarded = await pipe.execute()
        issued = frozenset(id.decode() for id, kind in purposes.items() if purpose in (None, kind.decode()))
        others = frozenset(id.decode() for id in purposes) - issued
        return Audit(
            issued=issued,
            trained=frozenset(id.decode() for id in trained) - others,
            discarded=frozenset(id.decode() for id in discarded) - others,
            repeated=frozenset(id.decode() for id, times in trained.items() if int(times) > 1) - others,
        )

    async def expire(self, ttl: float) -> None:
        async with _typed_errors("expire"):
            pipe = self._redis.pipeline(transaction=False)
            for key in self.keys.all():
                pipe.pexpire(key, _milliseconds(ttl))
            await pipe.execute()
