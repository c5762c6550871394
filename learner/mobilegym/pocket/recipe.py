"""How the pocket policy is made: tasks, worlds and the length of each stage. One place for all dials."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, field

from mobilegym.pocket.labels import Weakness
from mobilegym.tasks import registry

TEMPLATES = (
    "clock.set-snooze",
    "notes.sort-notes",
    "settings.clear-cache",
    "settings.set-app-notifications",
    "settings.set-font-size",
    "settings.set-ringtone",
    "settings.set-screen-timeout",
    "settings.set-switch",
    "settings.set-two-switches",
)
WITHHELD: tuple[str, ...] = ()  # never imitated: reinforcement is their only teacher
HELD_OUT = 10_000_000  # worlds from here on are never trained on, by imitation or reinforcement


@dataclass(frozen=True, kw_only=True)
class Recipe:
    """Worlds are seeds. `noises` are the shares of random actions in the roll-ins that collect screens."""

    templates: tuple[str, ...] = TEMPLATES
    withheld: tuple[str, ...] = WITHHELD
    train_worlds: range = range(1000, 1050)
    check_worlds: range = range(HELD_OUT, HELD_OUT + 5)  # screens to compare policy and oracle on
    held_out_worlds: range = range(HELD_OUT + 5, HELD_OUT + 21)  # played
    noises: tuple[float, ...] = (0.0, 0.15, 0.4)
    roll_in_steps: int = 10
    goals: int = 8  # labelled goals of a screen besides its own
    vocabulary: int = 2600
    reading_steps: int = 700
    binding_steps: int = 250
    joint_steps: int = 120  # vision unfrozen
    imitation_steps: int = 1100
    weakness: Weakness = field(default_factory=lambda: Weakness(share=0.1))
    seed: int = 0

    @property
    def imitated(self) -> tuple[str, ...]:
        return tuple(t for t in self.templates if t not in self.withheld)


def task_set_hash(templates: Sequence[str]) -> str:
    """sha256 over the templates' ids and goals."""
    known = registry.templates()
    said = [[t, known[t].goal] for t in sorted(templates)]
    return hashlib.sha256(json.dumps(said, sort_keys=True, ensure_ascii=False).encode()).hexdigest()
