"""Wrong endings, made from a right one: what a judge must reject."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from mobilegym.judge.ending import Ending
from mobilegym.judge.paths import ALWAYS, at, covered, join_pointer, split_pointer

# What an app writes by itself and no goal can foresee.
FREE = ("**.id", "**.created", "**.modified", "**.avatar")
INSTANT = 10**12  # numbers from here on are Unix milliseconds: they hang on how many steps were taken
_GONE = object()

Path = tuple[str, ...]


@dataclass(frozen=True)
class Mutant:
    kind: str  # reverted | wrong value | neighbour too | neighbour instead | extra item | old item lost | item gone
    path: str
    told: str  # old and new value, for a report
    ending: Ending


def mutants(ending: Ending, free: Sequence[str]) -> Iterator[Mutant]:
    """Every change of the ending taken back, altered, moved to a neighbour or doubled, one at a time.

    `free`: patterns of values that the goal leaves open.
    """
    for pointer in ending.changed():
        if covered((*ALWAYS, *FREE, *free), pointer):
            continue
        path = split_pointer(pointer)
        before, after = at(ending.initial, pointer, _GONE), at(ending.final, pointer, _GONE)
        yield _mutant("reverted", ending, path, before)
        if after is not _GONE:
            yield from _values(ending, path, (*FREE, *free))
        if before is _GONE and isinstance(after, Mapping):
            yield _extra(ending, path, after)
            yield from _lost(ending, path)
        yield from _moved(ending, path, before, after)
        yield from _destroyed(ending, path)


def _mutant(kind: str, ending: Ending, path: Path, value: Any, events: Sequence[Mapping[str, Any]] = ()) -> Mutant:
    pointer = join_pointer(path)
    final = put(ending.final, path, value)
    told = f"{_short(at(ending.final, pointer, _GONE))} -> {_short(value)}"
    return Mutant(kind, pointer, told, replace(ending, final=final, events=(*ending.events, *events)))


def _values(ending: Ending, path: Path, free: Sequence[str]) -> Iterator[Mutant]:
    pointer = join_pointer(path)
    if covered(free, pointer):
        return
    value = at(ending.final, pointer)
    if isinstance(value, Mapping):
        for key in value:
            yield from _values(ending, (*path, key), free)
        return
    if isinstance(value, list):
        for index, item in enumerate(value):
            if isinstance(item, Mapping):
                yield from _values(ending, (*path, str(index)), free)
    for wrong in _wrong(value, _others(ending, path)):
        yield _mutant("wrong value", ending, path, wrong)


def _wrong(value: Any, others: Sequence[Any]) -> list[Any]:
    """Off by one, a neighbour's, cut, doubled."""
    found: list[Any] = [other for other in others if other != value][:1]
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int | float):
        return [] if value >= INSTANT else [value + 1, value - 1, *found]
    if isinstance(value, str):
        return [value + "x", *(["", value[:-1]] if value else []), *found]
    if isinstance(value, list):
        return [[*value, value[-1]], value[:-1], *found] if value else found
    return found


def _collection(state: Mapping[str, Any], path: Path) -> int | None:
    """Where in the path the id of an item stands: the deepest record whose entries are records too."""
    for depth in range(len(path) - 1, 3, -1):
        record = at(state, join_pointer(path[:depth]), None)
        if isinstance(record, Mapping) and record and all(isinstance(item, Mapping) for item in record.values()):
            return depth
    return None


def _neighbours(ending: Ending, path: Path) -> list[Path]:
    """The same field of two other items that were there from the start."""
    depth = _collection(ending.initial, path)
    if depth is None:
        return []
    record = at(ending.initial, join_pointer(path[:depth]))
    ids = [
        key for key in sorted(record) if key != path[depth] and key in at(ending.final, join_pointer(path[:depth]), {})
    ]
    return [(*path[:depth], key, *path[depth + 1 :]) for key in ids[:2]]


def _others(ending: Ending, path: Path) -> list[Any]:
    found = [at(ending.final, join_pointer(other), _GONE) for other in _neighbours(ending, path)]
    return [value for value in found if value is not _GONE]


def _moved(ending: Ending, path: Path, before: Any, after: Any) -> Iterator[Mutant]:
    """The change made to a neighbour: besides, and instead."""
    if before is _GONE:
        return
    for other in _neighbours(ending, path):
        there = at(ending.final, join_pointer(other), _GONE)
        if there is _GONE or there == after or there != at(ending.initial, join_pointer(other), _GONE):
            continue  # nothing there, or a change that was asked for too
        event = [_event(ending, other)]
        besides = _mutant("neighbour too", ending, other, after, event)
        yield besides
        instead = replace(besides.ending, final=put(besides.ending.final, path, before))
        yield replace(besides, kind="neighbour instead", ending=instead)


def _extra(ending: Ending, path: Path, item: Mapping[str, Any]) -> Mutant:
    """The new item made twice."""
    twin = (*path[:-1], f"{path[-1]}0")
    return _mutant("extra item", ending, twin, {**item, "id": twin[-1]}, [_event(ending, twin)])


def _lost(ending: Ending, path: Path) -> Iterator[Mutant]:
    """An old item gone, besides the new one made."""
    for other in _neighbours(ending, path)[:1]:
        yield _mutant("old item lost", ending, other, _GONE, [_event(ending, other)])


def _destroyed(ending: Ending, path: Path) -> Iterator[Mutant]:
    """The item that was to be changed, gone."""
    depth = _collection(ending.final, path)
    if depth is not None and depth + 1 < len(path):
        item = path[: depth + 1]
        yield _mutant("item gone", ending, item, _GONE, [_event(ending, item)])


def _event(ending: Ending, path: Path) -> dict[str, Any]:
    at_ = ending.at("os.clock.now", 0)
    paths = [join_pointer(path)]
    return {"seq": -1, "step": ending.steps, "app": "mutant", "action": "change", "args": {}, "paths": paths, "at": at_}


def put(document: Any, path: Path, value: Any) -> Any:
    """A copy of a document with one place changed, or taken out; all else is shared."""
    if not path:
        return value
    head, rest = path[0], path[1:]
    if isinstance(document, list):
        copy: Any = list(document)
        if not rest and value is _GONE:
            del copy[int(head)]
        else:
            copy[int(head)] = put(document[int(head)], rest, value)
        return copy
    copy = dict(document)
    if not rest and value is _GONE:
        copy.pop(head, None)
    else:
        copy[head] = put(document.get(head, {}), rest, value)
    return copy


def _short(value: Any) -> str:
    text = "nothing" if value is _GONE else repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
