"""The judge: pure over (template, params, ending). An exception here is an error of ours and never a failed task."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from mobilegym.judge.answers import Expected
from mobilegym.judge.ending import Ending
from mobilegym.judge.paths import ALWAYS, covered
from mobilegym.protocol.messages import GoalResult, SideEffect, VerdictRecord


class Judged(Protocol):
    """What the judge needs of a template."""

    def goals(self, params: Any) -> Sequence[Any]: ...

    def allowed(self, params: Any) -> Sequence[str]: ...

    def answer(self, params: Any) -> Expected | None: ...


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """`progress`, 0..1, is the share of goals reached, of those that did not hold at the start.

    A right answer counts as a goal.
    """

    success: bool
    reached: bool  # all goals and the answer hold, whether or not the agent said so
    progress: float
    side_effects: tuple[SideEffect, ...]
    false_complete: bool
    overdue: bool
    aborted: bool
    goals: tuple[GoalResult, ...]

    @property
    def clean(self) -> bool:
        return not self.side_effects

    def record(self) -> VerdictRecord:
        """As sent on the streams."""
        return VerdictRecord(
            success=self.success,
            progress=self.progress,
            clean=self.clean,
            side_effects=self.side_effects,
            false_complete=self.false_complete,
            overdue=self.overdue,
            goals=self.goals,
        )


class JudgeError(Exception):
    """A goal or answer of the template raised: the template is at fault, not the agent."""


def judge(template: Judged, params: Any, ending: Ending) -> Verdict:
    """Raises `JudgeError` where the template's own code raises or states no goal."""
    start = ending.start()
    results: list[GoalResult] = []
    held_at_start: list[bool] = []
    for goal in template.goals(params):
        holds = _holds(template, goal, ending)
        held_at_start.append(_holds(template, goal, start))
        results.append(GoalResult(name=goal.name, holds=holds, reason="" if holds else "does not hold at the end"))
    expected = template.answer(params)
    if expected is not None:
        results.append(_answered(expected, ending.answer))
        held_at_start.append(False)
    if not results:
        raise JudgeError(f"{_id(template)} states no goal and expects no answer: nothing to judge")
    reached = all(result.holds for result in results)
    success = reached and ending.finished
    return Verdict(
        success=success,
        reached=reached,
        progress=_progress([result.holds for result in results], held_at_start),
        side_effects=_side_effects(template.allowed(params), ending),
        false_complete=ending.finished and not success,
        overdue=ending.steps > ending.budget or (reached and not ending.finished and not ending.aborted),
        aborted=ending.aborted,
        goals=tuple(results),
    )


def _holds(template: Judged, goal: Any, ending: Ending) -> bool:
    try:
        return bool(goal.holds(ending))
    except Exception as error:
        raise JudgeError(f"{_id(template)}: goal {goal.name!r} raised {type(error).__name__}: {error}") from error


def _id(template: Judged) -> str:
    return str(getattr(template, "id", type(template).__name__))


def _answered(expected: Expected, answer: str | None) -> GoalResult:
    if answer is None:
        return GoalResult(name="answer", holds=False, reason=f"no answer; expected {expected}")
    holds = expected.matches(answer)
    return GoalResult(name="answer", holds=holds, reason="" if holds else f"expected {expected}, got {answer!r}")


def _progress(holds: Sequence[bool], held_at_start: Sequence[bool]) -> float:
    """Goals that hold untouched earn nothing, and cost their share when broken."""
    start = sum(held_at_start)
    if start == len(holds):
        return float(all(holds))
    return max(0.0, (sum(holds) - start) / (len(holds) - start))


def _side_effects(allowed: Sequence[str], ending: Ending) -> tuple[SideEffect, ...]:
    """Every path that an event changed and the task does not allow, once, with the first step that touched it."""
    patterns = (*ALWAYS, *allowed)
    found: dict[str, SideEffect] = {}
    for event in ending.events:
        for path in event["paths"]:
            if path not in found and not covered(patterns, path):
                name = f"{event['app']}.{event['action']}"
                found[path] = SideEffect(step=int(event["step"]), path=path, action=name)
    return tuple(found.values())
