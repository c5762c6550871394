"""What holds for any text and any action."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mobilegym.dialects import DIALECTS, Dialect, Inexpressible, dialect
from mobilegym.phone import action as a

SIZE = (352, 800)
SPOKEN = list(DIALECTS.values())

share = st.floats(0, 1, exclude_max=True)
words = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=40)
seconds = st.integers(1, 3600).map(float)
actions: st.SearchStrategy[a.AnyAction] = st.one_of(
    st.builds(a.Tap, share, share),
    st.builds(a.DoubleTap, share, share),
    st.builds(a.LongPress, share, share),
    st.builds(a.Swipe, share, share, share, share),
    st.builds(a.Drag, share, share, share, share),
    st.builds(a.Type, words),
    st.builds(a.Answer, words),
    st.builds(a.OpenApp, words),
    st.builds(a.Wait, seconds),
    st.builds(a.Finish, st.sampled_from(["success", "failure"])),
    st.sampled_from([a.Enter(), a.Back(), a.Home(), a.Recents()]),
)
pieces = st.lists(
    st.one_of(
        st.sampled_from(
            ["<tool_call>", "</tool_call>", "{", "}", '"', "'", "[", "]", "\\", "\n", "\x00", "click", "type "]
        ),
        st.sampled_from(
            ['"name": "mobile_use"', '"arguments": ', '"action": "click"', '"coordinate": [1, 2]', "x475", "y300"]
        ),
        st.text(max_size=8),
        st.integers().map(str),
    ),
    max_size=16,
).map("".join)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=6,
)
calls = st.fixed_dictionaries(
    {"action": st.sampled_from(["click", "swipe", "type", "wait", "terminate", "system_button"]) | values},
    optional={key: values for key in ("coordinate", "coordinate2", "text", "time", "button", "status")},
)


@pytest.mark.parametrize("speech", SPOKEN, ids=lambda speech: speech.name)
@given(text=st.one_of(pieces, st.text(), calls.map(json.dumps)))
def test_any_text_gives_actions_or_a_fault(speech: Dialect, text: str) -> None:
    parsed = speech.parse(text, SIZE)
    assert bool(parsed.actions) != bool(parsed.error)
    assert (parsed.fault is None) == (parsed.error == "")


@pytest.mark.parametrize(
    "text", ["{" * 30_000, "[" * 30_000 + "{", '{"a":' * 9_000, "<tool_call>" * 9_000, "(" * 19_000 + "{1}"]
)
@pytest.mark.parametrize("speech", SPOKEN, ids=lambda speech: speech.name)
def test_hostile_text_is_a_fault(speech: Dialect, text: str) -> None:
    assert speech.parse(text, SIZE).fault is not None


@pytest.mark.parametrize("speech", SPOKEN, ids=lambda speech: speech.name)
@given(action=actions)
def test_what_is_written_reads_back(speech: Dialect, action: a.AnyAction) -> None:
    try:
        text = speech.encode(action, SIZE)
    except Inexpressible:
        return
    parsed = speech.parse(text, SIZE)
    assert type(parsed.actions[0]) is type(action)
    if isinstance(action, a.Type | a.Answer):
        expected = action.text.rstrip("\r\n") if speech.name == "compact" else action.text
        assert parsed.actions[0] == type(action)(expected)
    elif isinstance(action, a.Tap | a.LongPress):
        read = parsed.actions[0]
        assert isinstance(read, a.Tap | a.LongPress)
        assert abs(read.x - action.x) <= (0.025 if speech.name == "compact" else 0.0015)
        assert abs(read.y - action.y) <= (0.02 if speech.name == "compact" else 0.0007)
    elif not isinstance(action, a.Swipe):
        assert parsed.actions[0] == action
    assert speech.encode(parsed.actions[0], SIZE) == text


@pytest.mark.parametrize(
    ("name", "action"),
    [
        ("compact", a.Drag(0.1, 0.2, 0.3, 0.4)),
        ("compact", a.Swipe(0.5, 0.0, 0.5, 0.5)),  # pulls down the shade; `swipe down` would scroll
        ("compact", a.Finish("failure")),
        ("compact", a.Recents()),
        ("qwen3-vl", a.Drag(0.1, 0.2, 0.3, 0.4)),
        ("qwen3-vl", a.OpenApp("Clock")),
    ],
)
def test_what_has_no_words_is_refused(name: str, action: a.AnyAction) -> None:
    with pytest.raises(Inexpressible):
        dialect(name).encode(action, SIZE)


@given(x=share, y=share)
def test_compact_words_lie_on_the_declared_grid(x: float, y: float) -> None:
    _, first, second = dialect("compact").encode(a.Tap(x, y), SIZE).split()
    assert int(first[1:]) in range(0, 976, 25)
    assert int(second[1:]) in range(0, 981, 20)
