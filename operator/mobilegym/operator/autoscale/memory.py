"""What the autoscaler remembers of one run."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from mobilegym.operator import names
from mobilegym.operator.autoscale.decision import NEVER, Fleet
from mobilegym.operator.autoscale.history import GAP_SECONDS, History
from mobilegym.operator.autoscale.sample import Doing, Sample
from mobilegym.operator.autoscale.window import Window
from mobilegym.operator.observed import Pod
from mobilegym.run.manifest import RunSpec

STARTS = 64  # start-up times kept
START_GUESS = 60.0  # seconds, before any start was seen
LONGEST_EPISODE = 900.0  # seconds, that new phones are given to bring in their first
FRUITLESS = 2  # rises in a row, after which no more are made; one may be a change that came at the same time
LEAST_GAIN = 0.25  # of the growth that a rise should have brought
WORTH_JUDGING = 1.05  # growth of the phones at work; a smaller one is none
CHANGED = 1.25  # a supply smaller by so much is another situation
STARVED_SECONDS = 3600.0  # that what a rise has taught is believed: too few workers
NO_GAIN_SECONDS = 1800.0  # the same: of no use; doubled each time that it is found again
NO_GAIN_DOUBLINGS = 3


@dataclass(frozen=True, slots=True)
class Lesson:
    """A supply, and until when it is believed to teach something."""

    until: float
    supply: float


@dataclass
class Memory:
    """Times are unix seconds."""

    history: History = field(default_factory=History)
    last: Sample | None = None  # also of a learner that is down
    replicas: int | None = None  # as asked about last
    asked: int | None = None  # as recommended last
    rose: float | None = None
    fell: float = -NEVER
    edited: float = -NEVER
    settled: float = -NEVER  # since when the workers of the last rise have been ready and have brought episodes in
    starting_since: float | None = None
    down_since: float | None = None
    remembered: int | None = None  # workers there were before the learner went
    unready: dict[str, float] = field(default_factory=dict)  # pods' creation by uid
    starts: deque[float] = field(default_factory=lambda: deque(maxlen=STARTS))
    up: Window | None = None  # as measured last
    before: Window | None = None  # as it was before the last rise, until that is judged
    fruitless: int = 0  # rises in a row that brought little
    starved: Lesson | None = None  # supply at which the learner starved
    no_gain: Lesson | None = None  # supply at which more workers brought nothing

    def take(self, sample: Sample, pods: Sequence[Pod], window_seconds: float) -> None:
        """A sample older than the last is not taken."""
        if self.last is not None and sample.at <= self.last.at:
            return
        self.last = sample
        self.history.add(sample, window_seconds)
        self.starting_since = _since(self.starting_since, sample.starting > 0, sample.at)
        self.down_since = _since(self.down_since, sample.doing is Doing.DOWN, sample.at)
        self._time_starts(pods, sample.at)

    def _time_starts(self, pods: Sequence[Pod], at: float) -> None:
        """Of pods seen before they were ready: a pod first met ready may have been so for long."""
        workers = [pod for pod in pods if pod.part == names.WORKER and pod.alive]
        ready = [pod.uid for pod in workers if pod.ready and pod.uid in self.unready]
        self.starts.extend(max(0.0, at - self.unready[uid]) for uid in ready)
        self.unready = {pod.uid: pod.created for pod in workers if not pod.ready}

    @property
    def start_p95(self) -> float:
        if not self.starts:
            return START_GUESS
        return sorted(self.starts)[math.ceil(0.95 * len(self.starts)) - 1]

    def follow(self, current: int, now: float) -> None:
        """Notices that the number of workers has been changed, and by whom."""
        before, self.replicas = self.replicas, current
        if before is not None and current != before:
            ours = current == self.asked
            if not ours:
                self.edited, self.before = now, None
            elif current > before and self.remembered is None:
                self.before = self.up
                if self.up is not None and self.up.supply is not None:
                    self.starved = Lesson(now + STARVED_SECONDS, max(self.up.supply, self.starved_at(now)))
            if current > before:
                self.rose, self.settled = now, NEVER
            else:
                self.fell = now
            if not ours:
                self.remembered = None
        if self.remembered is not None and current >= self.remembered and self.down_since is None:
            self.remembered = None
        self._settle(now)

    def _settle(self, now: float) -> None:
        """After a rise nothing is measured until its workers are ready and have had time for an episode each."""
        last = self.last
        if self.settled < NEVER or last is None or self.rose is None or last.at <= self.rose:
            return
        overdue = now - self.rose > 2 * self.start_p95
        if last.ready >= (self.replicas or 0) or (overdue and last.ready > 0):
            self.settled = last.at + self._episode_seconds()

    def _episode_seconds(self) -> float:
        """Little's law: phones at work by episodes finished a second."""
        samples = self.history.samples
        made = samples[-1].produced - samples[0].produced if samples else 0
        work = sum(a.busy * (b.at - a.at) for a, b in pairwise(samples))
        return min(LONGEST_EPISODE, work / made) if made > 0 else 0.0

    def learn(self, up: Window, target_wait: float, now: float) -> None:
        """Phones that got slower as more of them worked share something that is short, for example the engine."""
        self.up, before = up, self.before
        if before is None or not up.whole or up.wait is None:
            return
        self.before = None
        gain = _gain(before, up)
        if gain is None:
            return
        self.fruitless = self.fruitless + 1 if gain < LEAST_GAIN and up.wait > target_wait else 0
        if self.fruitless >= FRUITLESS:
            seconds = NO_GAIN_SECONDS * 2 ** min(self.fruitless - FRUITLESS, NO_GAIN_DOUBLINGS)
            self.no_gain = Lesson(now + seconds, up.supply or 0.0)

    def starved_at(self, now: float) -> float:
        return self.starved.supply if self.starved is not None and now < self.starved.until else 0.0

    def knows_no_gain(self, now: float) -> bool:
        if self.no_gain is None or now >= self.no_gain.until:
            return False
        supply = self.up.supply if self.up is not None else None
        return supply is None or supply * CHANGED > self.no_gain.supply

    def fleet(self, spec: RunSpec, now: float) -> Fleet:
        last = self.last
        if last is None or now - last.at > GAP_SECONDS:
            return Fleet(numbers=False, suspended=spec.suspend)
        since = [at for at in (self.rose, self.starting_since) if at is not None]
        return Fleet(
            doing=last.doing,
            suspended=spec.suspend,
            starting=last.starting,
            starting_for=now - max(since, default=now),
            start_p95=min(self.start_p95, spec.workers.startup_deadline_seconds),
            unschedulable=last.unschedulable,
            down_for=now - self.down_since if self.down_since is not None else 0.0,
            remembered=self.remembered,
            fell=now - self.fell,
            edited=now - self.edited,
            no_gain=self.knows_no_gain(now),
            starved_at=self.starved_at(now),
            reach=min(spec.algorithm.staleness, spec.stream.capacity / spec.algorithm.episodes_per_step),
        )


def _since(before: float | None, holds: bool, at: float) -> float | None:
    """Since when it has held without a break."""
    return (before if before is not None else at) if holds else None


def _gain(before: Window, after: Window) -> float | None:
    """Growth of production by growth of the phones at work: 1 where they work as fast as before, 0 where all of them
    got slower for it, or no more of them work at all. None where it cannot be told."""
    if not before.working or not before.capability or not after.capability or after.ready <= before.ready:
        return None
    grown = after.working / before.working
    if grown < WORTH_JUDGING:
        return 0.0
    faster = (after.capability / after.ready) / (before.capability / before.ready)
    return (grown * faster - 1) / (grown - 1)
