"""The decision after a child's end."""

from __future__ import annotations

import pytest

from mobilegym.local.process import Role
from mobilegym.local.restart import Backoff, Decision, Then, decide

BACKOFF = Backoff(first=1, most=30, healthy=60)


def after(role: Role, code: int, *, lived: float = 1, failures: int = 0, limit: int = 3) -> Decision:
    return decide(role, code, lived=lived, failures=failures, limit=limit, backoff=BACKOFF)


def test_a_learner_that_ends_well_is_done() -> None:
    assert after(Role.LEARNER, 0).then is Then.DONE


@pytest.mark.parametrize("role", list(Role))
def test_preemption_restarts_at_once_and_does_not_count(role: Role) -> None:
    assert after(role, 75, failures=3) == Decision(then=Then.RESTART, failures=3, why="preempted")


def test_a_drained_worker_comes_back_if_the_run_goes_on() -> None:
    assert after(Role.WORKER, 0, failures=2).then is Then.ASK


@pytest.mark.parametrize("role", list(Role))
def test_a_wrong_set_up_is_not_tried_again(role: Role) -> None:
    assert after(role, 2).then is Then.FAIL


@pytest.mark.parametrize(("failures", "delay"), [(0, 1), (1, 2), (2, 4)])
def test_failures_are_tried_again_more_slowly(failures: int, delay: float) -> None:
    decision = after(Role.ENGINE, 1, failures=failures)
    assert (decision.then, decision.failures, decision.delay) == (Then.RESTART, failures + 1, delay)


def test_the_delay_is_bounded() -> None:
    assert BACKOFF.delay(100) == 30


def test_too_many_failures_in_a_row_are_the_end() -> None:
    decision = after(Role.ENGINE, -9, failures=3)
    assert decision.then is Then.FAIL
    assert decision.why == "failed 4 times in a row, last killed by signal 9"


def test_a_long_life_starts_the_count_anew() -> None:
    assert after(Role.ENGINE, 1, lived=61, failures=3).failures == 1


def test_a_limit_of_zero_allows_no_failure() -> None:
    assert after(Role.LEARNER, 1, limit=0).then is Then.FAIL
