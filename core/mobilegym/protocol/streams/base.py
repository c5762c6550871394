"""The streams interface of a run.

Property kept under any kill: every issued episode is trained exactly once or stands in the discard ledger with
a reason.
All writes are idempotent by episode id, so a caller may repeat one whose answer was lost.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from types import TracebackType
from typing import Self

from mobilegym.protocol.messages import Discard, Episode, Heartbeat, PolicyVersion, TaskCard, Trajectory
from mobilegym.protocol.status import RunState

MAX_DELIVERIES = 3  # an episode that this many leases did not finish is poison


class PushResult(StrEnum):
    OK = "ok"
    DUPLICATE = "duplicate"  # pushed before, or discarded: drop it and acknowledge the lease
    FULL = "full"  # back-pressure: keep the lease, wait, push again

    @property
    def settled(self) -> bool:
        return self is not PushResult.FULL


@dataclass(frozen=True, kw_only=True, slots=True)
class Lease:
    """An episode that one worker may play until the lease goes idle."""

    entry: str
    worker: str
    deliveries: int  # 1 .. MAX_DELIVERIES, this one included: the attempt's number
    episode: Episode


@dataclass(frozen=True, kw_only=True, slots=True)
class Delivery:
    """A trajectory read but not yet acknowledged. `entry` is the cursor to recall after."""

    entry: str
    trajectory: Trajectory


@dataclass(frozen=True, kw_only=True, slots=True)
class Counters:
    issued: int  # episodes ever issued
    waiting: int  # episodes that nobody leases
    leased: int  # episodes being played
    depth: int  # trajectories that the learner has not read
    pending: int  # trajectories read, not acknowledged
    trained: int  # trajectories acknowledged and not discarded
    discarded: int
    dead: int  # poison entries kept for inspection

    @property
    def lost(self) -> int:
        """Issued episodes that are nowhere: must be 0. One that is being handed on may stand in two places."""
        found = self.waiting + self.leased + self.depth + self.pending + self.trained + self.discarded
        return max(0, self.issued - found)


@dataclass(frozen=True, kw_only=True, slots=True)
class Audit:
    """Where every issued episode stands."""

    issued: frozenset[str]
    trained: frozenset[str]
    discarded: frozenset[str]
    repeated: frozenset[str]  # acknowledged as trained more than once

    @property
    def open(self) -> frozenset[str]:
        """Neither trained nor discarded yet: empty at the end of a run."""
        return self.issued - self.trained - self.discarded

    @property
    def faults(self) -> tuple[str, ...]:
        """What may never be, in words; empty is right at any time."""
        both = self.trained & self.discarded
        unissued = (self.trained | self.discarded) - self.issued
        found = (("trained twice", self.repeated), ("trained and discarded", both), ("never issued", unissued))
        return tuple(f"{name}: {', '.join(sorted(ids)[:5])} ({len(ids)})" for name, ids in found if ids)


class Streams(ABC):
    """All times are seconds. Blocking reads return what came, or nothing at the time's end."""

    run: str

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    @abstractmethod
    async def close(self) -> None: ...

    @abstractmethod
    async def ping(self) -> None:
        """Raises StreamUnavailable."""

    # -- episodes: learner to workers --

    @abstractmethod
    async def issue(self, *episodes: Episode) -> int:
        """Offer episodes; those issued before are left alone. Returns how many were new."""

    @abstractmethod
    async def lease(self, worker: str, count: int = 1, block: float = 0.0) -> list[Lease]:
        """Up to `count` episodes: returned ones first, then new ones, waiting up to `block` for the first."""

    @abstractmethod
    async def renew(self, lease: Lease) -> None:
        """Say that the episode is still being played. Raises LeaseLost."""

    @abstractmethod
    async def release(self, lease: Lease, *, counts: bool = True) -> None:
        """Give the episode back for anyone to lease at once. `counts=False` for a drain: the attempt was no failure.

        A release after the last allowed delivery buries it. Raises LeaseLost.
        """

    @abstractmethod
    async def ack(self, lease: Lease) -> None:
        """The episode's trajectory is pushed: forget the lease. Harmless when repeated or lost."""

    @abstractmethod
    async def reclaim(self, worker: str, min_idle: float, count: int = 16) -> list[Lease]:
        """Take over leases not renewed for `min_idle`. The fourth delivery goes to `dead` and the ledger instead."""

    # -- trajectories: workers to learner --

    @abstractmethod
    async def push(self, trajectory: Trajectory) -> PushResult: ...

    @abstractmethod
    async def consume(self, count: int = 1, block: float = 0.0) -> list[Delivery]:
        """New trajectories, each delivered once."""

    @abstractmethod
    async def recall(self, after: str = "0", count: int = 64) -> list[Delivery]:
        """Own trajectories that were consumed and never acknowledged, later than the cursor `after`."""

    @abstractmethod
    async def ack_trajectories(self, deliveries: Iterable[Delivery]) -> int:
        """Settle: each counts as trained unless it was discarded before. Returns how many were still pending.

        Only for what a complete checkpoint or the ledger holds.
        """

    @abstractmethod
    async def discard(self, id: str, reason: str) -> bool:
        """Write the ledger: this episode will never be trained on. False if it stood there already."""

    @abstractmethod
    async def discards(self) -> dict[str, Discard]: ...

    # -- policy --

    @abstractmethod
    async def publish_policy(self, version: PolicyVersion) -> None:
        """The last one published is the current one, also when its number is lower (resumed from a checkpoint)."""

    @abstractmethod
    async def policy(self) -> PolicyVersion | None: ...

    @abstractmethod
    async def wait_policy(self, newer_than: int, timeout: float) -> PolicyVersion | None:
        """The current policy once its number is above `newer_than`; None at the time's end."""

    # -- run --

    @abstractmethod
    async def beat(self, heartbeat: Heartbeat, ttl: float = 15.0) -> None: ...

    @abstractmethod
    async def heartbeats(self) -> list[Heartbeat]:
        """The latest of each process whose heartbeat has not expired, by name."""

    @abstractmethod
    async def publish_tasks(self, cards: Sequence[TaskCard]) -> bool:
        """Set the task catalogue if there is none. False if there was one."""

    @abstractmethod
    async def tasks(self) -> list[TaskCard]:
        """The task catalogue; empty before a worker has published it."""

    @abstractmethod
    async def set_state(self, state: RunState) -> None: ...

    @abstractmethod
    async def state(self) -> RunState: ...

    @abstractmethod
    async def counters(self) -> Counters: ...

    @abstractmethod
    async def audit(self, purpose: str | None = None) -> Audit:
        """Of all episodes, or of those with one purpose."""

    @abstractmethod
    async def expire(self, ttl: float) -> None:
        """Let everything of this run vanish after `ttl`."""
