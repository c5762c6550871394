"""Paths: patterns, pointers, differences."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mobilegym.judge.paths import ALWAYS, at, covered, differences, join_pointer, matches, split_pointer


@pytest.mark.parametrize(
    ("pattern", "pointer", "fits"),
    [
        ("apps.clock.data.alarms.*.enabled", "/apps/clock/data/alarms/a1/enabled", True),
        ("apps.clock.data.alarms.*.enabled", "/apps/clock/data/alarms/a1/label", False),
        ("apps.clock.data.alarms.*", "/apps/clock/data/alarms/a1", True),
        ("apps.clock.data.alarms.*", "/apps/clock/data/alarms/a1/label", False),
        ("apps.clock.data.alarms.**", "/apps/clock/data/alarms/a1/repeat/0", True),
        ("apps.clock.data.alarms.a1.**", "/apps/clock/data/alarms/a1", True),
        ("apps.clock.data.alarms.a1.**", "/apps/clock/data/alarms/a12", False),
        ("**.modified", "/apps/notes/data/notes/n1/modified", True),
        ("os.random", "/os/random", True),
        ("os.random", "/os", False),
    ],
)
def test_patterns(pattern: str, pointer: str, fits: bool) -> None:
    assert matches(pattern, pointer) is fits


@pytest.mark.parametrize(
    ("pointer", "always"),
    [
        ("/apps/clock/ui/tab", True),
        ("/os/scroll/clock~1alarms~1main", True),
        ("/os/nav/stacks/clock/1", True),
        ("/os/notifications/ntf3", True),
        ("/os/launcher/page", True),
        ("/os/launcher/order", False),
        ("/os/settings/wifi", False),
        ("/os/locale", False),
        ("/os/permissions/clock/camera", False),
        ("/apps/clock/data/alarms/a1", False),
    ],
)
def test_what_is_always_allowed(pointer: str, always: bool) -> None:
    assert covered(ALWAYS, pointer) is always


@given(st.lists(st.text(max_size=5), max_size=5))
def test_pointers_round_trip(segments: list[str]) -> None:
    if segments != [""]:
        assert list(split_pointer(join_pointer(segments))) == segments


def test_looks_up_by_pointer_and_by_dots() -> None:
    document = {"a": {"b/c": [1, {"d": 2}]}}
    assert at(document, "/a/b~1c/1/d") == 2
    assert at({"a": {"b": 3}}, "a.b") == 3
    assert at(document, "a.x", None) is None
    with pytest.raises(KeyError, match="segment 1"):
        at(document, "a.x")


@pytest.mark.parametrize(
    ("before", "after", "paths"),
    [
        ({"a": 1, "b": 2}, {"a": 1, "b": 3}, ["/b"]),
        ({"a": {}}, {"a": {"x": {"y": 1}}}, ["/a/x"]),
        ({"a": {"x": 1}}, {"a": {}}, ["/a/x"]),
        ({"a": [1, 2]}, {"a": [1, 2, 3]}, ["/a"]),
        ({"a": [{"d": 1}, {"d": 2}]}, {"a": [{"d": 1}, {"d": 3}]}, ["/a/1/d"]),
        ({"a": 1}, {"a": 1.0}, []),
        ({"a": 1}, {"a": True}, ["/a"]),
        ({"a": None}, {"a": 0}, ["/a"]),
    ],
)
def test_differences(before: object, after: object, paths: list[str]) -> None:
    assert list(differences(before, after)) == paths
