"""Muon for the matrices inside the network, AdamW for everything else, and a schedule over both."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import torch
from torch import nn


class Optimiser:
    """Steps both optimisers on named parameters that require a gradient.

    Matrices that act as maps go to Muon; embeddings, positions, norms and biases to AdamW.
    """

    def __init__(
        self, named: Iterable[tuple[str, nn.Parameter]], *, steps: int, muon: float = 2e-3, adam: float = 2e-3
    ) -> None:
        wanted = [(n, p) for n, p in named if p.requires_grad]
        maps = [p for n, p in wanted if p.ndim == 2 and "embed" not in n]
        rest = [p for n, p in wanted if not (p.ndim == 2 and "embed" not in n)]
        self.parameters = [p for _, p in wanted]
        self._steps = steps
        self._done = 0
        self._parts: list[torch.optim.Optimizer] = []
        if maps:
            self._parts.append(torch.optim.Muon(maps, lr=muon, weight_decay=0.0, adjust_lr_fn="match_rms_adamw"))
        if rest:
            self._parts.append(torch.optim.AdamW(rest, lr=adam, betas=(0.9, 0.98), weight_decay=0.0))
        self._rates = [part.param_groups[0]["lr"] for part in self._parts]

    def step(self, loss: torch.Tensor, clip: float = 1.0) -> None:
        """Backward, clip, one step at the schedule's rate, and clear the gradients."""
        loss.backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(self.parameters, clip)
        scale = schedule(self._done, self._steps)
        for part, rate in zip(self._parts, self._rates, strict=True):
            for group in part.param_groups:
                group["lr"] = rate * scale
            part.step()
            part.zero_grad(set_to_none=True)
        self._done += 1


def schedule(step: int, steps: int, warm_up: float = 0.05, floor: float = 0.05) -> float:
    """Linear warm-up over 5 % of the steps, then a cosine down to 5 % of the rate."""
    share = step / max(1, steps)
    if share < warm_up:
        return (share + 1 / max(1, steps)) / warm_up if warm_up else 1.0
    return floor + (1 - floor) * 0.5 * (1 + math.cos(math.pi * min(1.0, (share - warm_up) / (1 - warm_up))))


def freeze(module: Any, frozen: bool) -> None:
    for parameter in module.parameters():
        parameter.requires_grad_(not frozen)
