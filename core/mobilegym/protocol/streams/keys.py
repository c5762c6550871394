"""Redis key names of one run. The braces are a cluster hash tag: scripts need all keys in one slot."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Self

WORKERS = "workers"  # consumer group on episodes
LEARNER = "learner"  # consumer group on trajectories, and its one consumer
RETURNED = "returned"  # pseudo-consumer that holds released episodes


@dataclass(frozen=True, kw_only=True, slots=True)
class Keys:
    episodes: str  # stream: id, data
    trajectories: str  # stream: id, data
    dead: str  # stream: id, data, reason
    issued: str  # hash: id -> purpose
    seen: str  # set of ids pushed
    trained: str  # hash: id -> times acknowledged
    discards: str  # hash: id -> Discard
    policy: str  # stream of PolicyVersion
    beats: str  # hash: who -> Heartbeat
    beat_expiry: str  # sorted set: who by expiry, milliseconds
    tasks: str  # list of TaskCard
    control: str  # RunState

    @classmethod
    def of(cls, run: str) -> Self:
        return cls(**{field.name: f"mg:{{{run}}}:{field.name.replace('_', '-')}" for field in fields(cls)})

    def all(self) -> tuple[str, ...]:
        return tuple(getattr(self, field.name) for field in fields(self))
