"""Rows that share a screenshot, as one token tree: a prefix that several rows share is computed once.

Every token attends to its ancestors only, so each row's log-probabilities are those of the row alone. Siblings of a
group see the same first screens with the same prompt; this is where most of the saving comes from.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from mobilegym.learner.rows import Row

Ints = npt.NDArray[np.int64]
Positions = Callable[[Sequence[int]], Ints]  # prompt and completion ids -> M-RoPE positions (3, tokens)


@dataclass(frozen=True, kw_only=True)
class Tree:
    """`predict[i]` are the nodes whose logits predict row i's completion tokens, in order."""

    image: str
    rows: tuple[Row, ...]
    tokens: Ints  # (nodes,)
    positions: Ints  # (3, nodes)
    slots: Ints  # (nodes,) index of the visual token that stands at this node, or -1
    attends: npt.NDArray[np.bool_]  # (nodes, nodes)
    predict: tuple[Ints, ...]

    def __len__(self) -> int:
        return int(self.tokens.shape[0])


def build_tree(rows: Sequence[Row], image_token: int, positions: Positions) -> Tree:
    """Rows must share one image; they come back in lexicographic order of their tokens."""
    ordered = sorted(rows, key=lambda r: (r.prompt_ids, r.token_ids))
    paths: list[Ints] = []
    parts: list[tuple[Ints, Ints, Ints, int]] = []  # fresh tokens, positions, slots, ancestors shared
    previous: Ints = np.empty(0, np.int64)
    size = 0
    for row in ordered:
        # The last sampled token predicts nothing, so it is not an input.
        ids = np.fromiter((*row.prompt_ids, *row.token_ids[:-1]), np.int64)
        shared = _common_prefix(previous, ids)
        fresh = len(ids) - shared
        path = np.concatenate([paths[-1][:shared] if paths else previous, np.arange(size, size + fresh)])
        if fresh:
            places = ids == image_token
            slots = np.where(places, np.cumsum(places) - 1, -1)
            parts.append((ids[shared:], positions(ids.tolist())[:, shared:], slots[shared:], shared))
        paths.append(path)
        previous, size = ids, size + fresh
    return Tree(
        image=ordered[0].image,
        rows=tuple(ordered),
        tokens=np.concatenate([p[0] for p in parts]),
        positions=np.concatenate([p[1] for p in parts], axis=1),
        slots=np.concatenate([p[2] for p in parts]),
        attends=_ancestors(paths, size),
        predict=tuple(path[len(row.prompt_ids) - 1 :] for path, row in zip(paths, ordered, strict=True)),
    )


def _common_prefix(a: Ints, b: Ints) -> int:
    length = min(len(a), len(b))
    differing = np.flatnonzero(a[:length] != b[:length])
    return int(differing[0]) if len(differing) else length


def _ancestors(paths: Sequence[Ints], size: int) -> npt.NDArray[np.bool_]:
    attends = np.zeros((size, size), np.bool_)
    done = 0
    for path in paths:
        fresh = int((path >= done).sum())
        if fresh:
            attends[np.ix_(path[-fresh:], path)] = np.tri(fresh, len(path), len(path) - fresh, dtype=np.bool_)
            done += fresh
    return attends


def split_rows(rows: Sequence[Row], limit: int, max_rows: int | None = None) -> list[list[Row]]:
    """Rows of one image in lots whose tree has at most `limit` nodes, a lone row excepted."""
    lots: list[list[Row]] = []
    room, previous = -1, ()
    for row in sorted(rows, key=lambda r: (r.prompt_ids, r.token_ids)):
        ids: Any = (*row.prompt_ids, *row.token_ids[:-1])
        shared = _common_prefix(np.asarray(previous, np.int64), np.asarray(ids, np.int64))
        if not lots or len(ids) - shared > room or len(lots[-1]) == max_rows:
            lots.append([])
            room, shared = limit, 0
        lots[-1].append(row)
        room -= len(ids) - shared
        previous = ids
    return lots
