"""The cache: the newer version wins, whatever order answers and watch events come in."""

from __future__ import annotations

from typing import Any

from mobilegym.operator import names
from mobilegym.operator.store import Key, Store, hash_of

KEY = Key("lab", "run")


def obj(name: str, version: int, *, uid: str = "", owner: str = "owner", hash: str = "1") -> dict[str, Any]:
    reference = {"kind": names.KIND, "name": "run", "uid": owner, "controller": True}
    return {
        "metadata": {
            "name": name,
            "namespace": "lab",
            "uid": uid or f"uid-{name}",
            "resourceVersion": str(version),
            "labels": names.labels("run"),
            "annotations": {names.HASH: hash},
            "ownerReferences": [reference],
        }
    }


def store(told: list[Key] | None = None) -> Store[str]:
    return Store(hash_of, (told if told is not None else []).append)


def test_an_older_event_does_not_undo_an_own_write() -> None:
    objects = store()
    objects.put(obj("a", 5, hash="new"))
    objects.saw(obj("a", 4, hash="old"))
    assert objects.of(KEY, "owner") == ["new"]


def test_an_own_writes_answer_does_not_bring_back_what_is_deleted() -> None:
    objects = store()
    objects.saw(obj("a", 4))
    objects.lost(obj("a", 6))
    assert not objects.put(obj("a", 5))
    assert objects.of(KEY, "owner") == []


def test_a_list_does_not_forget_what_was_made_after_it() -> None:
    objects = store()
    objects.saw(obj("old", 3))
    objects.put(obj("new", 12))
    objects.sweep(["uid-other"], version=10)
    assert objects.get(KEY, "old") is None
    assert objects.get(KEY, "new") is not None


def test_a_late_deletion_does_not_take_the_successor() -> None:
    objects = store()
    objects.saw(obj("a", 4, uid="first"))
    objects.saw(obj("a", 9, uid="second"))
    objects.lost(obj("a", 6, uid="first"))
    entry = objects.get(KEY, "a")
    assert entry is not None
    assert entry.uid == "second"


def test_objects_of_a_former_run_of_the_name_are_not_the_runs() -> None:
    objects = store()
    objects.saw(obj("a", 4, owner="former"))
    assert objects.of(KEY, "owner") == []
    assert objects.of(KEY, "former") == ["1"]


def test_the_run_is_told_of_changes_by_the_watch_and_not_of_own_writes() -> None:
    told: list[Key] = []
    objects = store(told)
    objects.put(obj("a", 4))
    objects.saw(obj("a", 4))
    assert told == []
    objects.saw(obj("a", 5))
    objects.lost(obj("a", 6))
    assert told == [KEY, KEY]


def test_what_has_no_run_is_left_alone() -> None:
    objects = store()
    stray = obj("a", 4)
    del stray["metadata"]["labels"][names.RUN]
    objects.saw(stray)
    assert len(objects) == 0
