"""What is known of the objects of one kind, by the run that they belong to."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, TypeVar

from mobilegym.operator import names

T = TypeVar("T")
TOMBSTONES = 4096  # deleted objects that are remembered


class Key(NamedTuple):
    """A run."""

    namespace: str
    name: str

    def __str__(self) -> str:
        return f"{self.namespace}/{self.name}"


@dataclass(frozen=True, slots=True)
class Entry(Generic[T]):
    value: T
    uid: str
    owner: str  # uid of the run that controls it
    version: int


class Store(Generic[T]):
    """Filled by a watch and by the answers to own writes, in any order: the newer resource version wins.

    `make` keeps of an object what is needed. `changed` is told the run of every change that a watch brought.
    """

    def __init__(
        self, make: Callable[[Mapping[str, Any]], T], changed: Callable[[Key], None] = lambda key: None
    ) -> None:
        self._make = make
        self._changed = changed
        self._runs: dict[Key, dict[str, Entry[T]]] = {}
        self._deleted: OrderedDict[str, None] = OrderedDict()

    def __len__(self) -> int:
        return sum(map(len, self._runs.values()))

    def of(self, key: Key, owner: str) -> list[T]:
        """Objects of the run, and not of a former one of its name."""
        return [entry.value for entry in self._runs.get(key, {}).values() if entry.owner == owner]

    def get(self, key: Key, name: str) -> Entry[T] | None:
        return self._runs.get(key, {}).get(name)

    def put(self, obj: Mapping[str, Any]) -> bool:
        """Own write or watch. False where this, or something newer, was known."""
        key, meta = run_of(obj), obj["metadata"]
        version = int(meta["resourceVersion"])
        if key is None or meta["uid"] in self._deleted:
            return False
        known = self._runs.setdefault(key, {})
        old = known.get(meta["name"])
        if old is not None and old.version >= version:
            return False
        known[meta["name"]] = Entry(self._make(obj), meta["uid"], owner_of(obj), version)
        return True

    def drop(self, key: Key, name: str, uid: str) -> None:
        """The object of this uid is no more."""
        self._deleted[uid] = None
        while len(self._deleted) > TOMBSTONES:
            self._deleted.popitem(last=False)
        known = self._runs.get(key, {})
        if name in known and known[name].uid == uid:
            del known[name]
            if not known:
                del self._runs[key]

    # -- what a watch brings --

    def saw(self, obj: Mapping[str, Any]) -> None:
        if self.put(obj):
            self._tell(obj)

    def lost(self, obj: Mapping[str, Any]) -> None:
        key, meta = run_of(obj), obj["metadata"]
        if key is not None:
            self.drop(key, meta["name"], meta["uid"])
            self._changed(key)

    def sweep(self, listed: Iterable[str], version: int) -> None:
        """Forget what a complete list as of `version` did not name by uid; what is newer stays."""
        alive = set(listed)
        stale = [
            (key, name, entry.uid)
            for key, entries in self._runs.items()
            for name, entry in entries.items()
            if entry.uid not in alive and entry.version <= version
        ]
        for key, name, uid in stale:
            self.drop(key, name, uid)
            self._changed(key)

    def _tell(self, obj: Mapping[str, Any]) -> None:
        key = run_of(obj)
        if key is not None:
            self._changed(key)


def run_of(obj: Mapping[str, Any]) -> Key | None:
    """By its label."""
    meta = obj["metadata"]
    name = (meta.get("labels") or {}).get(names.RUN)
    return Key(meta["namespace"], name) if name else None


def owner_of(obj: Mapping[str, Any]) -> str:
    """The uid of the run that controls it, or nothing."""
    references = obj["metadata"].get("ownerReferences") or ()
    return next((r["uid"] for r in references if r.get("controller") and r.get("kind") == names.KIND), "")


def hash_of(obj: Mapping[str, Any]) -> str:
    return str((obj["metadata"].get("annotations") or {}).get(names.HASH, ""))
