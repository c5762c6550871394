"""Scoring an agent over many instances, many phones at once."""

from __future__ import annotations

import asyncio
import math
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from dataclasses import dataclass

from mobilegym.phone.pool import PhonePool
from mobilegym.protocol.status import EpisodeStatus
from mobilegym.tasks.instance import Instance, card
from mobilegym.worker.agent import Agent
from mobilegym.worker.rollout import Limits, Played, Rollout

ATTEMPTS = 3  # an episode that the phone or the engine spoilt is played again


@dataclass(frozen=True, kw_only=True)
class Result:
    """One scored episode. `success`, `progress`, `clean`, `false_complete` are None where it could not be scored."""

    template: str
    seed: int
    locale: str
    level: int
    apps: tuple[str, ...]
    status: EpisodeStatus
    success: bool | None
    progress: float | None
    clean: bool | None
    false_complete: bool | None
    side_effects: int
    steps: int
    budget: int
    answer: str | None
    error: str


def result_of(played: Played) -> Result:
    instance, verdict = played.instance, played.verdict
    facts = card(instance.template)
    return Result(
        template=facts.id,
        seed=instance.seed,
        locale=instance.locale,
        level=facts.level,
        apps=facts.apps,
        status=played.status,
        success=verdict.success if verdict else None,
        progress=verdict.progress if verdict else None,
        clean=verdict.clean if verdict else None,
        false_complete=verdict.false_complete if verdict else None,
        side_effects=len(verdict.side_effects) if verdict else 0,
        steps=len(played.steps),
        budget=instance.budget,
        answer=played.answer,
        error=played.error,
    )


async def evaluate(
    pool: PhonePool,
    instances: Iterable[Instance],
    agent_for: Callable[[Instance], Agent],
    limits: Limits,
) -> AsyncIterator[Played]:
    """Plays every instance once, on as many phones as the pool has; yields episodes as they end."""
    waiting = iter(instances)
    ended: asyncio.Queue[Played | BaseException | None] = asyncio.Queue()

    async def lane() -> None:
        try:
            for instance in waiting:
                ended.put_nowait(await _play(pool, instance, agent_for, limits))
            ended.put_nowait(None)
        except BaseException as error:
            ended.put_nowait(error)

    lanes = [asyncio.create_task(lane()) for _ in range(pool.options.phones)]
    open_lanes = len(lanes)
    try:
        while open_lanes:
            item = await ended.get()
            if isinstance(item, BaseException):
                raise item
            if item is None:
                open_lanes -= 1
            else:
                yield item
    finally:
        for task in lanes:
            task.cancel()
        await asyncio.gather(*lanes, return_exceptions=True)


async def _play(pool: PhonePool, instance: Instance, agent_for: Callable[[Instance], Agent], limits: Limits) -> Played:
    for attempt in range(1, ATTEMPTS + 1):
        async with pool.phone() as phone:
            rollout = Rollout(phone=phone, instance=instance, agent=agent_for(instance), limits=limits)
            played = await rollout.play()
        if not played.status.retried or attempt == ATTEMPTS:
            return played
    raise AssertionError("unreachable")


@dataclass(frozen=True, kw_only=True)
class Score:
    """A row of a score table. `n` counts scored episodes; `failed` those that could not be scored."""

    name: str
    n: int
    success: float
    low: float
    high: float
    progress: float
    false_complete: float
    side_effects: float  # share of episodes with any
    steps: float
    failed: int


def score(name: str, results: Sequence[Result]) -> Score:
    scored = [r for r in results if r.success is not None]
    n = len(scored)
    wins = sum(bool(r.success) for r in scored)
    low, high = wilson(wins, n)

    def mean(values: Iterable[float]) -> float:
        return sum(values) / n if n else 0.0

    return Score(
        name=name,
        n=n,
        success=wins / n if n else 0.0,
        low=low,
        high=high,
        progress=mean(r.progress or 0.0 for r in scored),
        false_complete=mean(float(bool(r.false_complete)) for r in scored),
        side_effects=mean(float(r.side_effects > 0) for r in scored),
        steps=mean(r.steps for r in scored),
        failed=len(results) - n,
    )


def by_group(results: Sequence[Result], key: Callable[[Result], Iterable[str]]) -> list[Score]:
    """A score for each value of `key`, in order of name."""
    groups: dict[str, list[Result]] = {}
    for result in results:
        for name in key(result):
            groups.setdefault(name, []).append(result)
    return [score(name, members) for name, members in sorted(groups.items())]


def wilson(successes: int, n: int, z: float = 1.959963985) -> tuple[float, float]:
    """95 % interval of a share (Wilson 1927)."""
    if n == 0:
        return 0.0, 1.0
    p, z2 = successes / n, z * z
    centre = (p + z2 / (2 * n)) / (1 + z2 / n)
    half = z * math.sqrt(p * (1 - p) / n + z2 / (4 * n * n)) / (1 + z2 / n)
    return max(0.0, centre - half), min(1.0, centre + half)
