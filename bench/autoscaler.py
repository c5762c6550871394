"""The autoscaler in simulated time: how soon it answers a change, and what it costs beside fleets of a fixed size.

    python -m bench.autoscaler

The decisions are those of the operator; the learner and its phones are the model in bench/fleet.py: 96 episodes of 45 s
a step, 240 s of training a step, workers of 2 phones, staleness 1, at least 2 workers and at most 40. Every trace runs
for 4 hours and changes after 2.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any

from bench.figure import Figure
from bench.fleet import PHONES, Change, Conditions, Point, Simulation, run_spec

LEAST, MOST, FIRST = 2, 40, 4  # workers
CHANGE, END = 7200.0, 14_400.0
SEEDS = (0, 1, 2)
TARGET = 0.1  # of its time, that the learner may wait
NEAR = 0.25  # of the right size, that counts as arrived

Trace = tuple[tuple[float, Change], ...]


def become(**changed: Any) -> Change:
    def change(simulation: Simulation) -> None:
        simulation.conditions = replace(simulation.conditions, **changed)

    return change


def away(seconds: float) -> Change:
    return lambda simulation: simulation.stop_learner(seconds)


@dataclass(frozen=True, kw_only=True)
class Scene:
    """`after` are the conditions for which the right size is that of the second half; `frozen` seconds of it are none
    of the fleet's business, so that nothing should change in them."""

    name: str
    trace: Trace = ()
    before: Conditions = field(default_factory=Conditions)
    after: Conditions = field(default_factory=Conditions)
    frozen: float = 0.0


def alternating(train: Sequence[float], every: float) -> Trace:
    count = int((END - CHANGE) / every)
    return tuple((CHANGE + every * i, become(train=train[i % len(train)])) for i in range(count))


SCENES = (
    Scene(name="steady"),
    Scene(name="learner twice as fast", trace=((CHANGE, become(train=120.0)),), after=Conditions(train=120.0)),
    Scene(name="episodes twice as long", trace=((CHANGE, become(episode=90.0)),), after=Conditions(episode=90.0)),
    Scene(name="learner half as fast", trace=((CHANGE, become(train=480.0)),), after=Conditions(train=480.0)),
    Scene(name="learner away for 3 min", trace=((CHANGE, away(180.0)),), frozen=200.0),
    Scene(
        name="checkpoint of 10 min",
        trace=((CHANGE, become(save=600.0)), (CHANGE + 600.0, become(save=3.0))),
        frozen=600.0,
    ),
    Scene(name="nodes for 6 workers", before=Conditions(nodes=6), after=Conditions(nodes=6)),
    Scene(
        name="learner's speed flaps every 10 min", trace=alternating((160.0, 240.0), 600.0), after=Conditions(train=200)
    ),
)


def played(scene: Scene, replicas: int, seed: int, *, auto: bool) -> list[Point]:
    spec = run_spec(replicas, LEAST, MOST, enabled=auto)
    return Simulation(spec=spec, conditions=replace(scene.before), seed=seed, trace=scene.trace).run(END)


def right_size(conditions: Conditions) -> int:
    """The smallest fixed fleet with which the learner waits for no more than it may."""
    low, high = LEAST, MOST
    while low < high:
        middle = (low + high) // 2
        points = Simulation(spec=run_spec(middle, LEAST, MOST, enabled=False), conditions=conditions, seed=7).run(END)
        low, high = (low, middle) if points[-1].wait / END <= TARGET else (middle + 1, high)
    return min(low, conditions.nodes)


def tail(points: Sequence[Point]) -> list[Point]:
    return [p for p in points if p.at >= CHANGE]


def idle_share(points: Sequence[Point]) -> float:
    """Of the learner, from the change on."""
    late = tail(points)
    return (late[-1].wait - late[0].wait) / (late[-1].at - late[0].at)


def wasted(points: Sequence[Point]) -> float:
    """Pod-minutes an hour that phones of ready workers did nothing, from the change on."""
    late = tail(points)
    seconds = sum(a.idle_phones / PHONES * (b.at - a.at) for a, b in pairwise(late))
    return seconds / 60 / ((late[-1].at - late[0].at) / 3600)


def reacted(points: Sequence[Point], since: float) -> float | None:
    """Seconds until the fleet first changed."""
    late = [p for p in points if p.at >= since]
    return next((p.at - since for p in late if p.replicas != late[0].replicas), None)


def arrived(points: Sequence[Point], since: float, right: int) -> float | None:
    """Seconds until the fleet first was near the right size."""
    near = max(1.0, NEAR * right)
    return next((p.at - since for p in points if p.at >= since and abs(p.replicas - right) <= near), None)


def peak(points: Sequence[Point], since: float, right: int) -> float | None:
    """By how much of the right size the fleet was larger, once it had been near."""
    near = arrived(points, since, right)
    if near is None:
        return None
    return max(0.0, max(p.replicas for p in points if p.at >= since + near) / right - 1)


def turns(points: Sequence[Point]) -> int:
    """How often a rise followed a fall, or a fall a rise."""
    moves = [b.replicas - a.replicas for a, b in pairwise(points) if b.replicas != a.replicas]
    return sum((a > 0) != (b > 0) for a, b in pairwise(moves))


def short(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.2g}"


def say(name: str, unit: str, values: Sequence[float | None], note: str) -> None:
    """What did not happen within the trace is told in the note."""
    found = [v for v in values if v is not None]
    missing = len(values) - len(found)
    if found:
        Figure.of(name, unit, found, f"{note}; not in {missing} of {len(values)} runs" if missing else note).say()


def figures(scene: Scene) -> None:
    right = right_size(scene.after)
    runs = [played(scene, FIRST, seed, auto=True) for seed in SEEDS]
    since = CHANGE if scene.trace else 0.0
    if scene.frozen:
        held = [float(_changes(points, CHANGE, CHANGE + scene.frozen)) for points in runs]
        say(f"{scene.name}: changes of the fleet meanwhile", "count", held, "")
    elif len(scene.trace) <= 1:
        say(f"{scene.name}: time to react", "s", [reacted(points, since) for points in runs], "")
        near = f"first within {NEAR:.0%} of {right} workers, the fewest with which the learner waits <= {TARGET:.0%}"
        say(f"{scene.name}: time to converge", "s", [arrived(points, since, right) for points in runs], near)
    if not scene.frozen:
        peaks = [peak(points, since, right) for points in runs]
        say(f"{scene.name}: overshoot", "share", peaks, f"over {right} workers, once the fleet was near it")
    say(f"{scene.name}: changes of direction", "count", [float(turns(points)) for points in runs], "in 4 h")
    fixed = {size: played(scene, size, SEEDS[0], auto=False) for size in (LEAST, right, MOST)}
    costs: tuple[tuple[str, str, Callable[[Sequence[Point]], float]], ...] = (
        ("learner idle", "share", idle_share),
        ("wasted", "pod-min/h", wasted),
    )
    for name, unit, cost in costs:
        beside = ", ".join(f"{size}: {short(cost(points))}" for size, points in fixed.items())
        say(f"{scene.name}: {name}", unit, [cost(points) for points in runs], f"fixed fleets of {beside}")


def _changes(points: Sequence[Point], since: float, until: float) -> int:
    span = [p for p in points if since <= p.at <= until]
    return sum(a.replicas != b.replicas for a, b in pairwise(span))


def main() -> None:
    for scene in SCENES:
        figures(scene)


if __name__ == "__main__":
    main()
