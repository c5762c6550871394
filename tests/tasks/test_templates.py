"""Every template, without a phone."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from mobilegym.tasks.instance import Instance, budget_of, catalogue, level_of
from mobilegym.tasks.registry import UnknownTemplate, template, templates
from mobilegym.tasks.scrutiny import offline

DIGEST = """
from mobilegym.judge.ending import Ending
from mobilegym.judge.judge import judge
from mobilegym.tasks.instance import Instance
from mobilegym.tasks.registry import templates
for template in templates().values():
    for locale in ("en", "zh"):
        instance = Instance(template, 1, locale)
        state, expected = instance.initial(), template.answer(instance.params)
        said = expected.say(locale) if expected else None
        verdict = judge(template, instance.params, Ending(state, state, (), said, True, 1, 9))
        print(template.id, locale, instance.goal, instance.params, said, verdict)
"""


@pytest.mark.parametrize("name", sorted(templates()))
def test_suits_its_worlds_and_does_not_pass_untouched(name: str) -> None:
    assert [f"{f.where}: {f.reason}" for f in offline(template(name), ("en", "zh")) if not f.ok] == []


def test_same_goals_answers_and_verdicts_in_every_host_zone() -> None:
    outputs = set()
    for zone, hash_seed in (("UTC", "1"), ("Pacific/Auckland", "2"), ("America/St_Johns", "3")):
        environment = {**os.environ, "TZ": zone, "PYTHONHASHSEED": hash_seed}
        done = subprocess.run([sys.executable, "-c", DIGEST], env=environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        outputs.add(done.stdout)
    assert len(outputs) == 1


def test_an_unknown_id_offers_the_closest() -> None:
    known = next(iter(templates()))
    with pytest.raises(UnknownTemplate, match=f"did you mean .*{known}"):
        Instance.of(known[:-1], 0)
    with pytest.raises(UnknownTemplate, match="mobilegym tasks list"):
        template("xyzzy")


def test_instances_are_equal_by_seed_and_independent_of_each_other() -> None:
    name = next(iter(templates()))
    one, two = Instance.of(name, 1), Instance.of(name, 1)
    assert (one.params, one.goal, one.initial()) == (two.params, two.goal, two.initial())
    one.initial()["os"]["locale"] = "xx"
    assert one.initial() == two.initial()


@pytest.mark.parametrize(("steps", "level"), [(1, 1), (4, 1), (5, 2), (10, 2), (11, 3), (20, 3), (21, 4)])
def test_levels_follow_from_oracle_steps(steps: int, level: int) -> None:
    assert level_of(steps) == level
    assert budget_of(steps) >= 2.5 * steps + 5


def test_the_catalogue_has_a_card_for_each() -> None:
    cards = catalogue()
    assert [card.id for card in cards] == list(templates())
    assert all(card.level in (1, 2, 3, 4) and card.budget > 5 and card.apps for card in cards)
