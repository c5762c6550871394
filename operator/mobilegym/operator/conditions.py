"""The conditions of a run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Literal

from mobilegym.operator.status import Kind, Reason

MESSAGE_LENGTH = 1024
State = Literal["True", "False", "Unknown"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Condition:
    kind: Kind
    state: State
    reason: Reason
    message: str = ""


def condition(kind: Kind, holds: bool | None, reason: Reason, message: str = "") -> Condition:
    state: State = "Unknown" if holds is None else "True" if holds else "False"
    return Condition(kind=kind, state=state, reason=reason, message=message[:MESSAGE_LENGTH])


def rfc3339(unix: float) -> str:
    return datetime.fromtimestamp(int(unix), UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def merged(
    before: Sequence[Mapping[str, Any]], conditions: Sequence[Condition], generation: int, now: float
) -> list[dict[str, Any]]:
    """As the status holds them, in the order of `Kind`. Those not given stay as they were."""
    old = {c["type"]: c for c in before}
    new = {c.kind.value: _written(c, old.get(c.kind.value), generation, now) for c in conditions}
    return [dict(new.get(kind.value) or old[kind.value]) for kind in Kind if kind.value in new or kind.value in old]


def _written(c: Condition, old: Mapping[str, Any] | None, generation: int, now: float) -> dict[str, Any]:
    same = old is not None and old["status"] == c.state
    return {
        "type": c.kind.value,
        "status": c.state,
        "reason": c.reason.value,
        "message": c.message,
        "observedGeneration": generation,
        "lastTransitionTime": old["lastTransitionTime"] if same and old is not None else rfc3339(now),
    }
