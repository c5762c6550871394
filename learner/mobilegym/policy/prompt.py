"""From chat messages to prompt tokens with their image places and M-RoPE positions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch


@dataclass(frozen=True, kw_only=True)
class Grid:
    """An image's grid of patches, and the merge that makes visual tokens of them."""

    rows: int
    cols: int
    merge: int = 2

    @property
    def tokens(self) -> int:
        return self.rows * self.cols // self.merge**2


def expand_images(ids: Sequence[int], image_token: int, grids: Sequence[Grid]) -> list[int]:
    """Repeats each image placeholder to as many tokens as its image has.

    Raises: ValueError when the placeholders are not as many as the images.
    """
    places = sum(1 for i in ids if i == image_token)
    if places != len(grids):
        raise ValueError(f"the prompt has {places} image places for {len(grids)} images")
    out: list[int] = []
    remaining = iter(grids)
    for token in ids:
        out.extend([token] * next(remaining).tokens if token == image_token else [token])
    return out


def rope_positions(ids: Sequence[int], image_token: int, grids: Sequence[Grid]) -> np.ndarray[Any, np.dtype[np.int64]]:
    """M-RoPE positions (time, height, width) of one prompt: [3, len(ids)] int64.

    Equal to transformers' `Qwen3VLModel.get_rope_index` for images, without its loops over tokens.
    """
    out = np.empty((3, len(ids)), dtype=np.int64)
    remaining = iter(grids)
    at, position = 0, 0
    while at < len(ids):
        if ids[at] == image_token:
            grid = next(remaining)
            rows, cols = grid.rows // grid.merge, grid.cols // grid.merge
            stop = at + rows * cols
            out[0, at:stop] = position
            out[1, at:stop] = position + np.repeat(np.arange(rows), cols)
            out[2, at:stop] = position + np.tile(np.arange(cols), rows)
            position += max(rows, cols)
        else:
            stop = at + 1
            while stop < len(ids) and ids[stop] != image_token:
                stop += 1
            out[:, at:stop] = position + np.arange(stop - at)
            position += stop - at
        at = stop
    return out


def next_position(positions: np.ndarray[Any, np.dtype[np.int64]]) -> int:
    """The M-RoPE position of the first generated token."""
    return int(positions.max()) + 1 if positions.size else 0


def normalise_messages(messages: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """OpenAI content parts -> the parts that Qwen's chat templates read (`image`, `text`)."""
    out = []
    for message in messages:
        content = message.get("content") or ""
        if not isinstance(content, str):
            content = [{"type": "image"} if p.get("type") in ("image_url", "image") else p for p in content]
        out.append({**message, "content": content})
    return out


def left_pad(rows: Sequence[Sequence[int]], pad: int) -> tuple[torch.Tensor, torch.Tensor]:
    """-> ids [B, L] and mask [B, L], both int64."""
    width = max(len(r) for r in rows)
    ids = torch.full((len(rows), width), pad, dtype=torch.int64)
    mask = torch.zeros((len(rows), width), dtype=torch.int64)
    for i, row in enumerate(rows):
        ids[i, width - len(row) :] = torch.tensor(row, dtype=torch.int64)
        mask[i, width - len(row) :] = 1
    return ids, mask
