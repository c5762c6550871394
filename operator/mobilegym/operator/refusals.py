"""What the API server refused, and when it is asked again."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import dataclass

from mobilegym.operator.errors import Refused
from mobilegym.operator.observed import Refusal
from mobilegym.operator.queue import backoff
from mobilegym.operator.store import Key

FIRST, LONGEST = 1.0, 60.0  # seconds between two tries


@dataclass(frozen=True, slots=True)
class _Closed:
    refusal: Refusal
    failures: int
    until: float
    generation: int


class Refusals:
    """By run and by gate: all pods share one, each other child has its own. A changed manifest opens them all."""

    def __init__(self, clock: Callable[[], float] = time.time, jitter: Callable[[], float] = random.random) -> None:
        self._clock = clock
        self._jitter = jitter
        self._runs: dict[Key, dict[str, _Closed]] = {}

    def last(self, key: Key) -> Refusal | None:
        closed = self._runs.get(key)
        return max(closed.values(), key=lambda c: c.refusal.at).refusal if closed else None

    def wait(self, key: Key, gate: str, generation: int) -> float:
        """Seconds until it may be tried again; 0 for now."""
        closed = self._runs.get(key, {}).get(gate)
        if closed is None or closed.generation != generation:
            return 0.0
        return max(0.0, closed.until - self._clock())

    def refused(self, key: Key, gate: str, what: str, error: Refused, generation: int) -> bool:
        """True where this is news."""
        gates = self._runs.setdefault(key, {})
        before, now = gates.get(gate), self._clock()
        failures = before.failures + 1 if before and before.generation == generation else 1
        refusal = Refusal(at=now, what=what, reason=error.reason, message=error.message, quota=error.quota)
        until = now + backoff(failures, FIRST, LONGEST, self._jitter)
        gates[gate] = _Closed(refusal, failures, until, generation)
        return before is None or (before.refusal.reason, before.refusal.quota) != (refusal.reason, refusal.quota)

    def accepted(self, key: Key, gate: str) -> None:
        gates = self._runs.get(key)
        if gates is not None and gates.pop(gate, None) is not None and not gates:
            del self._runs[key]

    def forget(self, key: Key) -> None:
        self._runs.pop(key, None)
