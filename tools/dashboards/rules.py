"""Recording rules and alerts as a Prometheus rules file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import yaml

GUIDE = "docs/alerts.md"


class Severity(StrEnum):
    CRITICAL = "critical"  # work or data is being lost: now
    WARNING = "warning"  # today
    INFO = "info"  # worth a look


@dataclass(frozen=True, kw_only=True, slots=True)
class Record:
    """A named expression; the name says level, metric and what was done to it."""

    name: str
    expr: str

    @property
    def rule(self) -> dict[str, object]:
        return {"record": self.name, "expr": self.expr}


@dataclass(frozen=True, kw_only=True, slots=True)
class Alert:
    """`lasts`: how long the expression holds before it fires. `summary` and `words` are Prometheus's templates."""

    name: str
    expr: str
    lasts: str
    severity: Severity
    summary: str
    words: str

    @property
    def anchor(self) -> str:
        return f"{GUIDE}#{self.name.lower()}"

    @property
    def rule(self) -> dict[str, object]:
        return {
            "alert": self.name,
            "expr": self.expr,
            "for": self.lasts,
            "labels": {"severity": self.severity.value},
            "annotations": {"summary": self.summary, "description": self.words, "runbook_url": self.anchor},
        }


def as_yaml(records: Sequence[Record], alerts: Sequence[Alert]) -> str:
    groups = [
        {"name": "mobilegym.records", "rules": [record.rule for record in records]},
        {"name": "mobilegym.alerts", "rules": [alert.rule for alert in alerts]},
    ]
    return yaml.safe_dump({"groups": groups}, sort_keys=False, width=120, allow_unicode=True)
