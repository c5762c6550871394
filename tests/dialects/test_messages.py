"""What a model is asked."""

from __future__ import annotations

import pytest

from mobilegym.dialects import DIALECTS, dialect
from mobilegym.phone.image import Format
from mobilegym.phone.observation import Observation
from mobilegym.protocol.messages import StepRecord

SEEN = Observation(image=b"", format=Format.PNG, size=(192, 416), step=2)


def test_compact_tells_goal_last_action_and_its_error() -> None:
    past = [StepRecord(image="", text="back"), StepRecord(image="", text="tap x1 y2", error="unknown action 'tap'")]
    [message] = dialect("compact").messages("Turn the alarm off.", past, SEEN)
    text, image = message["content"]
    assert text["text"] == "Turn the alarm off.\nlast: tap x1 y2\nerror: unknown action 'tap'"
    assert image == {"type": "image"}


def test_compact_starts_with_the_goal_alone() -> None:
    [message] = dialect("compact").messages("Turn the alarm off.", [], SEEN)
    assert message["content"][0]["text"] == "Turn the alarm off."


def test_qwen_repeats_the_summary_of_each_step() -> None:
    past = [
        StepRecord(image="", text="Thought: so.\nAction: Open the clock\n<tool_call>{}</tool_call>"),
        StepRecord(image="", text="nonsense", error="no tool call"),
    ]
    system, user = dialect("qwen3-vl").messages("Turn the alarm off.", past, SEEN)
    assert "mobile_use" in system["content"]
    assert user["content"][0]["text"].splitlines()[2:] == ["1. Open the clock", "2. nonsense (not done: no tool call)"]


@pytest.mark.parametrize("name", sorted(DIALECTS))
def test_one_place_for_the_picture(name: str) -> None:
    messages = dialect(name).messages("Turn the alarm off.", [], SEEN)
    parts = [part for message in messages if isinstance(message["content"], list) for part in message["content"]]
    assert sum(part["type"] == "image" for part in parts) == 1
