"""How many workers a run gets: single decisions, what is seen in a window, what is remembered."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mobilegym.operator.autoscale import autoscaler as module
from mobilegym.operator.autoscale.autoscaler import Autoscaler, bounds_of
from mobilegym.operator.autoscale.decision import Bounds, Fleet, Reason, decide
from mobilegym.operator.autoscale.history import LIMIT, History
from mobilegym.operator.autoscale.sample import Doing, Sample
from mobilegym.operator.autoscale.window import Window, measure
from mobilegym.operator.observed import Numbers, Pod
from mobilegym.protocol.messages import Heartbeat
from mobilegym.protocol.streams.base import Counters
from mobilegym.run.autoscaling import AutoscalingSpec
from mobilegym.run.load import validate_run
from mobilegym.run.manifest import RunSpec

SPEC = AutoscalingSpec(enabled=True)
BOUNDS = Bounds(min=2, max=40, useful=60)
STARVING = Window(
    seconds=120.0, whole=True, steps=2, wait=0.3, potential=1.0, production=0.7, capability=0.7, backlog=9.0, ready=10.0
)
FED = replace(STARVING, wait=0.05, production=0.95, capability=1.0, buffer=0.5)
CALM = replace(STARVING, seconds=600.0, wait=0.0, production=1.0, capability=2.0, buffer=2.5, steps=5)


def run_of(replicas: int = 10, **spec: Any) -> RunSpec:
    whole = {
        "model": {"preset": "pocket"},
        "workers": {"replicas": replicas, "min": 2, "max": 40, "phonesPerWorker": 2},
        "autoscaling": {"enabled": True},
    } | spec
    run = {"apiVersion": "mobilegym.io/v1alpha1", "kind": "MobileGymRun", "metadata": {"name": "run"}, "spec": whole}
    return validate_run(run, "run").spec


# -- decisions --


@pytest.mark.parametrize(
    ("current", "up", "down", "fleet", "replicas", "reason"),
    [
        (10, STARVING, STARVING, Fleet(), 16, Reason.TOO_FEW_PHONES),
        (10, replace(STARVING, wait=0.9), STARVING, Fleet(), 20, Reason.TOO_FEW_PHONES),
        (10, replace(STARVING, wait=0.11), STARVING, Fleet(), 13, Reason.TOO_FEW_PHONES),
        (10, replace(STARVING, buffer=0.6), STARVING, Fleet(), 10, Reason.STEADY),
        (10, replace(STARVING, backlog=0.0), STARVING, Fleet(), 10, Reason.ENOUGH_PHONES),
        (10, replace(STARVING, capability=2.0), Window(), Fleet(), 10, Reason.STEADY),
        (10, replace(STARVING, capability=2.0), STARVING, Fleet(), 15, Reason.TOO_FEW_PHONES),
        (10, replace(STARVING, whole=False), CALM, Fleet(), 10, Reason.MEASURING),
        (10, STARVING, STARVING, Fleet(starting=1, starting_for=119.0), 10, Reason.WORKERS_STARTING),
        (10, STARVING, STARVING, Fleet(starting=1, starting_for=120.0), 16, Reason.TOO_FEW_PHONES),
        (18, STARVING, STARVING, Fleet(starting=8, starting_for=200.0), 18, Reason.WORKERS_STARTING),
        (10, STARVING, STARVING, Fleet(unschedulable=2), 10, Reason.UNSCHEDULABLE),
        (10, STARVING, STARVING, Fleet(no_gain=True), 10, Reason.NO_GAIN),
        (40, STARVING, STARVING, Fleet(), 40, Reason.AT_MAX),
        (10, FED, FED, Fleet(), 10, Reason.STEADY),
        (10, CALM, CALM, Fleet(), 8, Reason.TOO_MANY_PHONES),
        (10, CALM, CALM, Fleet(fell=59.0), 10, Reason.TOO_MANY_PHONES),
        (3, CALM, replace(CALM, ready=3.0), Fleet(), 2, Reason.TOO_MANY_PHONES),
        (2, CALM, CALM, Fleet(), 2, Reason.AT_MIN),
        (10, CALM, replace(CALM, wait=0.03), Fleet(), 10, Reason.STEADY),
        (10, CALM, replace(CALM, whole=False), Fleet(), 10, Reason.STEADY),
        (10, CALM, replace(CALM, buffer=1.9), Fleet(), 10, Reason.STEADY),
        (10, CALM, replace(CALM, buffer=0.0, stale=0.06), Fleet(), 8, Reason.TOO_MANY_PHONES),
        (10, replace(CALM, buffer=0.8), replace(CALM, buffer=0.7), Fleet(reach=1.0), 8, Reason.TOO_MANY_PHONES),
        (10, CALM, replace(CALM, capability=1.0), Fleet(), 10, Reason.STEADY),
        (10, CALM, CALM, Fleet(starved_at=1.9), 10, Reason.STEADY),
        (10, CALM, CALM, Fleet(unschedulable=3), 8, Reason.TOO_MANY_PHONES),
        (10, STARVING, STARVING, Fleet(doing=Doing.SAVING), 10, Reason.SAVING),
        (10, STARVING, STARVING, Fleet(doing=Doing.EVALUATING), 10, Reason.EVALUATING),
        (10, STARVING, STARVING, Fleet(doing=Doing.STARTING), 10, Reason.LEARNER_STARTING),
        (0, STARVING, STARVING, Fleet(doing=Doing.DOWN), 2, Reason.BOUNDS),
        (10, STARVING, STARVING, Fleet(doing=Doing.DOWN, down_for=299.0), 10, Reason.LEARNER_DOWN),
        (10, STARVING, STARVING, Fleet(doing=Doing.DOWN, down_for=300.0), 2, Reason.LEARNER_GONE),
        (2, STARVING, STARVING, Fleet(doing=Doing.STARTING, remembered=9), 9, Reason.LEARNER_BACK),
        (10, CALM, CALM, Fleet(doing=Doing.ENDED), 10, Reason.FINISHED),
        (10, STARVING, STARVING, Fleet(suspended=True), 10, Reason.SUSPENDED),
        (10, STARVING, STARVING, Fleet(numbers=False), 10, Reason.NO_NUMBERS),
        (10, STARVING, STARVING, Fleet(edited=59.0), 10, Reason.EDITED),
        (50, STARVING, STARVING, Fleet(), 40, Reason.BOUNDS),
    ],
)
def test_a_decision(current: int, up: Window, down: Window, fleet: Fleet, replicas: int, reason: Reason) -> None:
    found = decide(SPEC, BOUNDS, current, up, down, fleet)
    assert (found.replicas, found.reason) == (replicas, reason), found.words


def test_without_autoscaling_nothing_is_changed() -> None:
    assert decide(AutoscalingSpec(), BOUNDS, 99, STARVING, STARVING, Fleet()).replicas == 99


def test_workers_beyond_a_phone_for_every_open_episode_go() -> None:
    few = Bounds(min=2, max=40, useful=12)
    assert decide(SPEC, few, 14, FED, FED, Fleet()).replicas == 12
    assert decide(SPEC, few, 12, STARVING, STARVING, Fleet()).reason is Reason.ENOUGH_PHONES


def test_a_learner_is_never_left_without_any_worker() -> None:
    """It waits for the first worker's task catalogue before it trains."""
    assert (
        decide(SPEC, Bounds(min=0, max=4, useful=9), 0, Window(), Window(), Fleet(doing=Doing.STARTING)).replicas == 1
    )


def test_useful_workers_follow_from_staleness() -> None:
    assert bounds_of(run_of(algorithm={"staleness": 0})).useful == 48
    assert bounds_of(run_of(algorithm={"staleness": 2})).useful == 144


shares = st.floats(0.0, 1.0)
windows = st.builds(
    Window,
    seconds=st.floats(0, 1000),
    whole=st.booleans(),
    steps=st.integers(0, 9),
    wait=st.none() | shares,
    potential=st.none() | st.floats(0, 10),
    production=st.none() | st.floats(0, 10),
    capability=st.none() | st.floats(0, 10),
    buffer=st.floats(0, 5),
    backlog=st.floats(0, 99),
    stale=st.none() | shares,
    ready=st.floats(0, 60),
    busy=st.none() | shares,
)
fleets = st.builds(
    Fleet,
    doing=st.sampled_from(Doing),
    suspended=st.booleans(),
    numbers=st.booleans(),
    starting=st.integers(0, 9),
    starting_for=st.floats(0, 500),
    start_p95=st.floats(1, 300),
    unschedulable=st.integers(0, 3),
    down_for=st.floats(0, 900),
    remembered=st.none() | st.integers(0, 60),
    fell=st.floats(0, 500),
    edited=st.floats(0, 500),
    no_gain=st.booleans(),
    starved_at=st.floats(0, 3),
    reach=st.floats(0, 8),
)
bounds = st.builds(
    lambda low, more, useful: Bounds(min=low, max=low + more, useful=useful),
    st.integers(0, 20),
    st.integers(0, 40),
    st.integers(1, 99),
)


@given(bounds, st.integers(0, 80), windows, windows, fleets)
def test_a_decision_stays_within_the_bounds_and_repeats(
    limits: Bounds, current: int, up: Window, down: Window, fleet: Fleet
) -> None:
    found = decide(SPEC, limits, current, up, down, fleet)
    assert limits.min <= found.replicas <= limits.max
    assert found == decide(SPEC, limits, current, up, down, fleet)


@given(st.integers(2, 40), windows, windows, fleets)
def test_nothing_rises_by_starvation_while_workers_start(current: int, up: Window, down: Window, fleet: Fleet) -> None:
    young = replace(fleet, starting=1, starting_for=0.0, remembered=None, doing=Doing.COLLECTING)
    assert decide(SPEC, BOUNDS, current, up, down, young).replicas <= current


@given(st.integers(2, 40), windows, windows, fleets, shares, shares)
def test_who_waits_longer_gets_no_fewer_workers(
    current: int, up: Window, down: Window, fleet: Fleet, one: float, other: float
) -> None:
    low, high = sorted((one, other))
    less = decide(SPEC, BOUNDS, current, replace(up, wait=low), down, fleet)
    more = decide(SPEC, BOUNDS, current, replace(up, wait=high), down, fleet)
    assert more.replicas >= less.replicas


@given(st.integers(2, 40), windows, windows, fleets)
def test_one_fall_is_at_most_a_quarter(current: int, up: Window, down: Window, fleet: Fleet) -> None:
    found = decide(SPEC, BOUNDS, current, up, down, fleet)
    if found.reason is Reason.TOO_MANY_PHONES:
        assert current - found.replicas <= max(1, current // 4)


# -- windows --


def steps(
    count: int, wait: float, work: float, *, start: float = 0.0, first: int = 0, counters: bool = True
) -> list[Sample]:
    """Of a learner that waits and works for so many seconds a step, looked at every 5 s; 96 episodes a step."""
    made, at, waited = [], start, 0.0
    for step in range(first, first + count):
        for doing, seconds in ((Doing.COLLECTING, wait), (Doing.TRAINING, work)):
            for _ in range(int(seconds / 5)):
                made.append(
                    Sample(
                        at=at,
                        doing=doing,
                        step=step,
                        waited=waited if counters else None,
                        wait_share=wait / (wait + work) if step > first else None,
                        produced=int(96 * (at - start) / (wait + work)),
                        ready=10,
                        phones=20,
                        busy=10,
                    )
                )
                at += 5.0
        waited += wait
    return made


def kept(samples: list[Sample], window: float = 60.0) -> list[Sample]:
    history = History()
    for sample in samples:
        history.add(sample, window)
    return history.samples


@pytest.mark.parametrize("counters", [True, False], ids=["seconds", "share of the last step"])
def test_shares_are_of_whole_steps_wherever_the_window_ends(counters: bool) -> None:
    """A window inside a step of five minutes would see a wait of 0 or 1."""
    samples = kept(steps(6, 30.0, 270.0, counters=counters))
    for end in range(len(samples) - 55, len(samples)):
        seen = measure(samples[:end], 60.0, 96)
        assert seen.whole
        assert seen.wait == pytest.approx(0.1, abs=0.02)
        assert seen.potential == pytest.approx(96 / 270, rel=0.05)
        assert seen.capability == pytest.approx(2 * 96 / 300, rel=0.05)


def test_a_step_that_starves_counts_before_it_ends() -> None:
    samples = steps(4, 5.0, 55.0)
    end = samples[-1]
    going_on = [replace(end, at=end.at + 5.0 * i, doing=Doing.COLLECTING, step=4, waited=20.0) for i in range(1, 40)]
    early, late = measure(samples, 60.0, 96).wait, measure([*samples, *going_on], 60.0, 96).wait
    assert early is not None
    assert late is not None
    assert early < 0.1 < 0.4 < late


def test_the_first_step_starves_only_after_a_while() -> None:
    first = [Sample(at=5.0 * i, doing=Doing.COLLECTING, waited=0.0, produced=i) for i in range(100)]
    assert measure(first[:30], 60.0, 96).wait is None
    assert measure(first, 60.0, 96).wait == 1.0


def test_what_came_before_a_restart_or_a_gap_is_forgotten() -> None:
    before = steps(4, 60.0, 60.0)
    after = before[-1].at + 5.0
    assert len(kept([*before, *steps(1, 30.0, 30.0, start=after, first=3)])) == 12
    late = [replace(s, step=s.step + 4, waited=1000.0, produced=9000) for s in steps(1, 30.0, 30.0, start=after + 61.0)]
    assert len(kept([*before, *late])) == 12
    down = replace(before[-1], at=after, doing=Doing.DOWN)
    assert kept([*before, down]) == []


def test_an_evaluation_and_a_long_checkpoint_are_no_part_of_a_step() -> None:
    for doing in (Doing.EVALUATING, Doing.SAVING):
        samples = steps(3, 20.0, 40.0)
        pause = [replace(samples[-1], at=samples[-1].at + 5.0 * i, doing=doing) for i in range(1, 41)]
        more = steps(3, 20.0, 40.0, start=pause[-1].at + 5.0, first=3)
        rest = [replace(s, waited=(s.waited or 0.0) + 60.0, produced=s.produced + 300) for s in more]
        seen = measure(kept([*samples, *pause, *rest]), 300.0, 96)
        assert seen.wait == pytest.approx(1 / 3, abs=0.05), doing


def test_a_short_checkpoint_is_part_of_a_step() -> None:
    samples = [replace(s, doing=Doing.SAVING) if s.at % 60 == 55 else s for s in steps(6, 30.0, 30.0)]
    assert measure(samples, 60.0, 96).wait == pytest.approx(0.5, abs=0.05)


def test_a_full_stream_says_nothing_of_what_the_phones_can_do() -> None:
    samples = [replace(s, full=True) for s in steps(4, 0.0, 60.0)]
    assert measure(samples, 60.0, 96).capability is None


def test_stale_is_a_share_of_what_was_consumed() -> None:
    samples = [replace(s, consumed=96 * s.step, stale=12 * s.step) for s in steps(4, 30.0, 30.0)]
    assert measure(samples, 60.0, 96).stale == pytest.approx(0.125)


def test_the_history_is_bounded() -> None:
    assert len(kept(steps(400, 5.0, 5.0))) <= LIMIT
    dense = [replace(s, at=s.at / 50) for s in steps(1, 400.0, 400.0)]
    assert len(kept(dense)) < len(dense) / 4


# -- samples --


def worker(index: int, *, ready: bool = True, waiting: str = "", created: float = 0.0) -> Pod:
    phase = "Running" if ready else "Pending"
    uid = f"uid-{index}"
    name = f"run-worker-{index}"
    return Pod(name=name, uid=uid, part="worker", phase=phase, ready=ready, waiting=waiting, created=created)


def numbers(at: float, phase: str | None = "collecting", **detail: Any) -> Numbers:
    learner = Heartbeat(who="learner", role="learner", at=at, detail={"phase": phase} | detail) if phase else None
    beats = {
        f"run-worker-{i}": Heartbeat(who=f"run-worker-{i}", role="worker", at=at, detail={"busy": 1}) for i in range(40)
    }
    counters = Counters(issued=192, waiting=7, leased=8, depth=3, pending=4, trained=90, discarded=2, dead=0)
    return Numbers(at=at, counters=counters, learner=learner, workers=beats)


def test_a_sample_is_taken_of_pods_and_redis() -> None:
    pods = [worker(0), worker(1), worker(2, ready=False), worker(3, ready=False, waiting="Unschedulable")]
    seen = Sample.of(numbers(100.0, step=5, rollout_seconds=12.5), pods, run_of())
    assert seen == Sample(
        at=100.0,
        doing=Doing.COLLECTING,
        step=5,
        waited=12.5,
        depth=3,
        waiting=7,
        produced=99,
        ready=2,
        starting=1,
        unschedulable=1,
        phones=4,
        busy=2,
    )


def test_a_first_heartbeat_that_says_little_is_enough() -> None:
    seen = Sample.of(numbers(100.0, phase="starting"), (), run_of())
    assert seen is not None
    assert (seen.doing, seen.step, seen.waited) == (Doing.STARTING, 0, None)


def test_a_silent_learner_is_down_and_a_silent_redis_is_nothing() -> None:
    spoke = numbers(100.0)
    late = Sample.of(replace(spoke, at=131.0), (), run_of())
    assert late is not None
    assert late.doing is Doing.DOWN
    assert Sample.of(replace(spoke, error="connection refused"), (), run_of()) is None
    assert Sample.of(None, (), run_of()) is None


# -- memory --


def starved(replicas: int, until: float = 300.0) -> tuple[Autoscaler, list[Sample]]:
    """After learner steps of which it waited for a half."""
    scaler = Autoscaler()
    last = [replace(s, ready=replicas, waiting=9) for s in steps(int(until / 60), 30.0, 30.0)]
    for sample in last:
        scaler.observe("run", sample, run_of(replicas))
        scaler.recommend("run", run_of(replicas), now=sample.at)
    return scaler, last


def test_a_recommendation_repeats_until_it_is_carried_out() -> None:
    scaler, samples = starved(10)
    now = samples[-1].at
    first = scaler.recommend("run", run_of(10), now=now)
    assert first.replicas == 20
    assert scaler.recommend("run", run_of(10), now=now) == first
    done = scaler.recommend("run", run_of(20), now=now)
    assert (done.replicas, done.reason) == (20, Reason.MEASURING)
    assert scaler.recommend("run", run_of(20), now=now) == done


def test_an_edit_is_respected_for_one_window() -> None:
    scaler, samples = starved(10)
    now = samples[-1].at
    assert scaler.recommend("run", run_of(6), now=now).reason is Reason.EDITED
    scaler.observe("run", replace(samples[-1], at=now + 50.0), run_of(6))
    assert scaler.recommend("run", run_of(6), now=now + 59.0).reason is Reason.EDITED
    assert scaler.recommend("run", run_of(6), now=now + 61.0).reason is not Reason.EDITED


def test_a_learner_that_is_gone_lets_its_workers_go_and_gets_them_back() -> None:
    scaler, samples = starved(10)
    now = samples[-1].at
    for at in range(5, 311, 5):
        scaler.observe("run", replace(samples[-1], at=now + at, doing=Doing.DOWN), run_of(10))
        found = scaler.recommend("run", run_of(10), now=now + at)
    assert (found.replicas, found.reason) == (2, Reason.LEARNER_GONE)
    assert scaler.recommend("run", run_of(2), now=now + 312.0).replicas == 2
    scaler.observe("run", replace(samples[-1], at=now + 315.0, doing=Doing.STARTING), run_of(2))
    back = scaler.recommend("run", run_of(2), now=now + 315.0)
    assert (back.replicas, back.reason) == (10, Reason.LEARNER_BACK)
    assert scaler.recommend("run", run_of(10), now=now + 316.0).reason is Reason.LEARNER_STARTING


def test_old_numbers_freeze_the_fleet() -> None:
    scaler, samples = starved(10)
    assert scaler.recommend("run", run_of(10), now=samples[-1].at + 61.0).reason is Reason.NO_NUMBERS


def test_a_suspended_run_is_left_alone() -> None:
    scaler, samples = starved(10)
    found = scaler.recommend("run", run_of(10, suspend=True), now=samples[-1].at)
    assert (found.replicas, found.reason) == (10, Reason.SUSPENDED)


def test_the_second_rise_waits_for_as_long_as_workers_take_to_start() -> None:
    scaler = Autoscaler()
    for at in range(0, 200, 5):
        pods = [worker(i, ready=at >= 20 * i, created=0.0) for i in range(5)]
        scaler.observe("run", replace(steps(1, 300.0, 5.0)[at // 5], at=float(at)), run_of(), pods)
    assert scaler._memory("run").start_p95 == 80.0


def test_starvation_is_told_with_and_without_autoscaling() -> None:
    for enabled in (True, False):
        spec = run_of(2, autoscaling={"enabled": enabled})
        scaler = Autoscaler()
        for step in range(6):
            for at in range(0, 60, 5):
                told = {"step": step, "rollout_seconds": 30.0 * step}
                seen = numbers(60.0 * step + at, "collecting" if at < 30 else "training", **told)
                advice = scaler.advise("run", spec, numbers=seen, pods=[worker(0), worker(1)], now=seen.at)
        assert advice.starved is True
        assert "waits" in advice.starved_words
        assert (advice.replicas is None) is not enabled


def test_memory_is_bounded_and_can_be_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "RUNS", 3)
    scaler = Autoscaler()
    for key in range(5):
        scaler.recommend(key, run_of(), now=0.0)
    assert len(scaler) == 3
    scaler.forget(4)
    scaler.forget("never heard of")
    assert len(scaler) == 2
