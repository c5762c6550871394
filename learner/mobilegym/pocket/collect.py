"""Collects screens from real phones: oracle roll-ins with noise, and random walks."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import msgspec

from mobilegym.dialects.base import Inexpressible
from mobilegym.dialects.compact import Compact
from mobilegym.phone.action import Answer, AnyAction, Back, Finish
from mobilegym.phone.errors import PhoneError
from mobilegym.phone.image import POCKET
from mobilegym.phone.phone import Phone
from mobilegym.phone.pool import PhonePool, PoolOptions
from mobilegym.pocket.frame import SCREEN, Frame, Word, pack_state
from mobilegym.pocket.words_js import WORDS_JS
from mobilegym.tasks import agents
from mobilegym.tasks.instance import Instance
from mobilegym.tasks.oracle import next_action
from mobilegym.tasks.template import Unsuitable
from mobilegym.tasks.view import View

DIALECT = Compact()
SIZE = (192, 416)


class Moment(msgspec.Struct, frozen=True, kw_only=True):
    """A frame within a roll-in. `last` is the text of the action before it, "" at the start.

    `finished`: the task of the roll-in was fulfilled by exactly that action.
    """

    frame: Frame
    template: str
    seed: int
    step: int
    last: str = ""
    finished: bool = False


@dataclass(frozen=True, kw_only=True)
class Plan:
    """One roll-in: follow the oracle of `template` in world `seed`, but with share `noise` act at random instead."""

    template: str
    seed: int
    noise: float
    steps: int


async def words_of(phone: Phone) -> tuple[Word, ...]:
    answer = await phone.session.send("Runtime.evaluate", {"expression": WORDS_JS, "returnByValue": True})
    raw = json.loads(answer["result"]["value"])
    return tuple(Word(text, (b[0], b[1], b[2], b[3]), (tap[0] / SCREEN[0], tap[1] / SCREEN[1])) for text, b, tap in raw)


def spoken(action: AnyAction) -> tuple[str, tuple[AnyAction, ...]]:
    """An action as the policy would write it, and what that text does. Raises Inexpressible."""
    text = DIALECT.encode(action, SIZE)
    return text, DIALECT.parse(text, SIZE).actions


def wander(rng: random.Random, view: View) -> tuple[str, tuple[AnyAction, ...]]:
    """A random action that the dialect can say."""
    while True:
        action = agents.random_walk(rng, 1)(view)
        try:
            if action is not None:
                return spoken(action)
        except Inexpressible:
            continue


async def roll_in(phone: Phone, plan: Plan) -> list[Moment]:
    """Plays one plan and keeps every screen. Stops two screens after the task is fulfilled."""
    rng = random.Random(f"{plan.template} {plan.seed} {plan.noise}")
    instance = Instance.of(plan.template, plan.seed)
    await phone.reset(instance.initial(), image=False)
    moments: list[Moment] = []
    last, over, was_done, budget = "", False, False, plan.steps
    for step in range(plan.steps):
        seen = await phone.observe(tree=True, state=True)
        assert seen.tree is not None
        assert seen.state is not None
        view = View(seen.state, seen.tree)
        wanted = next_action(instance.template, instance.params, view)
        done = isinstance(wanted, Finish | Answer)
        frame = Frame(
            image=seen.image,
            words=await words_of(phone),
            tree=seen.tree,
            state=pack_state(seen.state),
            seed=plan.seed,
        )
        moments.append(
            Moment(
                frame=frame,
                template=plan.template,
                seed=plan.seed,
                step=step,
                last=last,
                finished=done and not was_done and step > 0,
            )
        )
        if done and not over:
            over, budget = True, step + 2
        was_done = done
        if step >= budget:
            break
        last, actions = choose(rng, plan.noise if not done else 1.0, wanted, view)
        for action in actions:
            await phone.act(action)
    return moments


def choose(rng: random.Random, noise: float, wanted: AnyAction, view: View) -> tuple[str, tuple[AnyAction, ...]]:
    if rng.random() >= noise:
        try:
            return spoken(wanted)
        except Inexpressible:
            return spoken(Back())
    return wander(rng, view)


async def collect(
    plans: Sequence[Plan], *, phones: int = 6, browsers: int = 1, tell: Callable[[str], None] = print
) -> list[Moment]:
    """Plays all plans on a pool of phones. A plan whose oracle or phone fails is left out and counted."""
    out: list[Moment] = []
    lost: dict[str, int] = {}
    waiting = iter(plans)
    played = 0

    async def lane(pool: PhonePool) -> None:
        nonlocal played
        for plan in waiting:
            async with pool.phone() as phone:
                try:
                    out.extend(await roll_in(phone, plan))
                except (PhoneError, Unsuitable, LookupError, TypeError, ValueError) as error:
                    key = f"{plan.template}: {type(error).__name__}"
                    lost[key] = lost.get(key, 0) + 1
            played += 1
            if played % 200 == 0:
                tell(f"played {played} of {len(plans)} roll-ins: {len(out)} screens")

    async with PhonePool(PoolOptions(phones=phones, browsers=browsers, picture=POCKET)) as pool:
        await asyncio.gather(*(lane(pool) for _ in range(phones)))
    if lost:
        tell("left out: " + ", ".join(f"{k} {n}" for k, n in sorted(lost.items())))
    return out


def plans_for(
    templates: Sequence[str], seeds: Sequence[int], *, noises: Sequence[float], steps: int = 12
) -> list[Plan]:
    """A plan for each template and seed, with the noises in turn."""
    return [
        Plan(template=t, seed=s, noise=noises[i % len(noises)], steps=steps)
        for i, s in enumerate(seeds)
        for t in templates
    ]
