from __future__ import annotations

from pathlib import Path

import pytest

from mobilegym.dialects.compact import Compact
from mobilegym.phone.action import Tap
from mobilegym.pocket.card import Card, read_card, write_card
from mobilegym.pocket.collect import Moment
from mobilegym.pocket.evaluate import Score
from mobilegym.pocket.frame import Word, token_at
from mobilegym.pocket.places import point_words
from mobilegym.pocket.store import read_moments, write_moments


@pytest.mark.parametrize(
    ("x", "y", "token"),
    [(20, 110, 2 * 6), (20, 159, 2 * 6), (20, 161, 3 * 6), (340, 130, 2 * 6 + 5), (180, 60, 6 + 3)],
)
def test_a_row_of_64_px_is_one_row_of_visual_tokens(x: float, y: float, token: int) -> None:
    assert token_at(x, y) == token


def test_a_word_stands_in_the_token_that_holds_its_centre() -> None:
    assert Word("Gym", (20, 100, 30, 20), (0.5, 0.5)).token == token_at(35, 110)


@pytest.mark.parametrize(("x", "y"), [(0.0, 0.0), (0.5, 0.16), (0.999, 0.999), (0.486, 0.311)])
def test_a_point_is_written_as_the_dialect_writes_it(x: float, y: float) -> None:
    assert "click {} {}".format(*point_words(x, y)) == Compact().encode(Tap(x, y), (192, 416))


def test_screens_survive_the_disk(tmp_path: Path, moment: Moment) -> None:
    write_moments([moment, moment], tmp_path / "screens.mp")
    assert read_moments(tmp_path / "screens.mp") == [moment, moment]
    assert moment.frame.document() == {"os": {}}


def test_wilson_interval_of_a_known_case() -> None:
    low, high = Score(successes=64, episodes=210).interval  # 0.305 [.246, .370]
    assert (round(low, 3), round(high, 3)) == (0.246, 0.370)


def test_a_card_survives_the_disk(tmp_path: Path) -> None:
    card = Card(
        phone_build="b",
        task_set="t",
        templates=("a.b",),
        withheld=(),
        seed=0,
        train_worlds=(0, 1),
        held_out_worlds=(1, 2),
        parameters=1,
        cpu_seconds={"reading": 1},
        success=0.5,
        success_low=0.4,
        success_high=0.6,
        episodes=2,
        imitation_ceiling=0.5,
        entropy=0.4,
        teacher_errors=0.25,
        agreement={"all": 0.9},
        by_template={"a.b": 0.5},
    )
    write_card(card, tmp_path / "card.json")
    assert read_card(tmp_path / "card.json") == card
