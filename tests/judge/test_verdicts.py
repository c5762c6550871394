"""Verdicts and rewards: what success, progress and side effects are worth."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import pytest

from mobilegym.judge.answers import Expected, Integer
from mobilegym.judge.ending import Ending
from mobilegym.judge.judge import JudgeError, judge
from mobilegym.judge.reward import binary, paper, reward, strict
from mobilegym.protocol.messages import SideEffect


@dataclass(frozen=True)
class Clause:
    name: str
    holds: Callable[[Ending], bool]


@dataclass(frozen=True)
class Lamps:
    """Switch lamps a and b on; c must stay off."""

    expected: Expected | None = None

    def goals(self, params: Any) -> Sequence[Clause]:
        return [
            Clause("a on", lambda e: e.at("apps.home.data.a") is True),
            Clause("b on", lambda e: e.at("apps.home.data.b") is True),
            Clause("c off", lambda e: e.at("apps.home.data.c") is False),
        ]

    def allowed(self, params: Any) -> Sequence[str]:
        return ["apps.home.data.a", "apps.home.data.b"]

    def answer(self, params: Any) -> Expected | None:
        return self.expected


def state(a: bool = False, b: bool = False, c: bool = False) -> dict[str, Any]:
    return {"apps": {"home": {"data": {"a": a, "b": b, "c": c}}}}


def event(step: int, *paths: str) -> dict[str, Any]:
    return {"seq": step, "step": step, "app": "home", "action": "switch", "args": {}, "paths": list(paths), "at": 0}


def ending(final: dict[str, Any], *events: dict[str, Any], **more: Any) -> Ending:
    return Ending(state(), final, events, **{"finished": True, "steps": 3, "budget": 10, **more})


BOTH = (event(0, "/apps/home/data/a"), event(1, "/apps/home/data/b"))
DONE = state(a=True, b=True)


@pytest.mark.parametrize(
    ("end", "success", "progress", "clean", "false_complete", "overdue", "worth_strict", "worth_paper"),
    [
        (ending(DONE, *BOTH), True, 1, True, False, False, 1.0, 1.0),
        (ending(DONE, *BOTH, event(2, "/apps/home/data/d")), True, 1, False, False, False, 0.8, 0.8),
        (ending(DONE, *BOTH, finished=False), False, 1, True, False, True, 0.5, 0.5),
        (ending(DONE, *BOTH, finished=False, aborted=True), False, 1, True, False, False, 0.5, 0.5),
        (ending(DONE, *BOTH, steps=11), True, 1, True, False, True, 1.0, 0.5),
        (ending(state(a=True), BOTH[0]), False, 0.5, True, True, False, 0.0, 0.4),
        (ending(state(a=True), BOTH[0], finished=False), False, 0.5, True, False, False, 0.25, 0.5),
        (ending(state(a=True, c=True), BOTH[0], event(2, "/apps/home/data/c"), finished=False),
         False, 0.0, False, False, False, 0.0, 0.0),
        (ending(state()), False, 0.0, True, True, False, 0.0, 0.0),
        (ending(state(), finished=False, steps=0), False, 0.0, True, False, False, 0.0, 0.0),
    ],
)  # fmt: skip
def test_verdicts(
    end: Ending, success: bool, progress: float, clean: bool, false_complete: bool, overdue: bool,
    worth_strict: float, worth_paper: float,
) -> None:  # fmt: skip
    verdict = judge(Lamps(), None, end)
    assert (verdict.success, verdict.progress, verdict.clean) == (success, progress, clean)
    assert (verdict.false_complete, verdict.overdue) == (false_complete, overdue)
    assert strict(verdict) == pytest.approx(worth_strict)
    assert binary(verdict) == float(verdict.success and verdict.clean)
    assert paper(verdict) == pytest.approx(worth_paper)


def test_what_is_undone_is_still_a_side_effect_with_the_step_that_caused_it() -> None:
    events = (*BOTH, event(4, "/apps/home/data/c"), event(5, "/apps/home/data/c", "/os/random"))
    verdict = judge(Lamps(), None, ending(DONE, *events))
    assert verdict.success
    assert verdict.side_effects == (SideEffect(step=4, path="/apps/home/data/c", action="home.switch"),)


def test_an_answer_is_a_goal_and_typed() -> None:
    lamps = Lamps(Integer(17))
    right = judge(lamps, None, ending(DONE, *BOTH, answer="17"))
    wrong = judge(lamps, None, ending(DONE, *BOTH, answer="170"))
    silent = judge(lamps, None, ending(DONE, *BOTH))
    assert right.success
    assert (wrong.success, wrong.false_complete) == (False, True)
    assert wrong.progress == pytest.approx(2 / 3)
    assert "no answer" in silent.goals[-1].reason
    assert "'170'" in wrong.goals[-1].reason


def test_each_side_effect_costs_until_nothing_is_left() -> None:
    effects = [event(2, f"/apps/home/data/x{n}") for n in range(9)]
    assert strict(judge(Lamps(), None, ending(DONE, *BOTH, *effects[:3], finished=False))) == pytest.approx(0.2)
    assert strict(judge(Lamps(), None, ending(DONE, *BOTH, *effects, finished=False))) == 0.0


def test_record_is_what_travels() -> None:
    record = judge(Lamps(), None, ending(DONE, *BOTH)).record()
    assert record.success
    assert [goal.name for goal in record.goals] == ["a on", "b on", "c off"]


def test_a_fault_of_the_template_is_raised_and_named() -> None:
    @dataclass(frozen=True)
    class Broken(Lamps):
        def goals(self, params: Any) -> Sequence[Clause]:
            return [Clause("boom", lambda e: e.at("apps.home")["nothing"])]

    with pytest.raises(JudgeError, match="'boom' raised KeyError"):
        judge(Broken(), None, ending(DONE))


def test_unknown_preset_names_the_known() -> None:
    with pytest.raises(ValueError, match="binary, paper, strict"):
        reward("generous", judge(Lamps(), None, ending(DONE)))


def test_ending_tells_added_removed_and_changed() -> None:
    before = {"apps": {"x": {"data": {"items": {"a": {"n": 1}, "b": {"n": 2}}}}}}
    after = {"apps": {"x": {"data": {"items": {"b": {"n": 3}, "c": {"n": 4}}}}}}
    end = Ending(before, after, [event(0), event(1)])
    assert end.added("apps.x.data.items") == {"c": {"n": 4}}
    assert end.removed("apps.x.data.items") == {"a": {"n": 1}}
    assert end.changed() == ("/apps/x/data/items/a", "/apps/x/data/items/b/n", "/apps/x/data/items/c")
    assert end.changed("apps.x.data.items.*.n") == ("/apps/x/data/items/b/n",)
    assert len(end.actions("home.switch")) == 2
    assert end.actions("home.other") == ()
