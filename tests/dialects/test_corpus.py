"""Raw model text and what it means."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from mobilegym.dialects import dialect
from mobilegym.phone.action import AnyAction

CORPUS = [json.loads(line) for line in (Path(__file__).parent / "corpus.jsonl").read_text().splitlines()]
SIZE = (352, 800)  # resized to 364 x 812 by a processor of factor 28


@pytest.mark.parametrize("row", CORPUS, ids=[f"{row['dialect']}-{n}" for n, row in enumerate(CORPUS)])
def test_text_means_these_actions_or_this_fault(row: dict[str, Any]) -> None:
    parsed = dialect(row["dialect"]).parse(row["text"], SIZE)
    if "fault" in row:
        assert parsed.fault == row["fault"]
        assert parsed.error
        assert parsed.actions == ()
    else:
        assert parsed.error == ""
        assert parsed.actions == msgspec.convert(row["actions"], tuple[AnyAction, ...])


def test_unknown_dialect_names_the_known_ones() -> None:
    with pytest.raises(ValueError, match=r"compact, qwen2\.5-vl, qwen3-vl, ui-tars"):
        dialect("klingon")
