"""A cache bounded by the bytes of the tensors it holds; the least recently used entry leaves first."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class Lru(Generic[K, V]):
    def __init__(self, limit_bytes: int) -> None:
        self.limit_bytes = limit_bytes
        self.held_bytes = 0
        self.hits = 0
        self.misses = 0
        self._entries: OrderedDict[K, tuple[V, int]] = OrderedDict()

    def get(self, key: K) -> V | None:
        entry = self._entries.get(key)
        if entry is None:
            self.misses += 1
            return None
        self.hits += 1
        self._entries.move_to_end(key)
        return entry[0]

    def put(self, key: K, value: V, size: int) -> None:
        """Stores `value` of `size` bytes, unless it alone is over the limit."""
        if size > self.limit_bytes or key in self._entries:
            return
        self._entries[key] = (value, size)
        self.held_bytes += size
        while self.held_bytes > self.limit_bytes:
            _, (_, freed) = self._entries.popitem(last=False)
            self.held_bytes -= freed

    def clear(self) -> None:
        self._entries.clear()
        self.held_bytes = 0

    def __len__(self) -> int:
        return len(self._entries)
