"""What to do when a child has ended: a pure decision."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from mobilegym.local.process import Role

PREEMPTED = 75  # EX_TEMPFAIL: a checkpoint is written, start me again
SETUP = 2  # the child says that its set-up is wrong: another try is of no use


class Then(StrEnum):
    DONE = "done"
    RESTART = "restart"
    ASK = "ask"  # restart, unless the run is over
    FAIL = "fail"


@dataclass(frozen=True, kw_only=True, slots=True)
class Backoff:
    """Seconds. A child that lived for `healthy` starts counting anew."""

    first: float = 1.0
    most: float = 30.0
    healthy: float = 60.0

    def delay(self, failures: int) -> float:
        return min(self.most, self.first * 2.0 ** max(0, failures - 1))


@dataclass(frozen=True, kw_only=True, slots=True)
class Decision:
    then: Then
    failures: int  # in a row, this one included
    delay: float = 0.0
    why: str = ""


def decide(role: Role, code: int, *, lived: float, failures: int, limit: int, backoff: Backoff) -> Decision:
    """`failures` in a row before this end; `limit` of them fail the run."""
    if role is Role.LEARNER and code == 0:
        return Decision(then=Then.DONE, failures=0)
    if code == PREEMPTED:
        return Decision(then=Then.RESTART, failures=failures, why="preempted")
    if role is Role.WORKER and code == 0:
        return Decision(then=Then.ASK, failures=failures, delay=backoff.first, why="drained")
    if code == SETUP:
        return Decision(then=Then.FAIL, failures=failures + 1, why="its set-up is wrong (exit 2)")
    failures = 1 if lived >= backoff.healthy else failures + 1
    why = f"killed by signal {-code}" if code < 0 else f"exit {code}"
    if failures > limit:
        times = f"{failures} times in a row" if failures > 1 else "once, and backoffLimit is 0"
        return Decision(then=Then.FAIL, failures=failures, why=f"failed {times}, last {why}")
    return Decision(then=Then.RESTART, failures=failures, delay=backoff.delay(failures), why=why)
