"""Stages 2 to 4: the language model learns to find words, then to do as the teacher does."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch
from torch.nn import functional as F

from mobilegym.pocket.lessons import Course, Drawer, Packed, Tokens, collate
from mobilegym.pocket.optimiser import Optimiser, freeze
from mobilegym.policy.model import Policy

Tell = Callable[[str], None]


class Pictures:
    """Visual tokens of the moments' pictures; kept once seen while the tower is frozen."""

    def __init__(self, policy: Policy, course: Course, *, trained: bool) -> None:
        self.policy = policy
        self._course = course
        self._trained = trained
        self._kept: dict[int, torch.Tensor] = {}

    def see(self, indices: Sequence[int]) -> torch.Tensor:
        """[pictures, visual tokens, hidden]."""
        if self._trained:
            return self._run(indices)
        missing = [i for i in dict.fromkeys(indices) if i not in self._kept]
        if missing:
            with torch.no_grad():
                for i, tokens in zip(missing, self._run(missing), strict=True):
                    self._kept[i] = tokens.half()
        return torch.stack([self._kept[i] for i in indices]).float()

    def _run(self, indices: Sequence[int]) -> torch.Tensor:
        loaded = [self.policy.image_tensors(self._course.moments[i].frame.image) for i in indices]
        seen = self.policy.see(torch.cat([p for p, _ in loaded]), torch.cat([g for _, g in loaded]))
        return torch.stack([v.embeds for v in seen])


def forward(policy: Policy, batch: Packed, visual: torch.Tensor) -> torch.Tensor:
    """Log-probabilities [target tokens, vocab]."""
    model: Any = policy.model
    embeds = model.get_input_embeddings()(batch.ids)
    places = (batch.ids == policy.image_token).unsqueeze(-1)
    embeds = embeds.masked_scatter(places, visual.to(embeds.dtype))
    hidden = model.model.language_model(
        inputs_embeds=embeds, position_ids=batch.positions, attention_mask=batch.attends, use_cache=False
    ).last_hidden_state
    return policy.logprobs(model.lm_head(hidden.flatten(0, 1)[batch.where]))


def rows_right(batch: Packed, logp: torch.Tensor) -> torch.Tensor:
    """Whether each row's every token is the likeliest: [rows] bool."""
    wrong = torch.zeros(len(batch.kinds), dtype=torch.int64)
    wrong.index_add_(0, batch.row, (logp.argmax(-1) != batch.targets).long())
    return wrong == 0


def train(
    policy: Policy,
    drawer: Drawer,
    *,
    steps: int,
    vision: bool = False,
    muon: float = 5e-3,
    adam: float = 2e-3,
    find_weight: float = 1.0,
    name: str = "imitation",
    tell: Tell = print,
) -> None:
    """Trains in place. `vision`: the tower too, at the same rates."""
    model: Any = policy.model
    freeze(model, False)
    freeze(model.model.visual, not vision)
    pictures = Pictures(policy, drawer.course, trained=vision)
    optimiser = Optimiser(model.named_parameters(), steps=steps, muon=muon, adam=adam)
    started = time.process_time()
    tally: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    entropy = 0.0
    for step in range(steps):
        batch = drawer.draw()
        logp = forward(policy, batch, pictures.see(batch.frames))
        weights = torch.tensor([find_weight if k == "find" else 1.0 for k in batch.kinds])[batch.row]
        losses = F.nll_loss(logp, batch.targets, reduction="none")
        loss = (losses * weights).sum() / weights.sum()
        optimiser.step(loss)
        with torch.no_grad():
            for kind, right in zip(batch.kinds, rows_right(batch, logp).tolist(), strict=True):
                tally[kind][0] += right
                tally[kind][1] += 1
            entropy = float(-(logp.exp() * logp.clamp(min=-50)).sum(-1).mean())
        if (step + 1) % max(1, steps // 10) == 0:
            figures = " ".join(f"{k} {r / n:.2f}" for k, (r, n) in sorted(tally.items()))
            tell(
                f"{name} {step + 1}/{steps} {time.process_time() - started:.0f} s loss {loss.item():.3f} "
                f"entropy {entropy:.2f} {figures}"
            )
            tally.clear()
    freeze(model, False)


@torch.no_grad()
def agreement(policy: Policy, course: Course, tokens: Tokens, *, batch: int = 8) -> Mapping[str, float]:
    """The share of held-out rows whose likeliest words are the oracle's, by kind and in all."""
    pictures = Pictures(policy, course, trained=True)
    tally: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for at in range(0, len(course.moments), batch):
        chosen = [
            (i, [tokens.entry(r) for r in course.rows[i]]) for i in range(at, min(at + batch, len(course.moments)))
        ]
        packed = collate(chosen, tokens)
        right = rows_right(packed, forward(policy, packed, pictures.see(packed.frames)))
        for kind, ok in zip(packed.kinds, right.tolist(), strict=True):
            tally[kind][0] += ok
            tally[kind][1] += 1
    total = [sum(r for r, _ in tally.values()), sum(n for _, n in tally.values())]
    return {"all": total[0] / max(1, total[1]), **{k: r / n for k, (r, n) in sorted(tally.items())}}
