"""A person is told when the phone or the tasks have moved on from the shipped weights."""

from pathlib import Path

import pytest
from tests.conftest import missing

from mobilegym.phone.build import PhoneBuild
from mobilegym.phone.errors import MissingPhoneBuild
from mobilegym.pocket.card import Card, write_card
from mobilegym.pocket.freshness import moved_on
from mobilegym.pocket.recipe import task_set_hash

TASKS = ("settings.set-switch", "settings.set-font-size")


def card(folder: Path, **changes: object) -> Path:
    try:
        build = PhoneBuild.load().hash
    except MissingPhoneBuild as error:
        missing(str(error))
        raise
    facts = {
        "phone_build": build,
        "task_set": task_set_hash(TASKS),
        "templates": TASKS,
        "withheld": (),
        "seed": 0,
        "train_worlds": (0, 1),
        "held_out_worlds": (1, 2),
        "parameters": 1,
        "cpu_seconds": {},
        "success": 0.0,
        "success_low": 0.0,
        "success_high": 1.0,
        "episodes": 1,
        "imitation_ceiling": 0.0,
        "entropy": 0.0,
        "teacher_errors": 0.0,
        "agreement": {},
        "by_template": {},
    } | changes
    write_card(Card(**facts), folder / "card.json")  # type: ignore[arg-type]
    return folder


def test_nothing_is_said_while_all_is_as_it_was(tmp_path: Path) -> None:
    assert moved_on(card(tmp_path)) == []
    assert moved_on(tmp_path / "nowhere") == []


@pytest.mark.parametrize(
    ("changes", "word"),
    [
        ({"phone_build": "0123456789abcdef"}, "the phone"),
        ({"task_set": "another"}, "the tasks' goals"),
        ({"templates": ("clock.gone",)}, "clock.gone"),
    ],
)
def test_what_has_changed_is_named(tmp_path: Path, changes: dict[str, object], word: str) -> None:
    assert word in " ".join(moved_on(card(tmp_path, **changes)))
