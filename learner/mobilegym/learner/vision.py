"""Visual tokens of screenshots: a distinct image is seen once a micro-batch, or once in all by a frozen tower."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence

import torch

from mobilegym.policy.model import Policy, Visual

Pixels = tuple[torch.Tensor, torch.Tensor]  # patches (n, dim), grid (1, 3)


class Vision:
    """Runs a policy's vision tower over images by blob key.

    `trained=False` freezes the tower, runs it without gradients and keeps up to `cache_bytes` of its outputs.
    """

    def __init__(self, policy: Policy, *, trained: bool, cache_bytes: int = 512 * 2**20, images_at_once: int = 16):
        self._policy = policy
        self._trained = trained
        self._room = cache_bytes
        self._at_once = images_at_once
        self._cache: OrderedDict[str, Visual] = OrderedDict()
        policy.model.model.visual.requires_grad_(trained)

    def see(self, images: Sequence[str], pixels: Mapping[str, Pixels]) -> dict[str, Visual]:
        """Visual tokens of the distinct images named. Raises KeyError for an image without pixels."""
        distinct = list(dict.fromkeys(images))
        if self._trained:
            return dict(zip(distinct, self._run(distinct, pixels), strict=True))
        seen = {key: self._cache[key] for key in distinct if key in self._cache}
        missing = [key for key in distinct if key not in seen]
        with torch.no_grad():
            for at in range(0, len(missing), self._at_once):
                lot = missing[at : at + self._at_once]
                for key, visual in zip(lot, self._run(lot, pixels), strict=True):
                    seen[key] = _own(visual)
                    self._keep(key, seen[key])
        for key in distinct:
            if key in self._cache:
                self._cache.move_to_end(key)
        return seen

    def _run(self, keys: Sequence[str], pixels: Mapping[str, Pixels]) -> list[Visual]:
        patches, grids = zip(*(pixels[key] for key in keys), strict=True)
        return self._policy.see(torch.cat(patches), torch.cat(grids))

    def _keep(self, key: str, visual: Visual) -> None:
        self._room -= _size(visual)
        self._cache[key] = visual
        while self._room < 0 and self._cache:
            self._room += _size(self._cache.popitem(last=False)[1])


def _own(visual: Visual) -> Visual:
    """A copy that does not keep the whole lot's storage alive."""
    return Visual(embeds=visual.embeds.clone(), deepstack=tuple(d.clone() for d in visual.deepstack))


def _size(visual: Visual) -> int:
    return sum(t.numel() * t.element_size() for t in (visual.embeds, *visual.deepstack))
