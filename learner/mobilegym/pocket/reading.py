"""Stage 1: the vision tower learns to read.

Each merged visual token must spell, through the tied embedding, the words whose centres it holds and the two
coordinate tokens of the point that hits their control. The language model then finds by matching embeddings.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch.nn import functional as F

from mobilegym.pocket import vocabulary
from mobilegym.pocket.frame import Frame
from mobilegym.pocket.optimiser import Optimiser, freeze
from mobilegym.pocket.places import point_words
from mobilegym.policy.model import Policy


@dataclass(frozen=True, kw_only=True)
class Lessons:
    """What the visual tokens of one frame must spell: parallel lists of (visual token, vocabulary id)."""

    words: tuple[tuple[int, int], ...]
    columns: tuple[tuple[int, int], ...]
    rows: tuple[tuple[int, int], ...]


class Speller:
    """Vocabulary ids by kind."""

    def __init__(self, policy: Policy) -> None:
        vocab = policy.tokenizer.get_vocab()
        self.ids: dict[str, int] = {
            piece.removeprefix(vocabulary.SPACE): int(i)
            for piece, i in vocab.items()
            if piece.startswith(vocabulary.SPACE)
        }
        self.columns = [self.ids[c] for c in vocabulary.COORDINATES if c.startswith("x")]
        self.rows = [self.ids[c] for c in vocabulary.COORDINATES if c.startswith("y")]
        self.weights = torch.ones(len(policy.tokenizer))

    def weigh(self, lessons: Sequence[Lessons]) -> None:
        """Rare words count more, by the square root of how rare they are: names and values are what tasks turn on."""
        often = torch.bincount(
            torch.tensor([w for lesson in lessons for _, w in lesson.words]), minlength=len(self.weights)
        )
        self.weights = often.clamp(min=1).float().rsqrt()

    def lessons(self, frame: Frame) -> Lessons:
        words: list[tuple[int, int]] = []
        columns: dict[int, int] = {}
        rows: dict[int, int] = {}
        for word in frame.words:
            cell = word.token
            for text in vocabulary.words(word.text):
                if text in self.ids and any(c.isalnum() for c in text):
                    words.append((cell, self.ids[text]))
            x, y = point_words(*word.tap)
            columns[cell], rows[cell] = self.ids[x], self.ids[y]
        return Lessons(words=tuple(dict.fromkeys(words)), columns=tuple(columns.items()), rows=tuple(rows.items()))


def reading_loss(
    tokens: torch.Tensor, embedding: torch.Tensor, lessons: Sequence[Lessons], speller: Speller
) -> tuple[torch.Tensor, dict[str, float]]:
    """tokens [images, visual, hidden] -> mean cross-entropy, and shares right: words (in the top as many as there
    are in the cell), columns, rows."""
    logits = tokens @ embedding.T
    every = torch.tensor([(i, c, w) for i, lesson in enumerate(lessons) for c, w in lesson.words])
    logp = F.log_softmax(logits[every[:, 0], every[:, 1]], dim=-1)
    weights = speller.weights[every[:, 2]]
    word_loss = -(logp.gather(1, every[:, 2:]).squeeze(1) * weights).sum() / weights.sum()
    total, figures = word_loss, {}
    with torch.no_grad():
        cells = every[:, 0] * tokens.shape[1] + every[:, 1]
        many = torch.bincount(cells)[cells]
        rank = (logp > logp.gather(1, every[:, 2:])).sum(-1)
        figures["words"] = float((rank < many).float().mean())
    for name, ids in (("columns", speller.columns), ("rows", speller.rows)):
        where = torch.tensor(
            [(i, c, ids.index(t)) for i, lesson in enumerate(lessons) for c, t in getattr(lesson, name)]
        )
        some = logits[where[:, 0], where[:, 1]][:, torch.tensor(ids)]
        total = total + 0.5 * F.cross_entropy(some, where[:, 2])
        figures[name] = float((some.argmax(-1) == where[:, 2]).float().mean())
    return total, figures


Tell = Callable[[str], None]


def train_reading(
    policy: Policy,
    frames: Sequence[Frame],
    *,
    steps: int,
    batch: int = 8,
    seed: int = 0,
    tell: Tell = print,
    rates: tuple[float, float] = (1e-2, 3e-3),
) -> dict[str, float]:
    """Trains the vision tower in place.

    Returns the shares right over the last tenth of the steps.
    """
    speller = Speller(policy)
    lessons = [speller.lessons(f) for f in frames]
    speller.weigh(lessons)
    usable = [i for i, lesson in enumerate(lessons) if lesson.words]
    model: Any = policy.model
    freeze(model, True)
    freeze(model.model.visual, False)
    embedding = model.get_input_embeddings().weight
    optimiser = Optimiser(model.model.visual.named_parameters(), steps=steps, muon=rates[0], adam=rates[1])
    rng = random.Random(seed)
    recent: list[dict[str, float]] = []
    started = time.process_time()
    for step in range(steps):
        chosen = [rng.choice(usable) for _ in range(batch)]
        loaded = [policy.image_tensors(frames[i].image) for i in chosen]
        seen = policy.see(torch.cat([p for p, _ in loaded]), torch.cat([g for _, g in loaded]))
        loss, figures = reading_loss(
            torch.stack([v.embeds for v in seen]), embedding, [lessons[i] for i in chosen], speller
        )
        optimiser.step(loss)
        recent.append(figures)
        if (step + 1) % max(1, steps // 10) == 0:
            last = mean(recent[-max(1, steps // 10) :])
            tell(
                f"reading {step + 1}/{steps} {time.process_time() - started:.0f} s loss {loss.item():.2f} {show(last)}"
            )
    freeze(model, False)
    return mean(recent[-max(1, steps // 10) :])


def mean(figures: Sequence[dict[str, float]]) -> dict[str, float]:
    return {k: sum(f[k] for f in figures) / len(figures) for k in figures[0]}


def show(figures: dict[str, float]) -> str:
    return " ".join(f"{k} {v:.3f}" for k, v in figures.items())
