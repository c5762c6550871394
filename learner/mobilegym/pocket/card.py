"""The card that ships with the pocket policy's weights: what it was made from and what it can do."""

from __future__ import annotations

from pathlib import Path

import msgspec


class Card(msgspec.Struct, frozen=True, kw_only=True):
    """Success is clean success on held-out worlds at temperature 1, with its 95 % Wilson interval."""

    phone_build: str
    task_set: str
    templates: tuple[str, ...]
    withheld: tuple[str, ...]  # never imitated
    seed: int
    train_worlds: tuple[int, int]  # [first, end)
    held_out_worlds: tuple[int, int]
    parameters: int
    cpu_seconds: dict[str, int]
    success: float
    success_low: float
    success_high: float
    episodes: int
    imitation_ceiling: float  # success of the best imitation checkpoint
    entropy: float  # nats a token when sampling
    teacher_errors: float  # share of demonstrated steps that are wrong on purpose
    agreement: dict[str, float]  # with the oracle, on held-out screens, by kind of action
    by_template: dict[str, float]


def write_card(card: Card, file: Path) -> None:
    file.write_bytes(msgspec.json.format(msgspec.json.encode(card), indent=2) + b"\n")


def read_card(file: Path) -> Card:
    return msgspec.json.decode(file.read_bytes(), type=Card)
