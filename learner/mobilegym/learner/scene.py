"""A step's screenshots, from bytes to packed rows: decoded once, seen once a micro-batch or once in all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from mobilegym.learner import pack
from mobilegym.learner.rows import Row
from mobilegym.learner.tree import Positions
from mobilegym.learner.vision import Pixels, Vision
from mobilegym.policy.model import Policy, Visual


class Scene:
    """Holds the pixels of the images in use; `train_vision=False` freezes the vision tower."""

    def __init__(self, policy: Policy, *, train_vision: bool, cache_bytes: int = 512 * 2**20) -> None:
        self.policy = policy
        self._vision = Vision(policy, trained=train_vision, cache_bytes=cache_bytes)
        self._pixels: dict[str, Pixels] = {}

    def load(self, images: Mapping[str, bytes]) -> None:
        """Replaces the images in use. Raises ImageRefused for one that cannot be read."""
        self.load_pixels(
            {
                key: self._pixels[key] if key in self._pixels else self.policy.image_tensors(data)
                for key, data in images.items()
            }
        )

    def load_pixels(self, pixels: Mapping[str, Pixels]) -> None:
        """As `load`, from patches and grids."""
        self._pixels = dict(pixels)

    def see(self, keys: Sequence[str]) -> dict[str, Visual]:
        return self._vision.see(keys, self._pixels)

    def pack(self, rows: Sequence[Row], *, budget: int, max_rows: int | None = None) -> list[pack.MicroBatch]:
        images = dict.fromkeys(row.image for row in rows)
        positions = {key: self._positions(key) for key in images}
        return pack.pack(
            rows, budget=budget, max_rows=max_rows, image_token=self.policy.image_token, positions=positions
        )

    def _positions(self, key: str) -> Positions:
        grid = self.policy.grid(self._pixels[key][1])

        def positions(ids: Sequence[int]) -> NDArray[np.int64]:
            return self.policy.positions(ids, [grid]).numpy()

        return positions
