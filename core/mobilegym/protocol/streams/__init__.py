"""The streams of one run, behind one interface: Redis for processes, memory for tests and single-process use."""

from mobilegym.protocol.streams.base import (
    MAX_DELIVERIES,
    Audit,
    Counters,
    Delivery,
    Lease,
    PushResult,
    Streams,
)
from mobilegym.protocol.streams.memory import MemoryStreams
from mobilegym.protocol.streams.persist import PATIENCE_SECONDS, persist, persist_blocking
from mobilegym.protocol.streams.redis import RedisStreams

__all__ = [
    "MAX_DELIVERIES",
    "PATIENCE_SECONDS",
    "Audit",
    "Counters",
    "Delivery",
    "Lease",
    "MemoryStreams",
    "PushResult",
    "RedisStreams",
    "Streams",
    "persist",
    "persist_blocking",
]
