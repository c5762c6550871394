"""The world: equal seeds make equal lives, on any machine, at any host time."""

import json
import os
import subprocess
import sys

import pytest

from mobilegym.world import dates
from mobilegym.world.os import os as system
from mobilegym.world.world import World

LOCALES: tuple[dates.Locale, ...] = ("en", "zh")
SEEDS = range(60)

DIGEST = """
import hashlib, json
from mobilegym.world.world import World
for locale in ("en", "zh"):
    print(hashlib.sha256(json.dumps(World(5, locale).state(), sort_keys=True).encode()).hexdigest())
"""


@pytest.mark.parametrize("locale", LOCALES)
def test_now_is_a_quarter_past_in_the_zone_of_the_world(locale: dates.Locale) -> None:
    for seed in SEEDS:
        world = World(seed, locale)
        now = dates.wall(world.now, world.zone)
        assert dates.FIRST <= now.date() <= dates.LAST
        assert (now.minute, now.second, now.microsecond) == (15, 0, 0)
        assert 8 <= now.hour <= 20
        assert world.at(0, world.minute) == world.now


@pytest.mark.parametrize("locale", LOCALES)
def test_people_can_be_told_apart_but_not_by_first_name(locale: dates.Locale) -> None:
    for seed in SEEDS:
        world = World(seed, locale)
        everyone = world.everyone
        assert 40 <= len(world.people) <= 80
        for of in ("id", "name", "number"):
            assert len({getattr(p, of) for p in everyone}) == len(everyone), of
        assert len({p.given for p in everyone}) < len(everyone)
        assert [p.relation for p in everyone].count("me") == 1
        assert all(p.email.endswith(".example") for p in everyone)
        assert all(p.number.startswith("555-01" if locale == "en" else "000-") for p in everyone)


def test_streams_do_not_disturb_each_other() -> None:
    world = World(3)
    first = world.rng("a").random()
    world.rng("b").random()
    assert world.rng("a").random() == first != world.rng("b").random()


def test_seeds_and_languages_differ() -> None:
    worlds = [World(1), World(2), World(1, "zh")]
    assert len({w.now for w in worlds}) == 3
    assert len({w.owner.name for w in worlds}) == 3


def test_system_part_is_json_and_fresh() -> None:
    state = system(World(1))
    assert json.loads(json.dumps(state)) == state
    assert state["nav"]["active"] == "launcher"
    state["settings"]["wifi"] = None
    assert system(World(1))["settings"]["wifi"] is True


def test_same_bytes_in_every_host_zone_and_hash_seed() -> None:
    outputs = set()
    for zone, hash_seed in (("UTC", "1"), ("Pacific/Auckland", "2"), ("America/St_Johns", "3")):
        environment = {**os.environ, "TZ": zone, "PYTHONHASHSEED": hash_seed}
        command = [sys.executable, "-c", DIGEST]
        done = subprocess.run(command, env=environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        outputs.add(done.stdout)
    assert len(outputs) == 1
