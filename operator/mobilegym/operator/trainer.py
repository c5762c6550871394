"""The learner's life: made, lost, preempted, failed, done."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

from mobilegym.operator.fleet import is_lost
from mobilegym.operator.observed import Pod
from mobilegym.operator.status import Reason
from mobilegym.run.learner import LearnerSpec

PREEMPTED = 75  # EX_TEMPFAIL: a checkpoint is written, start me again
SETUP = 2  # its set-up is wrong: another try is of no use
FIRST_DELAY = 5.0  # seconds after the first failure, doubled up to LONGEST_DELAY
LONGEST_DELAY = 300.0


class Do(StrEnum):
    NOTHING = "nothing"
    MAKE = "make"
    DELETE = "delete"
    FORCE = "force"  # of a silent node
    SUCCEED = "succeed"
    FAIL = "fail"


@dataclass(frozen=True, kw_only=True, slots=True)
class Tally:
    """Written down in the status, so that an operator that starts anew goes on counting.

    Failures are counted in a row: one after which the learner got further starts anew.
    """

    failures: int = 0
    preemptions: int = 0
    last_uid: str = ""  # of the pod counted last
    last_time: float | None = None  # unix seconds
    last_step: int = -1


@dataclass(frozen=True, kw_only=True, slots=True)
class Life:
    do: Do
    tally: Tally
    reason: Reason | None = None
    words: str = ""
    wait: float | None = None  # seconds until there is something to do


def delay(failures: int) -> float:
    return min(LONGEST_DELAY, FIRST_DELAY * 2.0 ** max(0, failures - 1)) if failures else 0.0


def live(
    pod: Pod | None, tally: Tally, spec: LearnerSpec, *, step: int, hash: str, silent: float | None, now: float
) -> Life:
    """What to do with the learner's pod; `silent` is the age of its last heartbeat in seconds."""
    if pod is None:
        return _absent(tally, spec, now)
    if pod.terminating:
        lost = is_lost(pod, now)
        words = "its node is silent: letting it go" if lost else "waiting for the former learner to end"
        # Counted now: an evicted pod's exit code is seen for a moment at most, then the pod is gone.
        counted = _preempted(pod, tally) if pod.disrupted else tally
        return Life(do=Do.FORCE if lost else Do.NOTHING, tally=counted, words=words, wait=10.0)
    if pod.ended:
        return _ended(pod, tally, spec, step, now)
    if silent is not None and silent > spec.stall_seconds and pod.ready:
        words = f"silent for {silent:.0f} s, more than spec.learner.stallSeconds: stopped"
        return Life(do=Do.DELETE, tally=_failed(pod, tally, step, now), reason=Reason.SILENT, words=words)
    if pod.hash != hash:
        return Life(do=Do.DELETE, tally=tally, reason=Reason.RESTARTING, words="the manifest has changed")
    return Life(do=Do.NOTHING, tally=tally)


def _absent(tally: Tally, spec: LearnerSpec, now: float) -> Life:
    if tally.failures > spec.backoff_limit:
        return Life(do=Do.FAIL, tally=tally, reason=Reason.BACKOFF_LIMIT, words=f"failed {times(tally.failures)}")
    wait = (tally.last_time or 0.0) + delay(tally.failures) - now if tally.failures else 0.0
    if wait > 0:
        words = f"failed {times(tally.failures)}, starting again in {wait:.0f} s"
        return Life(do=Do.NOTHING, tally=tally, reason=Reason.RESTARTING, words=words, wait=wait)
    return Life(do=Do.MAKE, tally=tally)


def _ended(pod: Pod, tally: Tally, spec: LearnerSpec, step: int, now: float) -> Life:
    if pod.phase == "Succeeded":
        return Life(do=Do.SUCCEED, tally=tally)
    if pod.disrupted or pod.exit_code == PREEMPTED:
        counted = _preempted(pod, tally)
        words = "preempted: its state is saved, starting again"
        return Life(do=Do.DELETE, tally=counted, reason=Reason.PREEMPTED, words=words)
    if pod.exit_code == SETUP:
        words = f"its set-up is wrong (exit 2): kubectl logs {pod.name} says what to change"
        return Life(do=Do.FAIL, tally=tally, reason=Reason.SETUP_WRONG, words=words)
    counted = _failed(pod, tally, step, now)
    if counted.failures > spec.backoff_limit:
        words = f"failed {times(counted.failures)}, last {end_of(pod)}: kubectl logs {pod.name}"
        return Life(do=Do.FAIL, tally=counted, reason=Reason.BACKOFF_LIMIT, words=words)
    wait = (counted.last_time or now) + delay(counted.failures) - now
    words = f"failed {times(counted.failures)}, last {end_of(pod)}; {spec.backoff_limit} are allowed"
    if wait > 0:  # the pod stays meanwhile: its log can be read
        return Life(do=Do.NOTHING, tally=counted, reason=Reason.RESTARTING, words=words, wait=wait)
    return Life(do=Do.DELETE, tally=counted, reason=Reason.RESTARTING, words=words)


def _failed(pod: Pod, tally: Tally, step: int, now: float) -> Tally:
    if pod.uid == tally.last_uid:
        return tally
    failures = 1 if step > tally.last_step else tally.failures + 1
    return replace(tally, failures=failures, last_uid=pod.uid, last_time=now, last_step=step)


def _preempted(pod: Pod, tally: Tally) -> Tally:
    if pod.uid == tally.last_uid:
        return tally
    return replace(tally, preemptions=tally.preemptions + 1, last_uid=pod.uid)


def end_of(pod: Pod) -> str:
    if pod.signal:
        return f"killed by signal {pod.signal}"
    if pod.exit_code is None:
        return pod.message or "without an exit code"
    return f"exit {pod.exit_code}" + (" (out of memory, or killed)" if pod.exit_code == 137 else "")


def times(number: int) -> str:
    return "once" if number == 1 else f"{number} times in a row"
