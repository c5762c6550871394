"""`mobilegym tasks` and `mobilegym check`, as typed."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner, Result

from mobilegym.cli.main import main
from mobilegym.tasks.registry import templates


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, list(arguments))


def test_lists_every_template_with_level_and_budget() -> None:
    cards = json.loads(run("tasks", "list", "--json").stdout)
    assert [card["id"] for card in cards] == list(templates())
    assert {"apps", "split", "level", "budget"} <= cards[0].keys()
    assert {card["split"] for card in json.loads(run("tasks", "list", "--split", "test", "--json").stdout)} == {"test"}


@pytest.mark.parametrize("locale", ["en", "zh"])
def test_shows_a_task_as_an_agent_would_meet_it(locale: str) -> None:
    shown = json.loads(run("tasks", "show", "clock.toggle-alarm", "--seed", "3", "--locale", locale, "--json").stdout)
    assert shown["template"] == "clock.toggle-alarm"
    assert shown["goal"]
    assert "goal " in run("tasks", "show", "clock.toggle-alarm").stdout


@pytest.mark.parametrize("command", [("tasks", "show"), ("check",)])
def test_an_unknown_template_is_refused_with_a_hint(command: tuple[str, ...]) -> None:
    result = run(*command, "clock.toggle-alrm")
    assert result.exit_code == 2
    assert "did you mean clock.toggle-alarm" in result.stderr


def test_check_wants_seeds_and_known_languages() -> None:
    assert run("check", "--locale", "fr").exit_code == 2
    assert run("check", "--seeds", "0").exit_code == 2


def test_checks_a_template(phones_run: None) -> None:
    result = run("check", "clock.toggle-alarm", "--seeds", "1", "--locale", "en", "--phones", "1", "--json")
    assert result.exit_code == 0, result.output
    (certificate,) = json.loads(result.stdout)
    assert certificate["ok"]
    assert set(certificate["properties"].values()) == {True}
    assert certificate["failures"] == []
