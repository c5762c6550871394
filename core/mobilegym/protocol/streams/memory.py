"""Streams in one process, same contract as Redis."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from mobilegym.protocol.errors import LeaseLost
from mobilegym.protocol.messages import Discard, Episode, Heartbeat, PolicyVersion, TaskCard, Trajectory
from mobilegym.protocol.status import RunState
from mobilegym.protocol.streams.base import MAX_DELIVERIES, Audit, Counters, Delivery, Lease, PushResult, Streams
from mobilegym.protocol.streams.reasons import POISON


@dataclass(slots=True)
class _Pending:
    episode: Episode
    worker: str
    deliveries: int
    seen_at: float  # -inf: returned


class MemoryStreams(Streams):
    """`clock` gives unix seconds. `capacity` bounds unread trajectories."""

    def __init__(self, run: str, *, capacity: int = 1024, clock: Callable[[], float] = time.time) -> None:
        self.run = run
        self._capacity = capacity
        self._clock = clock
        self._changed = asyncio.Condition()
        self._next_entry = 0
        self._issued: dict[str, str] = {}
        self._waiting: dict[str, Episode] = {}
        self._leased: dict[str, _Pending] = {}
        self._dead: list[Episode] = []
        self._seen: set[str] = set()
        self._unread: dict[str, Trajectory] = {}
        self._read: dict[str, Trajectory] = {}
        self._trained: dict[str, int] = {}
        self._discards: dict[str, Discard] = {}
        self._policy: PolicyVersion | None = None
        self._beats: dict[str, tuple[float, Heartbeat]] = {}
        self._cards: list[TaskCard] = []
        self._state = RunState.RUNNING

    async def close(self) -> None:
        pass

    async def ping(self) -> None:
        pass

    def _entry(self) -> str:
        self._next_entry += 1
        return f"{self._next_entry}-0"

    async def _notify(self) -> None:
        async with self._changed:
            self._changed.notify_all()

    async def _wait_for(self, ready: Callable[[], bool], timeout: float) -> bool:
        async with self._changed:
            try:
                await asyncio.wait_for(self._changed.wait_for(ready), max(timeout, 0.0))
            except TimeoutError:
                return ready()
        return True

    async def issue(self, *episodes: Episode) -> int:
        new = 0
        for episode in episodes:
            if episode.id not in self._issued:
                self._issued[episode.id] = episode.purpose
                self._waiting[self._entry()] = episode
                new += 1
        await self._notify()
        return new

    async def lease(self, worker: str, count: int = 1, block: float = 0.0) -> list[Lease]:
        leases = await self.reclaim(worker, float("inf"), count)
        if leases:
            block = 0.0
        self._drop_settled()
        if not self._waiting and block > 0:
            await self._wait_for(lambda: bool(self._waiting), block)
        for entry in list(self._waiting)[: count - len(leases)]:
            pending = _Pending(self._waiting.pop(entry), worker, 1, self._clock())
            self._leased[entry] = pending
            leases.append(self._as_lease(entry, pending))
        return leases

    def _settled(self, id: str) -> bool:
        return id in self._seen or id in self._discards

    def _drop_settled(self) -> None:
        for entry in [e for e, episode in self._waiting.items() if self._settled(episode.id)]:
            del self._waiting[entry]

    def _as_lease(self, entry: str, pending: _Pending) -> Lease:
        return Lease(entry=entry, worker=pending.worker, deliveries=pending.deliveries, episode=pending.episode)

    def _own(self, lease: Lease) -> _Pending:
        pending = self._leased.get(lease.entry)
        if pending is None or pending.worker != lease.worker or pending.deliveries != lease.deliveries:
            raise LeaseLost(f"episode {lease.episode.id} is no longer leased to {lease.worker}: stop playing it")
        return pending

    async def renew(self, lease: Lease) -> None:
        self._own(lease).seen_at = self._clock()

    async def release(self, lease: Lease, *, counts: bool = True) -> None:
        pending = self._own(lease)
        pending.seen_at = float("-inf")
        pending.worker = ""
        if not counts:
            pending.deliveries -= 1
        elif pending.deliveries >= MAX_DELIVERIES:
            self._bury(lease.entry, pending)
        await self._notify()

    async def ack(self, lease: Lease) -> None:
        self._leased.pop(lease.entry, None)

    async def reclaim(self, worker: str, min_idle: float, count: int = 16) -> list[Lease]:
        now = self._clock()
        idle = [(entry, p) for entry, p in self._leased.items() if now - p.seen_at >= min_idle]
        leases: list[Lease] = []
        for entry, pending in idle:
            if len(leases) == count:
                break
            if self._settled(pending.episode.id):
                del self._leased[entry]
            elif pending.deliveries >= MAX_DELIVERIES:
                self._bury(entry, pending)
            else:
                pending.worker, pending.deliveries, pending.seen_at = worker, pending.deliveries + 1, now
                leases.append(self._as_lease(entry, pending))
        return leases

    def _bury(self, entry: str, pending: _Pending) -> None:
        del self._leased[entry]
        self._dead.append(pending.episode)
        self._discards.setdefault(pending.episode.id, Discard(id=pending.episode.id, reason=POISON, at=self._clock()))

    async def push(self, trajectory: Trajectory) -> PushResult:
        if self._settled(trajectory.id):
            return PushResult.DUPLICATE
        if len(self._unread) >= self._capacity:
            return PushResult.FULL
        self._seen.add(trajectory.id)
        self._unread[self._entry()] = trajectory
        await self._notify()
        return PushResult.OK

    async def consume(self, count: int = 1, block: float = 0.0) -> list[Delivery]:
        if not self._unread and block > 0:
            await self._wait_for(lambda: bool(self._unread), block)
        entries = list(self._unread)[:count]
        for entry in entries:
            self._read[entry] = self._unread.pop(entry)
        return [Delivery(entry=entry, trajectory=self._read[entry]) for entry in entries]

    async def recall(self, after: str = "0", count: int = 64) -> list[Delivery]:
        start = int(after.partition("-")[0])
        later = [entry for entry in self._read if int(entry.partition("-")[0]) > start]
        return [Delivery(entry=entry, trajectory=self._read[entry]) for entry in later[:count]]

    async def ack_trajectories(self, deliveries: Iterable[Delivery]) -> int:
        settled = 0
        for delivery in deliveries:
            if self._read.pop(delivery.entry, None) is None:
                continue
            settled += 1
            id = delivery.trajectory.id
            if id not in self._discards:
                self._trained[id] = self._trained.get(id, 0) + 1
        return settled

    async def discard(self, id: str, reason: str) -> bool:
        if id in self._discards:
            return False
        self._discards[id] = Discard(id=id, reason=reason, at=self._clock())
        return True

    async def discards(self) -> dict[str, Discard]:
        return dict(self._discards)

    async def publish_policy(self, version: PolicyVersion) -> None:
        self._policy = version
        await self._notify()

    async def policy(self) -> PolicyVersion | None:
        return self._policy

    async def wait_policy(self, newer_than: int, timeout: float) -> PolicyVersion | None:
        def newer() -> bool:
            return self._policy is not None and self._policy.version > newer_than

        return self._policy if await self._wait_for(newer, timeout) else None

    async def beat(self, heartbeat: Heartbeat, ttl: float = 15.0) -> None:
        self._beats[heartbeat.who] = (self._clock() + ttl, heartbeat)

    async def heartbeats(self) -> list[Heartbeat]:
        now = self._clock()
        return sorted((beat for until, beat in self._beats.values() if until > now), key=lambda beat: beat.who)

    async def publish_tasks(self, cards: Sequence[TaskCard]) -> bool:
        if self._cards:
            return False
        self._cards = list(cards)
        return True

    async def tasks(self) -> list[TaskCard]:
        return list(self._cards)

    async def set_state(self, state: RunState) -> None:
        self._state = state

    async def state(self) -> RunState:
        return self._state

    async def counters(self) -> Counters:
        return Counters(
            issued=len(self._issued),
            waiting=len(self._waiting),
            leased=len(self._leased),
            depth=len(self._unread),
            pending=len(self._read),
            trained=len(self._trained),
            discarded=len(self._discards),
            dead=len(self._dead),
        )

    async def audit(self, purpose: str | None = None) -> Audit:
        issued = frozenset(id for id, kind in self._issued.items() if purpose in (None, kind))
        others = frozenset(self._issued) - issued
        return Audit(
            issued=issued,
            trained=frozenset(self._trained) - others,
            discarded=frozenset(self._discards) - others,
            repeated=frozenset(id for id, times in self._trained.items() if times > 1) - others,
        )

    async def expire(self, ttl: float) -> None:
        pass
