"""A judge looks at what was reached, not at the way: another route of the phone passes as well."""

from __future__ import annotations

import asyncio

from mobilegym.judge.judge import Verdict, judge
from mobilegym.phone.action import AnyAction, Finish, Swipe
from mobilegym.phone.pool import PhonePool, PoolOptions
from mobilegym.tasks.agents import Agent, oracle
from mobilegym.tasks.gestures import need, tap_node
from mobilegym.tasks.instance import Instance
from mobilegym.tasks.runner import play
from mobilegym.tasks.view import View

TILES = ("wifi", "bluetooth", "airplane", "flashlight", "darkMode", "batterySaver", "doNotDisturb")


def by_the_shade(setting: str) -> Agent:
    """Pulls the shade down and taps the tile, once."""

    def act(view: View) -> AnyAction:
        if view.overlay != "shade":
            return Swipe(0.5, 0.01, 0.5, 0.6)
        if view.at(f"os.settings.{setting}") == before.setdefault(setting, view.at(f"os.settings.{setting}")):
            return tap_node(need(view, "switch", key=setting))
        return Finish()

    before: dict[str, object] = {}
    return act


def instance_with_a_tile() -> Instance:
    instances = (Instance.of("settings.set-switch", seed, "en") for seed in range(100))
    return next(instance for instance in instances if instance.params.name in TILES)


async def verdicts(instance: Instance) -> list[Verdict]:
    async with PhonePool(PoolOptions(phones=1)) as pool, pool.phone() as phone:
        agents = (oracle(instance), by_the_shade(instance.params.name))
        endings = [await play(phone, instance, agent) for agent in agents]
    ways = [{event["app"] for event in ending.events} for ending in endings]
    assert ways[0] != ways[1] or len(endings[0].events) != len(endings[1].events)
    return [judge(instance.template, instance.params, ending) for ending in endings]


def test_through_the_settings_and_by_the_shade(phones_run: None) -> None:
    found = asyncio.run(verdicts(instance_with_a_tile()))
    assert [(v.success, v.clean) for v in found] == [(True, True), (True, True)]
