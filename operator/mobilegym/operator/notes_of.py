"""Events on a run: what has changed from one status to the next."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from mobilegym.operator.plan import Note
from mobilegym.operator.status import Kind, Phase, Reason
from mobilegym.operator.view import View
from mobilegym.run.pod import Sandbox

# Reasons worth a warning when a condition takes them on; all else a condition says is in the status.
WARNINGS = frozenset(
    {
        Reason.INVALID,
        Reason.UNKNOWN_SCHEMA,
        Reason.REDIS_UNREACHABLE,
        Reason.REDIS_SECRET_MISSING,
        Reason.UNSCHEDULABLE,
        Reason.IMAGE_UNAVAILABLE,
        Reason.CRASH_LOOP,
        Reason.SETUP_WRONG,
        Reason.QUOTA_EXCEEDED,
        Reason.CREATE_REFUSED,
        Reason.VOLUME_PENDING,
        Reason.RESTARTING,
        Reason.SILENT,
        Reason.STALLED,
        Reason.TOO_FEW_PHONES,
        Reason.BACKOFF_LIMIT,
        Reason.STARTUP_DEADLINE,
        Reason.RUNNING_DEADLINE,
    }
)


def notes_of(seen: View, after: Mapping[str, Any]) -> tuple[Note, ...]:
    """In the order in which a person would tell them."""
    return (*_phase(seen, after), *_conditions(seen, after), *_preemption(seen, after), *_scaling(seen, after))


def _phase(seen: View, after: Mapping[str, Any]) -> Iterator[Note]:
    phase = Phase(after["phase"])
    if seen.phase is phase:
        return
    if seen.phase is None and seen.run is not None and seen.spec.workers.sandbox is Sandbox.DISABLED:
        words = "spec.workers.sandbox is Disabled: Chromium runs without its sandbox"
        yield Note(type="Warning", reason="SandboxDisabled", message=words)
    if phase is not Phase.FAILED:
        yield Note(type="Normal", reason=phase.value, message=after.get("message") or phase.value)


def _conditions(seen: View, after: Mapping[str, Any]) -> Iterator[Note]:
    before = {c["type"]: c["reason"] for c in seen.status.get("conditions") or ()}
    for c in after["conditions"]:
        is_news = before.get(c["type"]) != c["reason"]
        if is_news and c["reason"] in WARNINGS and Kind(c["type"]) is not Kind.COMPLETE:
            yield Note(type="Warning", reason=c["reason"], message=f"{c['type']}: {c['message']}")


def _preemption(seen: View, after: Mapping[str, Any]) -> Iterator[Note]:
    if (after.get("learner") or {}).get("preemptions", 0) > seen.learner.get("preemptions", 0):
        words = f"the learner was preempted at step {after.get('step', 0)}; it goes on from its checkpoint"
        yield Note(type="Normal", reason=Reason.PREEMPTED.value, message=words)


def _scaling(seen: View, after: Mapping[str, Any]) -> Iterator[Note]:
    new, old = after.get("autoscaler") or {}, seen.status.get("autoscaler") or {}
    if new.get("lastScaleTime") != old.get("lastScaleTime"):
        words = f"{new.get('reason', '')}: {new['recommended']} workers wanted"
        yield Note(type="Normal", reason="Scaled", message=words)
