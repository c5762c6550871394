"""The autoscaler through hours of a simulated run."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import pytest
from bench.autoscaler import away, become
from bench.fleet import Change, Conditions, Point, Simulation, run_spec

HOUR = 3600.0
WINDOW = 60.0


def replay(
    *trace: tuple[float, Change],
    conditions: Conditions | None = None,
    seed: int = 0,
    until: float = 3 * HOUR,
    staleness: int = 1,
) -> list[Point]:
    """2 to 40 workers, from 4; 96 episodes of 45 s and 240 s of training a step."""
    spec = run_spec(4, 2, 40, staleness=staleness)
    return Simulation(spec=spec, conditions=conditions or Conditions(), seed=seed, trace=trace).run(until)


def turns(points: Sequence[Point]) -> int:
    moves = [b.replicas - a.replicas for a, b in pairwise(points) if a.replicas != b.replicas]
    return sum((a > 0) != (b > 0) for a, b in pairwise(moves))


def sizes(points: Sequence[Point], since: float, until: float = 1e9) -> set[int]:
    return {p.replicas for p in points if since <= p.at <= until}


def waits(points: Sequence[Point], since: float) -> float:
    late = [p for p in points if p.at >= since]
    return (late[-1].wait - late[0].wait) / (late[-1].at - late[0].at)


@pytest.mark.parametrize("seed", range(2))
def test_a_steady_run_converges_and_stays(seed: int) -> None:
    points = replay(seed=seed)
    assert waits(points, HOUR) < 0.1
    assert sizes(points, 25 * WINDOW) <= set(range(8, 15))
    assert turns(points) <= 3


@pytest.mark.parametrize("seed", range(2))
def test_with_more_staleness_it_finds_the_size_and_never_leaves_it(seed: int) -> None:
    points = replay(seed=seed, staleness=3)
    assert len(sizes(points, HOUR)) == 1
    assert turns(points) == 0
    assert waits(points, HOUR) < 0.02


@pytest.mark.parametrize(
    "changed", [{"train": 120.0}, {"episode": 90.0}], ids=["learner twice as fast", "episodes twice as long"]
)
def test_more_need_is_answered_within_ten_windows_and_met_within_fifty(changed: dict[str, float]) -> None:
    points = replay((HOUR, become(**changed)), until=4 * HOUR)
    before = next(p for p in points if p.at >= HOUR).replicas
    assert max(sizes(points, HOUR, HOUR + 10 * WINDOW)) > before
    assert max(sizes(points, HOUR, HOUR + 50 * WINDOW)) >= 2 * before
    assert waits(points, HOUR + 50 * WINDOW) < 0.15
    assert turns(points) <= 4


def test_less_need_lets_workers_go() -> None:
    points = replay((HOUR, become(train=480.0)), until=4 * HOUR)
    assert points[-1].replicas <= 6
    assert waits(points, 2 * HOUR) < 0.1
    falls = [(a.replicas, b.replicas) for a, b in pairwise(points) if b.replicas < a.replicas]
    assert all(before - after <= max(1, before // 4) for before, after in falls)


def test_nothing_changes_while_the_learner_restarts() -> None:
    points = replay((HOUR, away(180.0)))
    assert len(sizes(points, HOUR + 10.0, HOUR + 200.0)) == 1


def test_nothing_changes_in_a_long_checkpoint() -> None:
    points = replay((HOUR, become(save=600.0)), (HOUR + 600.0, become(save=3.0)))
    inside = [p for p in points if HOUR + 10.0 <= p.at <= HOUR + 900.0 and p.reason == "Saving"]
    assert len(inside) > 30
    assert len({p.replicas for p in inside}) == 1


def test_a_learner_that_stays_away_frees_its_workers_until_it_is_back() -> None:
    points = replay((HOUR, away(900.0)))
    before = next(p for p in points if p.at >= HOUR).replicas
    assert sizes(points, HOUR, HOUR + 290.0) == {before}
    assert sizes(points, HOUR + 340.0, HOUR + 890.0) == {2}
    assert sizes(points, HOUR + 930.0, HOUR + 1000.0) == {before}


def test_no_more_is_asked_for_than_once_beyond_the_nodes() -> None:
    points = replay(conditions=Conditions(nodes=6))
    assert max(p.ready for p in points) == 6
    assert points[-1].replicas <= 12
    assert points[-1].reason == "Unschedulable"
    assert turns(points) == 0


def test_an_engine_at_its_limit_stops_the_rise_for_half_an_hour() -> None:
    points = replay(conditions=Conditions(engine=12), until=2 * HOUR)
    first = next(p.at for p in points if p.reason == "NoGain")
    assert len(sizes(points, first, first + 29 * WINDOW)) == 1
    assert max(sizes(points, 0.0, first)) < 40


@pytest.mark.parametrize("seed", range(2))
def test_a_flapping_load_is_not_followed(seed: int) -> None:
    flaps = [(HOUR + 600.0 * i, become(train=160.0 if i % 2 else 240.0)) for i in range(12)]
    points = replay(*flaps, seed=seed)
    assert turns(points) <= 4
    assert waits(points, HOUR) < 0.12


def test_a_replay_repeats() -> None:
    assert replay(seed=5, until=HOUR) == replay(seed=5, until=HOUR)
    assert replay(seed=5, until=HOUR) != replay(seed=6, until=HOUR)
