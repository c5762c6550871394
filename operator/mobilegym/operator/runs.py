"""The runs themselves, as the API server last gave them."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from mobilegym.operator import names
from mobilegym.operator.store import TOMBSTONES, Key

Run = Mapping[str, Any]


def key_of(run: Run) -> Key:
    meta = run["metadata"]
    return Key(meta["namespace"], meta["name"])


def stream_of(run: Run) -> str:
    """The run's name in Redis."""
    meta = run["metadata"]
    return names.stream_name(meta["namespace"], meta["name"], meta["uid"])


def version_of(obj: Run) -> int:
    return int(obj["metadata"]["resourceVersion"])


class Runs:
    """Filled by kopf's events, by lists, and by the answers to own writes: the newer resource version wins."""

    def __init__(self) -> None:
        self._runs: dict[Key, Run] = {}
        self._deleted: OrderedDict[str, None] = OrderedDict()
        self.changed: Callable[[Key], None] = lambda key: None
        self.gone: Callable[[Run], None] = lambda run: None

    def __len__(self) -> int:
        return len(self._runs)

    def __iter__(self) -> Iterator[Run]:
        return iter(list(self._runs.values()))

    def get(self, key: Key) -> Run | None:
        return self._runs.get(key)

    def present(self) -> tuple[Key, ...]:
        return tuple(self._runs)

    def put(self, obj: Run) -> bool:
        """An own write's answer. False where this, or something newer, was known."""
        key, meta = key_of(obj), obj["metadata"]
        old = self._runs.get(key)
        if meta["uid"] in self._deleted or (old is not None and version_of(old) >= version_of(obj)):
            return False
        self._runs[key] = _trimmed(obj)
        return True

    def saw(self, obj: Run) -> None:
        """A watch or a list brought it."""
        if self.put(obj):
            self.changed(key_of(obj))

    def lost(self, obj: Run) -> None:
        key, uid = key_of(obj), obj["metadata"]["uid"]
        known = self._runs.get(key)
        if uid in self._deleted:
            return
        self._deleted[uid] = None
        while len(self._deleted) > TOMBSTONES:
            self._deleted.popitem(last=False)
        if known is not None and known["metadata"]["uid"] == uid:
            del self._runs[key]
        self.gone(known or obj)
        self.changed(key)


def _trimmed(obj: Run) -> Run:
    meta = {name: value for name, value in obj["metadata"].items() if name != "managedFields"}
    return {"apiVersion": f"{names.GROUP}/{names.VERSION}", "kind": names.KIND, **obj, "metadata": meta}
