"""Micro-batches: token trees of similar size, padded together under a token budget."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from mobilegym.learner.rows import Row
from mobilegym.learner.tree import Positions, Tree, build_tree, split_rows


@dataclass(frozen=True, kw_only=True)
class MicroBatch:
    """T trees of at most N nodes; R rows of at most C sampled tokens; V distinct nodes that predict something."""

    images: tuple[str, ...]  # T: the image of each tree
    rows: tuple[Row, ...]  # R
    tokens: Tensor  # (T, N) int64
    positions: Tensor  # (3, T, N) int64
    slots: Tensor  # (T, N) int64, -1 where no visual token stands
    attends: Tensor  # (T, 1, N, N) bool
    predicting: Tensor  # (V,) int64 into T * N
    predict: Tensor  # (R, C) int64 into V
    targets: Tensor  # (R, C) int64
    mask: Tensor  # (R, C) float32
    sampler_logp: Tensor  # (R, C) float32
    advantages: Tensor  # (R,) float32
    sequence_tokens: Tensor  # (R,) float32

    @property
    def nodes(self) -> int:
        """Tokens that the model is run on, padding included."""
        return self.tokens.numel()


def pack(
    rows: Sequence[Row],
    *,
    budget: int,
    image_token: int,
    positions: dict[str, Positions],
    max_rows: int | None = None,
) -> list[MicroBatch]:
    """`budget`: most tokens, padding included, in one micro-batch; a single longer row gets its own.

    `positions` gives for each image the function from a row's ids to their M-RoPE positions.
    """
    by_image: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        by_image[row.image].append(row)
    trees = [
        build_tree(lot, image_token, positions[image])
        for image, members in by_image.items()
        for lot in split_rows(members, budget, max_rows)
    ]
    trees.sort(key=len)
    batches: list[list[Tree]] = []
    for tree in trees:  # ascending, so the newcomer sets the padded length
        if not batches or not _fits(batches[-1], tree, budget, max_rows):
            batches.append([])
        batches[-1].append(tree)
    return [collate(batch) for batch in batches]


def _fits(batch: Sequence[Tree], tree: Tree, budget: int, max_rows: int | None) -> bool:
    rows = sum(len(t.rows) for t in batch) + len(tree.rows)
    return len(tree) * (len(batch) + 1) <= budget and (max_rows is None or rows <= max_rows)


def collate(trees: Sequence[Tree]) -> MicroBatch:
    count, width = len(trees), max(map(len, trees))
    tokens = np.zeros((count, width), np.int64)
    slots = np.full((count, width), -1, np.int64)
    positions = np.zeros((3, count, width), np.int64)
    attends = np.zeros((count, width, width), np.bool_)
    attends[:, np.arange(width), np.arange(width)] = True  # padding attends to itself: softmax over nothing is NaN
    for i, tree in enumerate(trees):
        n = len(tree)
        tokens[i, :n], slots[i, :n], positions[:, i, :n] = tree.tokens, tree.slots, tree.positions
        attends[i, :n, :n] = tree.attends
    rows = [row for tree in trees for row in tree.rows]
    nodes = [i * width + path for i, tree in enumerate(trees) for path in tree.predict]
    predicting, inverse = np.unique(np.concatenate(nodes), return_inverse=True)
    longest = max(len(row.token_ids) for row in rows)
    predict = np.zeros((len(rows), longest), np.int64)
    targets, mask, sampler = predict.copy(), np.zeros(predict.shape, np.float32), np.zeros(predict.shape, np.float32)
    at = 0
    for i, row in enumerate(rows):
        n = len(row.token_ids)
        predict[i, :n], targets[i, :n] = inverse[at : at + n], row.token_ids
        mask[i, :n], sampler[i, :n] = 1.0, row.logprobs
        at += n
    return MicroBatch(
        images=tuple(tree.image for tree in trees),
        rows=tuple(rows),
        tokens=torch.from_numpy(tokens),
        positions=torch.from_numpy(positions),
        slots=torch.from_numpy(slots),
        attends=torch.from_numpy(attends).unsqueeze(1),
        predicting=torch.from_numpy(predicting),
        predict=torch.from_numpy(predict),
        targets=torch.from_numpy(targets),
        mask=torch.from_numpy(mask),
        sampler_logp=torch.from_numpy(sampler),
        advantages=torch.tensor([row.advantage for row in rows]),
        sequence_tokens=torch.tensor([float(row.sequence_tokens) for row in rows]),
    )


def share(rows: Sequence[Row], rank: int, ranks: int) -> list[Row]:
    """The rows of one rank: whole images, heaviest first to the lightest rank. Equal on every rank."""
    by_image: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        by_image[row.image].append(row)
    loads, mine = [0] * ranks, []
    weight = {image: sum(len(r.prompt_ids) + len(r.token_ids) for r in rs) for image, rs in by_image.items()}
    for image in sorted(by_image, key=lambda i: (-weight[i], i)):
        target = loads.index(min(loads))
        loads[target] += weight[image]
        if target == rank:
            mine.extend(by_image[image])
    return mine
