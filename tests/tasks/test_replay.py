"""Replay: the same actions make the same bytes and the same pixels, wherever a random walk leads."""

from __future__ import annotations

import asyncio
import random

import pytest

from mobilegym.phone.image import Format, Picture
from mobilegym.phone.pool import PhonePool, PoolOptions
from mobilegym.tasks.agents import random_walk, replay
from mobilegym.tasks.certify import canonical
from mobilegym.tasks.instance import Instance
from mobilegym.tasks.registry import templates
from mobilegym.tasks.runner import Recording, play
from mobilegym.tasks.scrutiny import logged
from mobilegym.world.dates import Locale

STEPS = 40


async def walk_twice(seed: int, locale: Locale) -> None:
    instance = Instance(next(iter(templates().values())), seed, locale)
    first, second = Recording(), Recording()
    options = PoolOptions(phones=2, picture=Picture(format=Format.PNG))
    async with PhonePool(options) as pool, pool.phone() as one, pool.phone() as other:
        agent = random_walk(random.Random(seed), STEPS)
        ending = await play(one, instance, agent, most_steps=STEPS, recording=first)
        again = await play(other, instance, replay(first.actions), most_steps=STEPS, recording=second)
    assert len(first.actions) == STEPS
    assert canonical(ending) == canonical(again)
    assert first.images == second.images
    assert logged(ending) == ""


@pytest.mark.parametrize(("seed", "locale"), [(1, "en"), (2, "en"), (3, "zh")])
def test_a_random_walk_replays_on_another_phone(phones_run: None, seed: int, locale: Locale) -> None:
    asyncio.run(walk_twice(seed, locale))
