"""Paths into a PhoneState: JSON pointers of events, dotted patterns of templates."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

# What every task may change: where the agent is and how it got there, never what it did.
ALWAYS = (
    "apps.*.ui.**",
    "os.nav.**",
    "os.overlay",
    "os.launcher.page",
    "os.launcher.search",
    "os.scroll.**",
    "os.focus.**",
    "os.keyboard.**",
    "os.dialog.**",
    "os.intent.**",
    "os.toast.**",
    "os.clock.**",
    "os.random",
    "os.clipboard",
    "os.notifications.**",
)

_MISSING = object()


def split_pointer(pointer: str) -> tuple[str, ...]:
    """Segments of a JSON pointer (RFC 6901); a dotted path is taken too. Raises ValueError on anything else."""
    if pointer == "":
        return ()
    if pointer.startswith("/"):
        return tuple(part.replace("~1", "/").replace("~0", "~") for part in pointer[1:].split("/"))
    if "/" in pointer:
        raise ValueError(f"{pointer!r} is neither a JSON pointer (/a/b) nor a dotted path (a.b)")
    return tuple(pointer.split("."))


def join_pointer(segments: Sequence[str]) -> str:
    return "".join("/" + part.replace("~", "~0").replace("/", "~1") for part in segments)


@lru_cache(maxsize=4096)
def _segments(pattern: str) -> tuple[str, ...]:
    return split_pointer(pattern)


def matches(pattern: str, pointer: str) -> bool:
    """Whether a pointer fits a pattern: `*` is one segment, a `**` is any number of them, none included.

    Without `**` the depth must be equal: `a.b` does not cover `/a/b/c`.
    """
    return _match(_segments(pattern), _segments(pointer))


def _match(pattern: tuple[str, ...], path: tuple[str, ...]) -> bool:
    if not pattern:
        return not path
    if pattern[0] == "**":
        return any(_match(pattern[1:], path[start:]) for start in range(len(path) + 1))
    return bool(path) and pattern[0] in ("*", path[0]) and _match(pattern[1:], path[1:])


def covered(patterns: Sequence[str], pointer: str) -> bool:
    return any(matches(pattern, pointer) for pattern in patterns)


def at(document: Any, path: str, default: Any = _MISSING) -> Any:
    """The value at a pointer or dotted path.

    Raises KeyError naming the first missing segment, unless `default` is given.
    """
    value = document
    for index, part in enumerate(_segments(path)):
        if isinstance(value, dict) and part in value:
            value = value[part]
        elif isinstance(value, list) and part.isdigit() and int(part) < len(value):
            value = value[int(part)]
        elif default is not _MISSING:
            return default
        else:
            raise KeyError(f"{path}: nothing at segment {index} ({part!r})")
    return value


def differences(before: Any, after: Any, prefix: tuple[str, ...] = ()) -> Iterator[str]:
    """Pointers at which two documents differ: the leaf, or the key that was added or removed.

    A list of scalars differs as a whole.
    """
    if isinstance(before, dict) and isinstance(after, dict):
        for key in sorted(before.keys() | after.keys()):
            if key not in before or key not in after:
                yield join_pointer((*prefix, key))
            else:
                yield from differences(before[key], after[key], (*prefix, key))
    elif _listed(before) and _listed(after) and len(before) == len(after):
        for index, (old, new) in enumerate(zip(before, after, strict=True)):
            yield from differences(old, new, (*prefix, str(index)))
    elif before != after or (type(before) is not type(after) and not _numbers(before, after)):
        yield join_pointer(prefix)


def _listed(value: Any) -> bool:
    return isinstance(value, list) and any(isinstance(item, dict) for item in value)


def _numbers(a: Any, b: Any) -> bool:
    return all(isinstance(v, int | float) and not isinstance(v, bool) for v in (a, b))
