"""What a certificate says of a template."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from mobilegym.tasks.instance import budget_of, level_of
from mobilegym.world.dates import Locale

MOST_STEPS = 120  # an oracle that needs more is stuck


class Property(StrEnum):
    SUITS = "suits"  # worlds are found, goals are worded, parameters vary
    IDLE = "idle"  # doing nothing, and finishing at once, fail
    SOLVES = "solves"  # the oracle succeeds, clean, within budget
    CLAUSES = "clauses"  # each change is needed, each goal can fail
    MUTANTS = "mutants"  # wrong end states and near-miss answers are rejected
    LOGGED = "logged"  # every difference of the states stands in the event log
    REPLAY = "replay"  # the same actions give the same bytes
    RECOVERS = "recovers"  # the oracle reaches its goals from where a random walk left the phone


@dataclass(frozen=True)
class Finding:
    prop: Property
    where: str  # "seed 3, en"
    reason: str = ""  # empty: the property holds there

    @property
    def ok(self) -> bool:
        return not self.reason


@dataclass
class Certificate:
    template: str
    findings: list[Finding] = field(default_factory=list)
    steps: list[int] = field(default_factory=list)  # of the oracle, by instance

    @property
    def ok(self) -> bool:
        return bool(self.findings) and all(finding.ok for finding in self.findings)

    @property
    def level(self) -> int:
        return level_of(max(self.steps, default=MOST_STEPS))

    @property
    def budget(self) -> int:
        return budget_of(max(self.steps, default=MOST_STEPS))

    def holds(self, prop: Property) -> bool | None:
        """None where it was not looked at."""
        found = [finding.ok for finding in self.findings if finding.prop is prop]
        return all(found) if found else None

    def failures(self) -> list[Finding]:
        return [finding for finding in self.findings if not finding.ok]


@dataclass(frozen=True)
class Extent:
    """How much is tried: seeds in each language; of these, those that are also replayed and walked from."""

    seeds: dict[Locale, range]
    replayed: int = 1000
