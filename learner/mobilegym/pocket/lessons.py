"""Moments as token rows that share a screen, and batches of them."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch

from mobilegym.pocket import vocabulary
from mobilegym.pocket.collect import Moment
from mobilegym.pocket.labels import Book, Label, Weakness, labels, mistaken
from mobilegym.pocket.places import point_words
from mobilegym.policy.model import Policy
from mobilegym.policy.prompt import Grid

FIND = "find"
RETREATS = ("back", "home")
SHARES = {
    "done": 6.0,
    "click": 3.0,
    "type": 2.0,
    "back": 1.0,
    "home": 1.0,
    "swipe": 1.0,
}  # what is rare drowns otherwise


@dataclass(frozen=True, kw_only=True)
class Entry:
    """One row: what follows the picture in the prompt, and what should be said (with eos)."""

    suffix: tuple[int, ...]
    target: tuple[int, ...]
    kind: str


@dataclass(frozen=True, kw_only=True)
class Packed:
    """Sequences of one picture each with all its rows behind it; every row sees the picture and itself."""

    frames: tuple[int, ...]  # indices of the moments
    ids: torch.Tensor  # [B, L]
    positions: torch.Tensor  # [3, B, L]
    attends: torch.Tensor  # [B, 1, L, L] bool
    where: torch.Tensor  # [N] into B * L: what predicts each target token
    targets: torch.Tensor  # [N]
    row: torch.Tensor  # [N] number of the row that a target token belongs to
    kinds: tuple[str, ...]  # of each row


class Tokens:
    """Turns labels into rows for one policy."""

    def __init__(self, policy: Policy, grid: Grid) -> None:
        self.policy = policy
        whole = policy.prompt_ids(
            [{"role": "user", "content": [{"type": "image"}, {"type": "text", "text": ""}]}], [grid]
        )
        last = max(i for i, t in enumerate(whole) if t == policy.image_token)
        self.prefix = tuple(whole[: last + 2])  # with the end-of-vision mark
        self.tail = tuple(whole[last + 2 :])
        places = policy.positions(self.prefix, [grid])
        self.prefix_positions = places.numpy()
        self.start = int(places.max()) + 1

    def text(self, words: str) -> tuple[int, ...]:
        return tuple(self.policy.tokenizer(words, add_special_tokens=False)["input_ids"])

    def entry(self, label: Label) -> Entry:
        return Entry(
            suffix=self.text(label.prompt) + self.tail,
            target=(*self.text(label.target), self.policy.eos),
            kind=label.kind,
        )


def finds(moment: Moment, known: frozenset[str], rng: random.Random, count: int) -> list[Label]:
    """Find pairs: a word that stands once on the screen, and the tap on its control."""
    texts = [(w, t) for w in moment.frame.words for t in vocabulary.words(w.text)]
    often = Counter(t for _, t in texts)
    unique = [(w, t) for w, t in texts if often[t] == 1 and t in known and any(c.isalnum() for c in t)]
    return [
        Label(prompt=f"{FIND} {t}", target="click {} {}".format(*point_words(*w.tap)), kind=FIND)
        for w, t in rng.sample(unique, min(count, len(unique)))
    ]


@dataclass
class Course:
    """The material: moments, and their labelled rows."""

    moments: list[Moment]
    rows: list[list[Label]]

    @classmethod
    def of(cls, moments: Sequence[Moment], book: Book, *, goals: int, seed: int = 0) -> Course:
        rng = random.Random(seed)
        kept, rows = [], []
        for moment in moments:
            found = labels(moment, book, rng, goals)
            if found:
                kept.append(moment)
                rows.append(found)
        return cls(kept, rows)

    def kinds(self) -> dict[str, list[tuple[int, int]]]:
        """(moment, row) of each kind of action."""
        found: dict[str, list[tuple[int, int]]] = defaultdict(list)
        for i, rows in enumerate(self.rows):
            for j, row in enumerate(rows):
                found[row.kind].append((i, j))
        return dict(found)


@dataclass(kw_only=True)
class Drawer:
    """Draws batches. `balance`: share of the pictures drawn by kind of action, as `SHARES` says, with that row in;
    `weakness`: the share of rows in which the teacher errs."""

    course: Course
    tokens: Tokens
    rng: random.Random
    images: int = 8
    goals: int = 5
    finds: int = 8
    balance: float = 0.0
    weakness: Weakness | None = None

    def __post_init__(self) -> None:
        self._kinds = self.course.kinds()
        self._names = sorted(self._kinds)
        pieces = self.tokens.policy.tokenizer.get_vocab()
        self._known = frozenset(p.removeprefix(vocabulary.SPACE) for p in pieces if p.startswith(vocabulary.SPACE))

    def draw(self) -> Packed:
        chosen: list[tuple[int, list[Entry]]] = []
        for _ in range(self.images):
            if self.rng.random() < self.balance:
                kind = self.rng.choices(self._names, [SHARES.get(name, 1.0) for name in self._names])[0]
                index, must = self.rng.choice(self._kinds[kind])
                rows = [self.course.rows[index][must]]
            else:
                index, rows = self.rng.randrange(len(self.course.rows)), []
            rows += self._others(self.course.rows[index], rows)
            moment = self.course.moments[index]
            taught = [self._teach(moment, row) for row in rows] + finds(moment, self._known, self.rng, self.finds)
            chosen.append((index, [self.tokens.entry(label) for label in taught]))
        return collate(chosen, self.tokens)

    def _others(self, rows: Sequence[Label], chosen: Sequence[Label]) -> list[Label]:
        """Other goals on the same screen: of those that only lead away from it, one each."""
        left = {kind: 1 - sum(c.kind == kind for c in chosen) for kind in RETREATS}
        found: list[Label] = []
        for row in self.rng.sample(rows, len(rows)):
            if len(found) + len(chosen) == self.goals:
                break
            if row in chosen or left.get(row.kind, 1) < 1:
                continue
            if row.kind in left:
                left[row.kind] -= 1
            found.append(row)
        return found

    def _teach(self, moment: Moment, row: Label) -> Label:
        if self.weakness is None or self.rng.random() >= self.weakness.share:
            return row
        return Label(prompt=row.prompt, target=mistaken(moment.frame, self.rng, self.weakness), kind=row.kind)


def collate(chosen: Sequence[tuple[int, Sequence[Entry]]], tokens: Tokens) -> Packed:
    """Pads the sequences of all pictures to the longest."""
    head = len(tokens.prefix)
    lengths = [head + sum(len(e.suffix) + len(e.target) - 1 for e in entries) for _, entries in chosen]
    width = max(lengths)
    ids = np.full((len(chosen), width), tokens.policy.pad, np.int64)
    positions = np.zeros((3, len(chosen), width), np.int64)
    attends = np.zeros((len(chosen), width, width), np.bool_)
    attends[:, np.arange(width), np.arange(width)] = True
    where: list[int] = []
    targets: list[int] = []
    row_of: list[int] = []
    kinds: list[str] = []
    for b, (_, entries) in enumerate(chosen):
        ids[b, :head], positions[:, b, :head] = tokens.prefix, tokens.prefix_positions
        attends[b, :head, :head] = np.tri(head, dtype=np.bool_)
        at = head
        for entry in entries:
            line = (*entry.suffix, *entry.target[:-1])
            stop = at + len(line)
            ids[b, at:stop] = line
            positions[:, b, at:stop] = tokens.start + np.arange(len(line))
            attends[b, at:stop, :head] = True
            attends[b, at:stop, at:stop] = np.tri(len(line), dtype=np.bool_)
            first = b * width + at + len(entry.suffix) - 1
            where.extend(range(first, first + len(entry.target)))
            targets.extend(entry.target)
            row_of.extend([len(kinds)] * len(entry.target))
            kinds.append(entry.kind)
            at = stop
    return Packed(
        frames=tuple(i for i, _ in chosen),
        ids=torch.from_numpy(ids),
        positions=torch.from_numpy(positions),
        attends=torch.from_numpy(attends).unsqueeze(1),
        where=torch.tensor(where),
        targets=torch.tensor(targets),
        row=torch.tensor(row_of),
        kinds=tuple(kinds),
    )
