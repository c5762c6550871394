"""Wrong endings are made from a right one, and a lenient judge is found out."""

from __future__ import annotations

from typing import Any

from mobilegym.judge.ending import Ending
from mobilegym.tasks.mutants import mutants, put

ALARMS = "/apps/clock/data/alarms"


def alarm(id: str, minute: int, enabled: bool = True) -> dict[str, Any]:
    return {"id": id, "minute": minute, "enabled": enabled, "repeat": [0, 1]}


def ending(before: dict[str, Any], after: dict[str, Any]) -> Ending:
    def state(alarms: dict[str, Any], tab: str) -> dict[str, Any]:
        return {"apps": {"clock": {"data": {"alarms": alarms}, "ui": {"tab": tab}}}, "os": {"clock": {"now": 1}}}

    return Ending(state(before, "timer"), state(after, "alarms"), finished=True)


A, B, C = alarm("a", 450), alarm("b", 480, False), alarm("c", 500, False)


def test_a_changed_value_is_reverted_bent_and_moved() -> None:
    made = list(mutants(ending({"a": A, "b": B}, {"a": A, "b": B | {"minute": 490}}), ()))
    told = {(m.kind, m.path, m.told) for m in made}
    path = f"{ALARMS}/b/minute"
    assert told == {
        ("reverted", path, "490 -> 480"),
        ("wrong value", path, "490 -> 491"),
        ("wrong value", path, "490 -> 489"),
        ("wrong value", path, "490 -> 450"),
        ("neighbour too", f"{ALARMS}/a/minute", "450 -> 490"),
        ("neighbour instead", f"{ALARMS}/a/minute", "450 -> 490"),
        ("item gone", f"{ALARMS}/b", next(m.told for m in made if m.kind == "item gone")),
    }
    moved = next(m for m in made if m.kind == "neighbour instead")
    assert moved.ending.at("apps.clock.data.alarms.b.minute") == 480
    assert moved.ending.events[-1]["paths"] == [f"{ALARMS}/a/minute"]


def test_a_new_item_is_taken_away_doubled_and_bent_in_every_field() -> None:
    made = list(mutants(ending({"a": A}, {"a": A, "c": C}), ("**.enabled",)))
    kinds = {(m.kind, m.path) for m in made}
    assert ("reverted", f"{ALARMS}/c") in kinds
    assert ("extra item", f"{ALARMS}/c0") in kinds
    assert ("old item lost", f"{ALARMS}/a") in kinds
    assert ("wrong value", f"{ALARMS}/c/minute") in kinds
    assert ("wrong value", f"{ALARMS}/c/repeat") in kinds
    assert not [path for _, path in kinds if path.endswith(("/id", "/enabled"))]
    twin = next(m for m in made if m.kind == "extra item").ending
    assert twin.at("apps.clock.data.alarms.c0.id") == "c0"


def test_a_deletion_is_reverted_and_done_to_others() -> None:
    made = list(mutants(ending({"a": A, "b": B}, {"b": B}), ()))
    assert {(m.kind, m.path) for m in made} == {
        ("reverted", f"{ALARMS}/a"),
        ("neighbour too", f"{ALARMS}/b"),
        ("neighbour instead", f"{ALARMS}/b"),
    }
    too = next(m for m in made if m.kind == "neighbour too").ending
    assert too.at("apps.clock.data.alarms") == {}


def test_where_the_agent_is_does_not_matter() -> None:
    assert list(mutants(ending({"a": A}, {"a": A}), ())) == []


def test_put_copies_only_what_it_changes() -> None:
    document = {"a": {"b": [1, {"c": 2}]}, "d": {}}
    changed = put(document, ("a", "b", "1", "c"), 3)
    assert changed == {"a": {"b": [1, {"c": 3}]}, "d": {}}
    assert document["a"]["b"][1] == {"c": 2}
    assert changed["d"] is document["d"]
