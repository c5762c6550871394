"""How many workers there should be. Pure: called again with the same, it says the same.

    up      wait > target, buffer < low, and episodes that no phone takes; where the phones are enough on average, the
            wait must last for the down window
    down    wait < idle for the whole down window, and buffer > high or stale > limit
    else    leave it

A learner that does not learn just now (down, loading, saving, evaluating) says nothing about the fleet: nothing is
changed. Back-pressure of a full stream is the safety; this only saves money and time.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum

from mobilegym.operator.autoscale.sample import Doing
from mobilegym.operator.autoscale.window import Window
from mobilegym.run.autoscaling import AutoscalingSpec

MARGIN = 1.1  # of production over consumption that is aimed at
AMPLE = 1.25  # supply over which a starving learner waits for the slowest episode of a batch rather than for phones
LEAST_RISE, MOST_RISE = 1.05, 2.0
FALL_SHARE, FALL_SECONDS = 0.25, 60.0  # at most so much of the fleet at a time
DOWN_SECONDS = 300.0  # without a learner, after which the fleet shrinks to its least
NEVER = float("inf")


class Reason(StrEnum):
    DISABLED = "Disabled"
    SUSPENDED = "Suspended"
    NO_NUMBERS = "NoNumbers"  # Redis does not answer
    EDITED = "EditedByUser"
    LEARNER_DOWN = "LearnerDown"
    LEARNER_GONE = "LearnerGone"  # for so long that its workers went
    LEARNER_BACK = "LearnerBack"
    LEARNER_STARTING = "LearnerStarting"
    SAVING = "Saving"
    EVALUATING = "Evaluating"
    FINISHED = "Finished"
    MEASURING = "Measuring"  # the window is not full yet
    TOO_FEW_PHONES = "TooFewPhones"
    TOO_MANY_PHONES = "TooManyPhones"
    WORKERS_STARTING = "WorkersStarting"
    UNSCHEDULABLE = "Unschedulable"
    NO_GAIN = "NoGain"  # the last rise brought no more trajectories
    ENOUGH_PHONES = "EnoughPhones"  # every issued episode has a phone
    AT_MAX = "AtMax"
    AT_MIN = "AtMin"
    BOUNDS = "OutOfBounds"
    STEADY = "Steady"


@dataclass(frozen=True, kw_only=True, slots=True)
class Bounds:
    """`useful` workers have a phone for every episode that staleness allows to be open: more could only idle."""

    min: int
    max: int
    useful: int

    @property
    def ceiling(self) -> int:
        return max(self.min, min(self.max, self.useful))

    def clamp(self, replicas: int) -> int:
        return max(self.min, min(self.max, replicas))


@dataclass(frozen=True, kw_only=True, slots=True)
class Fleet:
    """The state that is no average. Durations are seconds up to now, NEVER for what has not happened."""

    doing: Doing = Doing.TRAINING
    suspended: bool = False
    numbers: bool = True  # of now, not of long ago
    starting: int = 0
    starting_for: float = 0.0  # since the last rise, or since workers have been starting all the time
    start_p95: float = 60.0
    unschedulable: int = 0
    down_for: float = 0.0  # without a learner
    remembered: int | None = None  # workers there were before the learner went
    fell: float = NEVER
    edited: float = NEVER  # by somebody else
    no_gain: bool = False
    starved_at: float = 0.0  # supply at which the learner starved all the same: of late episodes, or too few at once
    reach: float = NEVER  # learner steps that can wait unread: by staleness and the stream's capacity

    @property
    def rising(self) -> bool:
        """What was asked for last is still on its way."""
        return self.starting > 0 and self.starting_for < 2 * self.start_p95


@dataclass(frozen=True, kw_only=True, slots=True)
class Decision:
    replicas: int
    reason: Reason
    words: str


def decide(spec: AutoscalingSpec, bounds: Bounds, current: int, up: Window, down: Window, fleet: Fleet) -> Decision:
    """`up` and `down` are measured over the two windows of `spec`."""
    if not spec.enabled:
        return Decision(replicas=current, reason=Reason.DISABLED, words="spec.autoscaling.enabled is false")
    found = _held(spec, bounds, current, fleet) or _moved(spec, bounds, current, up, down, fleet)
    kept = bounds.clamp(found.replicas)
    return found if kept == found.replicas else _into(bounds, found.replicas)


def _into(bounds: Bounds, replicas: int) -> Decision:
    words = f"{replicas} workers are outside {bounds.min} to {bounds.max}"
    return Decision(replicas=bounds.clamp(replicas), reason=Reason.BOUNDS, words=words)


def _held(spec: AutoscalingSpec, bounds: Bounds, current: int, fleet: Fleet) -> Decision | None:
    """What comes before any figure; None where figures decide."""

    def hold(reason: Reason, words: str, replicas: int = current) -> Decision:
        return Decision(replicas=replicas, reason=reason, words=words)

    if fleet.suspended:
        return hold(Reason.SUSPENDED, "the run is suspended")
    if not fleet.numbers:
        return hold(Reason.NO_NUMBERS, "Redis tells nothing of this run")
    if fleet.doing is Doing.ENDED:
        return hold(Reason.FINISHED, "the learner has ended")
    if fleet.edited < spec.window_seconds:
        return hold(Reason.EDITED, f"workers.replicas was set by hand {fleet.edited:.0f} s ago")
    if fleet.doing is Doing.DOWN:
        if fleet.down_for < DOWN_SECONDS:
            return hold(Reason.LEARNER_DOWN, f"no learner for {fleet.down_for:.0f} s; the fleet waits for it")
        return hold(Reason.LEARNER_GONE, f"no learner for {fleet.down_for:.0f} s", bounds.min)
    if fleet.remembered is not None and fleet.remembered > current:
        return hold(Reason.LEARNER_BACK, "as many workers as before the learner went", fleet.remembered)
    if current == 0 and bounds.max > 0:
        return hold(Reason.TOO_FEW_PHONES, "a learner without any worker can only wait", 1)
    return _busy_elsewhere(current, fleet.doing)


def _busy_elsewhere(current: int, doing: Doing) -> Decision | None:
    told = {
        Doing.STARTING: (Reason.LEARNER_STARTING, "the learner is starting"),
        Doing.SAVING: (Reason.SAVING, "the learner writes a checkpoint"),
        Doing.EVALUATING: (Reason.EVALUATING, "the learner evaluates"),
    }.get(doing)
    return Decision(replicas=current, reason=told[0], words=told[1]) if told is not None else None


def _moved(spec: AutoscalingSpec, bounds: Bounds, current: int, up: Window, down: Window, fleet: Fleet) -> Decision:
    if current != bounds.clamp(current):
        return _into(bounds, current)
    if current > bounds.ceiling:
        words = f"{bounds.useful} workers have a phone for every episode that may be open"
        return _fall(current, bounds.ceiling, fleet, words)
    if not up.whole or up.wait is None:
        words = f"{up.seconds:.0f} of {spec.window_seconds} s seen since the last change"
        return Decision(replicas=current, reason=Reason.MEASURING, words=words)
    if up.wait > spec.target_wait and up.buffer < spec.low_buffer:
        if ample(up) and not (down.whole and (down.wait or 0.0) > spec.target_wait):
            words = f"{starving(up, spec)}; the phones are enough on average, so this may be one slow episode"
            return Decision(replicas=current, reason=Reason.STEADY, words=words)
        return _rise(bounds, current, up, fleet, starving(up, spec))
    if spare(spec, up, down, fleet):
        return _shrink(bounds, current, down, fleet)
    return Decision(replicas=current, reason=Reason.STEADY, words=f"the learner waits {up.wait:.0%} of its time")


def starving(up: Window, spec: AutoscalingSpec) -> str:
    waits = f"the learner waits {up.wait or 0.0:.0%} of its time (target {spec.target_wait:.0%})"
    return f"{waits}, {up.buffer:.2g} steps' worth of trajectories are unread"


def _rise(bounds: Bounds, current: int, up: Window, fleet: Fleet, words: str) -> Decision:
    def hold(reason: Reason, why: str) -> Decision:
        return Decision(replicas=current, reason=reason, words=f"{words}; {why}")

    if fleet.unschedulable:
        return hold(Reason.UNSCHEDULABLE, f"{fleet.unschedulable} workers have no node: no more are asked for")
    if fleet.rising:
        return hold(Reason.WORKERS_STARTING, f"{fleet.starting} workers are starting")
    if current >= bounds.max:
        return hold(Reason.AT_MAX, f"workers.max is {bounds.max}")
    if current >= bounds.ceiling or up.backlog < 0.5:
        return hold(Reason.ENOUGH_PHONES, "every issued episode has a phone: more staleness would help, phones do not")
    if fleet.no_gain:
        return hold(Reason.NO_GAIN, "the last rise brought no more trajectories: see the engine's load")
    wanted = min(bounds.ceiling, math.ceil(up.ready * rise(up)))
    if wanted <= current:
        return hold(Reason.WORKERS_STARTING, f"{current} workers were asked for and should be enough")
    return Decision(replicas=wanted, reason=Reason.TOO_FEW_PHONES, words=words)


def ample(up: Window) -> bool:
    return up.supply is not None and up.supply > AMPLE


def rise(up: Window) -> float:
    """By how much the workers grow. Over whole steps, consumption potential / production is 1 / (1 - wait)."""
    wait = min(up.wait or 0.0, 0.99)
    margin = 1.0 if ample(up) else MARGIN
    return min(MOST_RISE, max(LEAST_RISE, margin / (1 - wait)))


def spare(spec: AutoscalingSpec, up: Window, down: Window, fleet: Fleet) -> bool:
    """Over the whole down window, hence also over the end of it.

    A buffer cannot hold more than staleness lets be issued ahead: it is high where it is nearly that.
    """
    if not down.whole or up.wait is None or down.wait is None or max(up.wait, down.wait) >= spec.idle_wait:
        return False
    high = min(spec.high_buffer, max(0.0, fleet.reach - 0.4))
    return min(up.buffer, down.buffer) > high or (down.stale or 0.0) > spec.stale


def _shrink(bounds: Bounds, current: int, down: Window, fleet: Fleet) -> Decision:
    """Not below what the learner takes, with the margin that a rise aims at."""
    need = bounds.min
    if down.supply is not None:
        need = max(need, math.ceil(down.ready / down.supply * MARGIN * max(1.0, fleet.starved_at)))
    if current <= bounds.min:
        return Decision(replicas=current, reason=Reason.AT_MIN, words=f"workers.min is {bounds.min}")
    if need >= current:
        return Decision(
            replicas=current, reason=Reason.STEADY, words="the phones are about as many as the learner needs"
        )
    words = f"the learner does not wait and {down.buffer:.2g} steps' worth of trajectories are unread"
    return _fall(current, need, fleet, words)


def _fall(current: int, wanted: int, fleet: Fleet, words: str) -> Decision:
    if fleet.fell < FALL_SECONDS:
        wait = f"; the last workers went {fleet.fell:.0f} s ago"
        return Decision(replicas=current, reason=Reason.TOO_MANY_PHONES, words=words + wait)
    step = max(1, math.floor(current * FALL_SHARE))
    return Decision(replicas=max(wanted, current - step), reason=Reason.TOO_MANY_PHONES, words=words)
