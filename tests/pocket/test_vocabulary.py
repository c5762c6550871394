from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mobilegym.pocket.vocabulary import COORDINATES, VERBS, build_tokenizer, choose, words

TOKENIZER = build_tokenizer(choose(["Set the alarm Gym for 07:30.", "Pay $12.50 to Ada's shop"], 100))


@pytest.mark.parametrize(
    "text",
    [
        "Set the alarm Gym for 07:30.",
        'Open "Gym", then pay $12.50 (twice)!',
        "Ada's shop... don't re-do a.b:c",
        "click x475 y300",
        "云泽市 café ¥3",
        "",
    ],
)
def test_text_survives_encoding(text: str) -> None:
    assert TOKENIZER.decode(TOKENIZER.encode(text, add_special_tokens=False).ids) == text


@settings(max_examples=200, deadline=None)
@given(st.lists(st.text(st.characters(codec="utf-8", exclude_categories=("Z", "C", "M")), min_size=1), max_size=6))
def test_any_single_spaced_text_encodes(parts: list[str]) -> None:
    import unicodedata

    text = unicodedata.normalize("NFC", " ".join(parts)).replace("\u2581", "_")
    assert TOKENIZER.decode(TOKENIZER.encode(text, add_special_tokens=False).ids) == text


def test_what_must_be_compared_is_one_token() -> None:
    compared = [*VERBS, *COORDINATES, "Gym", "07:30", "12.50"]
    assert [w for w in compared if len(TOKENIZER.encode(w, add_special_tokens=False).ids) != 1] == []


@pytest.mark.parametrize("text", ['"Gym"', "Gym.", "the Gym", "(Gym)", "Gym's"])
def test_a_word_is_the_same_token_wherever_it_stands(text: str) -> None:
    gym = TOKENIZER.encode("Gym", add_special_tokens=False).ids[0]
    assert gym in TOKENIZER.encode(text, add_special_tokens=False).ids


def test_words_are_cut_as_the_tokenizer_cuts_them() -> None:
    text = 'Set "Gym" for 07:30, Ada\'s.'
    pieces = [p.removeprefix("\u2581") for p in TOKENIZER.encode(text, add_special_tokens=False).tokens]
    known = [w for w in words(text) if w in pieces]
    assert "07:30" in known
    assert "Gym" in known
