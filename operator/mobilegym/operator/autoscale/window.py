"""A stretch of samples, averaged.

Shares and rates are taken over whole learner steps: a step may be longer than the window, and a window inside one step
would see only waiting, or none. A window therefore starts at the end of the last step before it. Evaluations and long
checkpoints are left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from mobilegym.operator.autoscale.sample import Doing, Sample

LONG_SAVE = 0.5  # of the window: a checkpoint that lasts longer is no part of a usual step
STEPS = 2  # at least in a window: where batches are made ahead, a slow step and a fast one take turns
CALM_STEPS = 4  # at least in a window that lets workers go: the slowest episode of a batch differs from step to step
PATIENCE = 5.0  # windows of waiting in the first step, after which the learner is said to starve


@dataclass(frozen=True, kw_only=True, slots=True)
class Window:
    """None is what cannot be told yet."""

    seconds: float = 0.0  # covered
    whole: bool = False  # as long as it should be
    steps: int = 0  # learner steps in it
    wait: float | None = None  # share of its time that the learner waited for trajectories
    potential: float | None = None  # trajectories a second that the learner would take if it never waited
    production: float | None = None  # trajectories a second
    capability: float | None = None  # trajectories a second of the ready workers, were every phone busy
    buffer: float = 0.0  # unread trajectories, in learner steps
    backlog: float = 0.0  # episodes that no phone has taken, while the learner waited
    stale: float | None = None  # share of the consumed trajectories
    ready: float = 0.0  # workers, on average
    busy: float | None = None  # share of the phones

    @property
    def working(self) -> float:
        """Workers' worth of busy phones."""
        return self.ready * (self.busy or 0.0)

    @property
    def supply(self) -> float | None:
        """What the phones could make of what the learner would take; over 1, there is enough on average."""
        return self.capability / self.potential if self.capability and self.potential else None


Pair = tuple[Sample, Sample]


def measure(
    samples: Sequence[Sample], seconds: float, episodes: int, *, since: float = float("-inf"), least: int = STEPS
) -> Window:
    """Over the last `seconds` or a little more of a History. `episodes` are in one learner step, `least` steps in
    the window.

    Nothing before `since` counts.
    """
    tail = [s for s in samples if s.at >= since]
    if len(tail) < 2:
        return Window()
    ends = [i for i in range(1, len(tail)) if tail[i].step != tail[i - 1].step]
    oldest = _reach(usual(tail, seconds * LONG_SAVE), seconds)
    first = max((i for i in ends[:-least] if tail[i].at <= oldest), default=ends[0] if ends else 0)
    stretch = tail[first:]
    pairs = usual(stretch, seconds * LONG_SAVE)
    wait, potential, steps = _pace(stretch, pairs, ends[-1] - first if ends else 0, seconds, episodes)
    production, capability, busy = _phones(stretch, pairs)
    span = sum(b.at - a.at for a, b in pairs)
    collecting = [(a, b) for a, b in pairs if a.doing is Doing.COLLECTING]
    return Window(
        seconds=span,
        whole=span >= seconds and wait is not None and (steps >= least or not steps),
        steps=steps,
        wait=wait,
        potential=potential,
        production=production,
        capability=capability,
        buffer=mean((a.depth, b.at - a.at) for a, b in pairs) / episodes,
        backlog=mean((a.waiting, b.at - a.at) for a, b in collecting),
        stale=_stale(stretch),
        ready=mean((a.ready, b.at - a.at) for a, b in pairs),
        busy=busy,
    )


def _reach(pairs: Sequence[Pair], seconds: float) -> float:
    """The moment from which `pairs` cover so many seconds."""
    left = seconds
    for a, b in reversed(pairs):
        left -= b.at - a.at
        if left <= 0:
            return a.at
    return float("-inf")


def usual(samples: Sequence[Sample], longest: float) -> list[Pair]:
    """Pairs of neighbours between which the learner learnt, or saved for at most `longest` seconds."""
    kept: list[Pair] = []
    saving: list[Pair] = []
    for pair in pairwise(samples):
        if pair[0].doing is Doing.SAVING:
            saving.append(pair)
            continue
        kept += _short(saving, longest)
        saving = []
        if pair[0].doing.learns:
            kept.append(pair)
    return kept + _short(saving, longest)


def _short(saving: list[Pair], longest: float) -> list[Pair]:
    return saving if saving and saving[-1][1].at - saving[0][0].at <= longest else []


def _pace(
    stretch: Sequence[Sample], pairs: Sequence[Pair], last: int, seconds: float, episodes: int
) -> tuple[float | None, float | None, int]:
    """Wait share, consumption potential and number of the steps that end at `stretch[last]`; 0 is none.

    The step that goes on counts where it has waited for longer than the others did: its training is taken from them.
    """
    end = stretch[max(last, 0)]
    going_on = sum(b.at - a.at for a, b in pairs if a.at >= end.at and a.doing is Doing.COLLECTING)
    steps = end.step - stretch[0].step
    if steps <= 0:
        return (1.0 if going_on >= PATIENCE * seconds else None), None, 0
    wall = sum(b.at - a.at for a, b in pairs if a.at < end.at)
    waited = min(_waited(stretch[: last + 1]), wall)
    working = max(wall - waited, 1e-3)
    whole = waited / max(wall, 1e-3)
    projected = (waited + going_on) / (waited + going_on + working * (steps + 1) / steps)
    return max(whole, projected), steps * episodes / working, steps


def _waited(steps: Sequence[Sample]) -> float:
    """Seconds. From the learner's own clock; from the share of each step where it has none."""
    first, last = steps[0], steps[-1]
    if first.waited is not None and last.waited is not None:
        return last.waited - first.waited
    total, began = 0.0, first.at
    for a, b in pairwise(steps):
        if b.step != a.step:
            total += (b.wait_share or 0.0) * (b.at - began)
            began = b.at
    return total


def _phones(stretch: Sequence[Sample], pairs: Sequence[Pair]) -> tuple[float | None, float | None, float | None]:
    """Production, capability, share of busy phones. An evaluation's episodes are production too."""
    span = stretch[-1].at - stretch[0].at
    made = stretch[-1].produced - stretch[0].produced
    usable = [(a, b) for a, b in pairwise(stretch) if not a.full]
    worked = sum(a.busy * (b.at - a.at) for a, b in usable)
    there = sum(a.phones * (b.at - a.at) for a, b in usable)
    production = made / span if span > 0 else None
    if worked <= 0 or there <= 0:
        return production, None, None
    done = sum(b.produced - a.produced for a, b in usable)
    phones = mean((a.phones, b.at - a.at) for a, b in pairs)
    return production, done / worked * phones, min(1.0, worked / there)


def _stale(stretch: Sequence[Sample]) -> float | None:
    first, last = stretch[0], stretch[-1]
    if first.stale is None or last.stale is None or first.consumed is None or last.consumed is None:
        return None
    consumed = last.consumed - first.consumed
    return max(0.0, (last.stale - first.stale) / consumed) if consumed > 0 else None


def mean(weighted: Iterable[tuple[float, float]]) -> float:
    """Of (value, weight); 0 of nothing."""
    total = weight = 0.0
    for value, w in weighted:
        total += value * w
        weight += w
    return total / weight if weight > 0 else 0.0
