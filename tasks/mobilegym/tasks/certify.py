"""Certifies templates: plays their oracles on real phones, and what must fail beside them."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Sequence
from typing import Any

from mobilegym.judge.ending import Ending
from mobilegym.judge.judge import Verdict, judge
from mobilegym.judge.paths import ALWAYS, covered
from mobilegym.phone.errors import Gone
from mobilegym.phone.phone import Phone
from mobilegym.phone.pool import PhonePool
from mobilegym.tasks.agents import Diary, finish_at_once, noop, random_walk, replay
from mobilegym.tasks.certificate import MOST_STEPS, Certificate, Extent, Finding, Property
from mobilegym.tasks.instance import Instance, budget_of, measured
from mobilegym.tasks.runner import Recording, play, wander
from mobilegym.tasks.scrutiny import logged, names, offline, raised, rejects
from mobilegym.tasks.template import Template

WALK_STEPS = 12


async def certify(
    pool: PhonePool,
    templates: Sequence[Template[Any]],
    extent: Extent,
    played: Callable[[], None] = lambda: None,
) -> list[Certificate]:
    """One certificate a template, in their order; instances are played on as many phones as the pool has.

    `played` is called after each instance, for a progress bar.
    """
    certificates = {template.id: Certificate(template.id) for template in templates}
    for template in templates:
        certificates[template.id].findings += offline(template, list(extent.seeds))

    async def one(instance: Instance, replayed: bool) -> None:
        await _instance(pool, certificates[instance.template.id], instance, replayed)
        played()

    jobs = [
        one(Instance(template, seed, locale), position < extent.replayed)
        for template in templates
        for locale, seeds in extent.seeds.items()
        for position, seed in enumerate(seeds)
    ]
    await asyncio.gather(*jobs)
    return list(certificates.values())


async def _instance(pool: PhonePool, certificate: Certificate, instance: Instance, replayed: bool) -> None:
    where = f"seed {instance.seed}, {instance.locale}"
    for attempt in (1, 2):
        findings: list[Finding] = []
        try:
            async with pool.phone() as phone:
                await _play(phone, instance, where, findings, certificate, replayed)
        except Gone:
            if attempt == 2:
                raise
            continue  # the pool has another phone
        except Exception as error:
            findings.append(Finding(Property.SOLVES, where, raised(error)))
        certificate.findings += findings
        return


async def _play(
    phone: Phone, instance: Instance, where: str, findings: list[Finding], certificate: Certificate, replayed: bool
) -> None:
    diary, recording = Diary(instance), Recording()
    ending = await play(phone, instance, diary, most_steps=MOST_STEPS, recording=recording)
    verdict = judge(instance.template, instance.params, ending)
    findings.append(Finding(Property.SOLVES, where, _solved(instance, ending, verdict, diary)))
    if not verdict.success:
        return
    certificate.steps.append(ending.steps)
    findings.append(Finding(Property.LOGGED, where, logged(ending)))
    findings += rejects(instance, ending, where)
    if replayed:
        findings.append(Finding(Property.IDLE, where, await _idle(phone, instance)))
        findings.append(Finding(Property.REPLAY, where, await _replay(phone, instance, ending, recording)))
        findings.append(Finding(Property.RECOVERS, where, await _recovers(phone, instance)))


def _solved(instance: Instance, ending: Ending, verdict: Verdict, diary: Diary) -> str:
    if not verdict.success:
        last = "; ".join(diary.lines[-5:])
        return f"after {ending.steps} steps not: {names(verdict, False)} (goal: {instance.goal!r}); last: {last}"
    if not verdict.clean:
        effect = verdict.side_effects[0]
        return f"{len(verdict.side_effects)} side effects, the first: {effect.action} changed {effect.path}"
    known = measured().get(instance.template.id)
    if known is not None and ending.steps > budget_of(known):
        return f"{ending.steps} steps exceed the budget {budget_of(known)}: run `mobilegym check --write-levels`"
    return ""


async def _idle(phone: Phone, instance: Instance) -> str:
    for name, agent in (("doing nothing", noop()), ("finishing at once", finish_at_once())):
        verdict = judge(instance.template, instance.params, await play(phone, instance, agent))
        if verdict.reached or verdict.progress > 0:
            return f"{name} reaches {names(verdict, True)}"
        if not verdict.clean:
            return f"{name} counts as a side effect: {verdict.side_effects[0]}"
    return ""


def canonical(ending: Ending) -> str:
    return json.dumps([ending.final, ending.events], sort_keys=True, separators=(",", ":"), ensure_ascii=False)


async def _replay(phone: Phone, instance: Instance, ending: Ending, recording: Recording) -> str:
    again = Recording()
    second = await play(phone, instance, replay(recording.actions), most_steps=MOST_STEPS, recording=again)
    if canonical(second) != canonical(ending):
        return "the same actions gave another final state or other events"
    steps = [n for n, (a, b) in enumerate(zip(recording.images, again.images, strict=True)) if a != b]
    return f"the screenshots differ at steps {steps[:5]}" if steps else ""


async def _recovers(phone: Phone, instance: Instance) -> str:
    patterns = (*ALWAYS, "os.permissions.**")
    walk = random_walk(instance.world.rng(f"walk/{instance.template.id}"), WALK_STEPS)
    start = await wander(phone, instance, walk, lambda paths: all(covered(patterns, path) for path in paths))
    diary = Diary(instance)
    ending = await play(phone, instance, diary, start=start, most_steps=MOST_STEPS)
    verdict = judge(instance.template, instance.params, ending)
    if verdict.success:
        return ""
    return f"from a random walk not: {names(verdict, False)}; last: {'; '.join(diary.lines[-5:])}"
