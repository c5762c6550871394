"""What can be proved of a template without a phone: from its worlds, and from one right ending."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from mobilegym.judge.ending import Ending
from mobilegym.judge.judge import JudgeError, Verdict, judge
from mobilegym.judge.paths import ALWAYS, covered
from mobilegym.tasks.certificate import Finding, Property
from mobilegym.tasks.instance import Instance
from mobilegym.tasks.mutants import mutants
from mobilegym.tasks.template import Template
from mobilegym.world.dates import Locale

VARIETY = 8  # seeds among which the parameters must differ
UNTOUCHED = 20  # seeds whose initial state must not pass


def offline(template: Template[Any], locales: Iterable[Locale]) -> list[Finding]:
    """What needs no phone: worlds that suit, words that fit, parameters that vary, initial states that do not pass."""
    return [finding for locale in locales for finding in _offline(template, locale)]


def _offline(template: Template[Any], locale: Locale) -> list[Finding]:
    instances = [Instance(template, seed, locale) for seed in range(UNTOUCHED)]

    def suits() -> str:
        if len({repr(instance.params) for instance in instances[:VARIETY]}) < 2:
            return f"the parameters of {VARIETY} seeds are all the same: {instances[0].params}"
        left = [text for text in (instance.goal for instance in instances) if "{" in text or "None" in text]
        return f"the goal reads {left[0]!r}" if left else ""

    def idle() -> str:
        for instance in instances:
            for finished in (False, True):
                ending = Ending(instance.state, instance.state, finished=finished, budget=instance.budget)
                verdict = judge(template, instance.params, ending)
                if verdict.reached or verdict.progress > 0:
                    return f"seed {instance.seed}: the initial state has reached {names(verdict, True)}"
        return ""

    where = f"{UNTOUCHED} seeds, {locale}"
    return [_found(Property.SUITS, where, suits), _found(Property.IDLE, where, idle)]


def _found(prop: Property, where: str, check: Callable[[], str]) -> Finding:
    try:
        return Finding(prop, where, check())
    except Exception as error:  # the template's own code: reported, not raised
        return Finding(prop, where, raised(error))


def raised(error: Exception) -> str:
    place = error.__traceback__
    while place is not None and place.tb_next is not None:
        place = place.tb_next
    line = f" at {place.tb_frame.f_code.co_filename.rpartition('/')[2]}:{place.tb_lineno}" if place else ""
    return f"{type(error).__name__}: {error}{line}"


def names(verdict: Verdict, holds: bool) -> str:
    return ", ".join(goal.name for goal in verdict.goals if goal.holds is holds) or "nothing"


def logged(ending: Ending) -> str:
    """Every difference lies at, under or above a path of an event, or is the kernel's own bookkeeping."""
    paths = {path for event in ending.events for path in event["paths"]}
    lost = [
        p
        for p in ending.changed()
        if not covered(ALWAYS, p) and not any(p == e or p.startswith(e + "/") or e.startswith(p + "/") for e in paths)
    ]
    return f"changed without an event: {', '.join(lost[:3])}" if lost else ""


def rejects(instance: Instance, ending: Ending, where: str) -> list[Finding]:
    """The judge against everything that could have gone wrong in this ending."""
    template, params = instance.template, instance.params
    failed: set[str] = set()
    survived: dict[Property, list[str]] = {Property.CLAUSES: [], Property.MUTANTS: []}
    for mutant in mutants(ending, template.free(params)):
        told = f"{mutant.kind} at {mutant.path}: {mutant.told}"
        try:
            verdict = judge(template, params, mutant.ending)
        except JudgeError as error:
            survived[Property.MUTANTS].append(f"{told}: {error}")
            continue
        failed |= {goal.name for goal in verdict.goals if not goal.holds}
        if verdict.success and verdict.clean:
            prop = Property.CLAUSES if mutant.kind == "reverted" else Property.MUTANTS
            survived[prop].append(told)
    expected = template.answer(params)
    for miss in expected.near() if expected else ():
        if expected and expected.matches(miss):
            survived[Property.MUTANTS].append(f"the answer {miss!r} for {expected}")
    unmoved = judge(template, params, ending.start())
    failed |= {goal.name for goal in unmoved.goals if not goal.holds}
    survived[Property.CLAUSES] += [
        f"no wrong end state fails {g.name!r}" for g in unmoved.goals if g.name not in failed
    ]
    hint = "; check it in goals(), or list it in free()"
    return [Finding(p, where, f"not rejected: {'; '.join(m[:3])}{hint}" if m else "") for p, m in survived.items()]
