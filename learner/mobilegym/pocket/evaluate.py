"""Plays held-out tasks with a policy on real phones, sampling in this process."""

from __future__ import annotations

import asyncio
import math
import zlib
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from mobilegym.dialects.compact import Compact
from mobilegym.phone.image import POCKET
from mobilegym.phone.pool import PhonePool, PoolOptions
from mobilegym.policy.engine import Engine
from mobilegym.policy.metrics import Metrics
from mobilegym.policy.model import Policy
from mobilegym.policy.sampler import Request
from mobilegym.tasks.instance import Instance
from mobilegym.worker.agent import Decision, Turn
from mobilegym.worker.rollout import Limits, Played, Rollout


@dataclass(frozen=True, kw_only=True)
class Score:
    """Successes of n episodes, with the 95 % Wilson interval."""

    successes: int
    episodes: int

    @property
    def rate(self) -> float:
        return self.successes / max(1, self.episodes)

    @property
    def interval(self) -> tuple[float, float]:
        n, p, z = max(1, self.episodes), self.rate, 1.959964
        centre = (p + z * z / (2 * n)) / (1 + z * z / n)
        half = z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n)) / (1 + z * z / n)
        return max(0.0, centre - half), min(1.0, centre + half)

    def __str__(self) -> str:
        low, high = self.interval
        return f"{self.rate:.3f} [{low:.3f}, {high:.3f}] of {self.episodes}"


@dataclass(frozen=True, kw_only=True)
class Report:
    total: Score
    by_template: dict[str, Score]
    entropy: float  # mean of -log-probability of the sampled tokens, nats
    lengths: float  # mean steps of an episode
    played: tuple[Played, ...]


class LocalAgent:
    """The compact dialect over an engine in this process."""

    name = "pocket"
    needs_tree = False

    def __init__(self, engine: Engine, temperature: float, seed: int) -> None:
        self._engine = engine
        self._temperature = temperature
        self._seed = seed
        self._dialect = Compact()

    async def decide(self, turn: Turn) -> Decision:
        image = self._engine.prepare(turn.observation.image)
        messages = self._dialect.messages(turn.goal, turn.history, turn.observation)
        ids = tuple(self._engine.policy.prompt_ids(messages, [image.grid]))
        seed = zlib.crc32(f"{self._seed} {turn.step}".encode())
        request = Request(prompt_ids=ids, images=(image,), temperature=self._temperature, max_tokens=12, seed=seed)
        sample = (await self._engine.complete(request)).sample
        text = self._engine.policy.decode(sample.token_ids)
        parsed = self._dialect.parse(text, turn.observation.size)
        return Decision(
            actions=parsed.actions,
            error=parsed.error,
            text=text,
            prompt_ids=ids,
            token_ids=sample.token_ids,
            logprobs=sample.logprobs,
        )


async def play(
    policy: Policy,
    templates: Sequence[str],
    seeds: Sequence[int],
    *,
    temperature: float = 1.0,
    steps: int = 10,
    phones: int = 8,
    seed: int = 0,
) -> Report:
    """Each template in each seed's world, once."""
    engine = Engine(policy, Metrics(), max_batch=16)
    await engine.start()
    waiting = iter([(t, s) for s in seeds for t in templates])
    played: list[Played] = []

    async def lane(pool: PhonePool) -> None:
        for template, world in waiting:
            agent = LocalAgent(engine, temperature, zlib.crc32(f"{seed} {template} {world}".encode()))
            async with pool.phone() as phone:
                rollout = Rollout(phone, Instance.of(template, world), agent, Limits(steps=steps))
                played.append(await rollout.play())

    async with PhonePool(PoolOptions(phones=phones, browsers=1, picture=POCKET)) as pool:
        await asyncio.gather(*(lane(pool) for _ in range(phones)))
    await engine.close()
    return report(played)


def report(played: Sequence[Played]) -> Report:
    """Episodes that ended in an error of ours count for nothing."""
    judged = [p for p in played if p.verdict is not None]
    tally: dict[str, list[bool]] = defaultdict(list)
    for p in judged:
        assert p.verdict is not None
        tally[p.instance.template.id].append(p.verdict.success)
    surprise = [-lp for p in judged for s in p.steps for lp in s.logprobs]
    results = [ok for oks in tally.values() for ok in oks]
    return Report(
        total=Score(successes=sum(results), episodes=len(results)),
        by_template={t: Score(successes=sum(oks), episodes=len(oks)) for t, oks in sorted(tally.items())},
        entropy=sum(surprise) / max(1, len(surprise)),
        lengths=sum(len(p.steps) for p in judged) / max(1, len(judged)),
        played=tuple(judged),
    )
