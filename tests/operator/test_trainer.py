"""The learner's life."""

from dataclasses import replace

import pytest

from mobilegym.operator.observed import Pod
from mobilegym.operator.status import Reason
from mobilegym.operator.trainer import Do, Life, Tally, delay, live
from mobilegym.run.learner import LearnerSpec

NOW = 1_000_000.0
SPEC = LearnerSpec(backoff_limit=2)
RUNNING = Pod(name="r-learner", uid="u1", part="learner", phase="Running", ready=True, scheduled=True, hash="h")


def look(pod: Pod | None, tally: Tally | None = None, *, step: int = 0, silent: float | None = 1.0) -> Life:
    return live(pod, tally or Tally(), SPEC, step=step, hash="h", silent=silent, now=NOW)


def ended(code: int, **more: object) -> Pod:
    return replace(RUNNING, phase="Failed" if code else "Succeeded", ready=False, exit_code=code, **more)  # type: ignore[arg-type]


def test_where_there_is_none_it_is_made() -> None:
    assert look(None).do is Do.MAKE


def test_a_running_one_is_left_alone() -> None:
    assert look(RUNNING).do is Do.NOTHING


def test_exit_0_is_the_end_of_the_run() -> None:
    assert look(ended(0)).do is Do.SUCCEED


@pytest.mark.parametrize("pod", [ended(75), ended(137, disrupted=True)], ids=["exit 75", "evicted"])
def test_a_preemption_does_not_count_as_a_failure(pod: Pod) -> None:
    life = look(pod, Tally(failures=2))
    assert (life.do, life.reason) == (Do.DELETE, Reason.PREEMPTED)
    assert (life.tally.failures, life.tally.preemptions) == (2, 1)


def test_an_evicted_one_is_counted_while_it_ends() -> None:
    """How it ended may never be seen: its pod goes at once."""
    going = replace(RUNNING, terminating=True, deadline=NOW + 90, disrupted=True)
    first = look(going)
    again = look(replace(going, phase="Failed", exit_code=75), first.tally)
    assert (first.tally.failures, first.tally.preemptions) == (0, 1)
    assert again.tally == look(None, again.tally).tally == first.tally
    assert look(replace(going, disrupted=False)).tally == Tally()


def test_a_failure_is_counted_once_however_often_it_is_looked_at() -> None:
    first = look(ended(1))
    again = look(ended(1), first.tally)
    assert first.tally.failures == again.tally.failures == 1


def test_the_failed_pod_stays_for_its_log_until_the_delay_is_over() -> None:
    first = look(ended(1))
    assert first.do is Do.NOTHING
    assert first.wait == pytest.approx(delay(1))
    earlier = replace(first.tally, last_time=NOW - delay(1) - 1)
    assert look(ended(1), earlier).do is Do.DELETE


def test_failures_in_a_row_beyond_the_limit_fail_the_run() -> None:
    life = look(ended(1), Tally(failures=2, last_uid="u0", last_time=NOW - 600, last_step=0))
    assert (life.do, life.reason) == (Do.FAIL, Reason.BACKOFF_LIMIT)
    assert "3 times in a row, last exit 1" in life.words


def test_a_learner_that_got_further_starts_counting_anew() -> None:
    before = Tally(failures=2, last_uid="u0", last_time=NOW - 600, last_step=4)
    assert look(ended(1), before, step=5).tally.failures == 1


def test_a_wrong_set_up_fails_at_once() -> None:
    life = look(ended(2))
    assert (life.do, life.reason) == (Do.FAIL, Reason.SETUP_WRONG)
    assert "kubectl logs r-learner" in life.words


def test_a_silent_learner_is_stopped_and_counted() -> None:
    life = look(RUNNING, silent=SPEC.stall_seconds + 1)
    assert (life.do, life.reason, life.tally.failures) == (Do.DELETE, Reason.SILENT, 1)


def test_a_changed_manifest_starts_it_anew_without_counting() -> None:
    life = look(replace(RUNNING, hash="old"))
    assert (life.do, life.tally.failures) == (Do.DELETE, 0)


def test_a_terminating_one_is_waited_for_and_forced_only_on_a_silent_node() -> None:
    going = replace(RUNNING, terminating=True, deadline=NOW - 60)
    assert look(going).do is Do.NOTHING
    assert look(replace(going, node_lost=True)).do is Do.FORCE
    assert look(replace(going, node_lost=True, deadline=NOW + 5)).do is Do.NOTHING


def test_after_a_failure_the_next_one_waits_for_the_delay() -> None:
    waiting = Tally(failures=2, last_uid="u0", last_time=NOW - 3)
    assert look(None, waiting).do is Do.NOTHING
    assert look(None, replace(waiting, last_time=NOW - delay(2) - 1)).do is Do.MAKE


def test_the_delay_doubles_up_to_five_minutes() -> None:
    assert [delay(n) for n in (0, 1, 2, 3, 20)] == [0.0, 5.0, 10.0, 20.0, 300.0]
