"""The objects of all runs, as they are known: a store and a watch for each kind."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from mobilegym.operator import facts
from mobilegym.operator.kinds import POD, WATCHED, Kind
from mobilegym.operator.observed import Child, Pod
from mobilegym.operator.store import Key, Store, hash_of


class Children:
    def __init__(self, changed: Callable[[Key], None]) -> None:
        self.pods: Store[Pod] = Store(facts.pod, changed)
        kinds = [kind for kind in WATCHED if kind is not POD]
        self.others: dict[str, Store[Child]] = {kind.kind: Store(_maker(kind), changed) for kind in kinds}
        self.kinds: tuple[Kind, ...] = (POD, *kinds)

    def store(self, kind: str) -> Store[Any] | None:
        """None for a kind that is not watched."""
        return self.pods if kind == POD.kind else self.others.get(kind)

    def of(self, key: Key, owner: str) -> dict[tuple[str, str], Child]:
        """All but the pods, by kind and name."""
        return {(kind, child.name): child for kind, store in self.others.items() for child in store.of(key, owner)}


def _maker(kind: Kind) -> Callable[[Mapping[str, Any]], Child]:
    def make(obj: Mapping[str, Any]) -> Child:
        meta = obj["metadata"]
        going = "deletionTimestamp" in meta
        return Child(kind=kind.kind, name=meta["name"], uid=meta["uid"], hash=hash_of(obj), terminating=going)

    return make
