"""The status of a run, whole, as it is written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from mobilegym.operator import names
from mobilegym.operator.conditions import Condition, condition, merged, rfc3339
from mobilegym.operator.diagnosis import diagnose
from mobilegym.operator.look import Look
from mobilegym.operator.status import Kind, Phase, Reason
from mobilegym.operator.trainer import Life, Tally
from mobilegym.operator.view import View

# The condition that a person should read first, most telling first, and how it stands when it is news.
NEWS = (
    (Kind.FAILED, "True"),
    (Kind.COMPLETE, "True"),
    (Kind.VALIDATED, "False"),
    (Kind.STREAM_READY, "False"),
    (Kind.SUSPENDED, "True"),
    (Kind.LEARNER_READY, "False"),
    (Kind.WORKERS_READY, "False"),
    (Kind.STARVED, "True"),
    (Kind.PROGRESSING, "False"),
)


def status_of(look: Look, phase: Phase, life: Life) -> dict[str, Any]:
    """Fields that cannot be told now keep their value; absent ones are left out."""
    seen = look.seen
    conditions = merged(seen.status.get("conditions") or (), diagnose(look, phase, life), seen.generation, look.now)
    reason, message = headline(conditions, look, phase)
    found: dict[str, Any] = {
        "phase": phase.value,
        "reason": reason,
        "message": message,
        "observedGeneration": seen.generation,
        "conditions": conditions,
        "step": look.step,
        "totalSteps": look.total,
        "progressPercentage": min(100, look.step * 100 // look.total),
        "selector": f"{names.RUN}={seen.name},{names.PART}={names.WORKER}",
        "workers": workers_of(look, phase),
        "learner": learner_of(look, life.tally),
        **learning_of(look),
        **times_of(look, phase),
    }
    return {key: value for key, value in found.items() if value is not None}


def headline(conditions: Sequence[Mapping[str, Any]], look: Look, phase: Phase) -> tuple[str, str]:
    by_kind = {c["type"]: c for c in conditions}
    for kind, state in NEWS:
        c = by_kind.get(kind.value)
        if c is not None and c["status"] == state and not _is_quiet(c, phase):
            return c["reason"], c["message"]
    last = by_kind[Kind.PROGRESSING.value]
    return last["reason"], last["message"]


def _is_quiet(c: Mapping[str, Any], phase: Phase) -> bool:
    """Pods that are not wanted are no news, nor is a worker that starts while the learner trains."""
    starting = phase is Phase.RUNNING and c["reason"] in (Reason.SOME_READY, Reason.NONE_READY)
    return c["reason"] == Reason.NONE_WANTED or starting


def workers_of(look: Look, phase: Phase) -> dict[str, Any]:
    before = look.seen.status.get("workers") or {}
    busy = sum(1 for pod in look.ready if look.busy_of(pod))
    return {
        "desired": look.desired if phase.active else 0,
        "replicas": len(look.alive),
        "ready": len(look.ready),
        "busy": min(busy if look.is_told else before.get("busy", 0), len(look.ready)),
        "draining": sum(1 for pod in look.workers if pod.terminating),
        "failed": sum(1 for pod in look.workers if pod.phase == "Failed" and not pod.terminating),
    }


def learner_of(look: Look, tally: Tally) -> dict[str, Any]:
    before = look.seen.learner
    pod = look.learner if look.learner is not None and not look.learner.terminating else None
    told = {
        "phase": look.told("phase"),
        "lastCheckpointStep": look.told("checkpoint_step"),
        "lastCheckpointTime": _time(look.told("last_checkpoint")),
        "lastHeartbeatTime": _time(look.beat.at if look.beat else None),
    }
    moved = look.training and look.step > int(look.seen.status.get("step") or 0)
    first = look.training and "lastStepTime" not in before
    found = {
        "pod": pod.name if pod else None,
        "node": (pod.node or None) if pod else None,
        "failures": tally.failures,
        "preemptions": tally.preemptions,
        "lastFailureUid": tally.last_uid or None,
        "lastFailureTime": _time(tally.last_time),
        "lastFailureStep": tally.last_step if tally.last_step >= 0 else None,
        "lastStepTime": rfc3339(look.now) if moved or first else before.get("lastStepTime"),
        **{key: value if look.beat is not None else before.get(key) for key, value in told.items()},
    }
    return {key: value for key, value in found.items() if value is not None}


def learning_of(look: Look) -> dict[str, Any]:
    """Whether it learns; fractions are text."""
    before, numbers = look.seen.status, look.observed.numbers
    rate = look.observed.advice.trajectories_per_minute
    found = {
        "policyVersion": look.told("version"),
        "successRate": _fraction(look.told("success")),
        "heldOutSuccessRate": _fraction(look.told("eval_success")),
        "rewardMean": _fraction(look.told("reward")),
        "trajectoriesPerMinute": None if rate is None else round(rate),
        "stream": _stream(look),
    }
    if numbers is None or numbers.error:
        return {key: before.get(key) for key in (*found, "autoscaler")}
    return {key: before.get(key) if value is None else value for key, value in found.items()} | {
        "autoscaler": _autoscaler(look)
    }


def _stream(look: Look) -> dict[str, Any] | None:
    numbers = look.observed.numbers
    if numbers is None or numbers.counters is None:
        return None
    c = numbers.counters
    age = numbers.oldest_age
    return {
        "depth": c.depth,
        "pending": c.pending,
        "oldestAgeSeconds": round(age) if age is not None else 0,
        "stale": int(look.told("stale") or 0),
        "dead": c.dead,
        "lost": c.lost,
    }


def _autoscaler(look: Look) -> dict[str, Any] | None:
    if not look.spec.autoscaling.enabled:
        return None
    advice, before = look.observed.advice, look.seen.status.get("autoscaler") or {}
    if advice.replicas is None:
        return dict(before) or None
    scaled = advice.replicas != look.desired
    found = {
        "recommended": advice.replicas,
        "reason": advice.reason,
        "lastScaleTime": rfc3339(look.now) if scaled else before.get("lastScaleTime"),
    }
    return {key: value for key, value in found.items() if value is not None}


def times_of(look: Look, phase: Phase) -> dict[str, Any]:
    """The run's clock. A suspension stops it."""
    status, now = look.seen.status, rfc3339(look.now)
    suspends = phase in (Phase.SUSPENDING, Phase.SUSPENDED)
    resumes = not suspends and "suspendTime" in status
    started = status.get("startTime") or (None if suspends else now)
    runs = phase is Phase.RUNNING and not look.has_run
    return {
        "startTime": started,
        "resumeTime": now if resumes else status.get("resumeTime"),
        "runningTime": now if runs else status.get("runningTime"),
        "suspendTime": (status.get("suspendTime") or now) if suspends else None,
        "suspendedSeconds": round(look.suspended_seconds) if resumes else status.get("suspendedSeconds"),
        "completionTime": (status.get("completionTime") or now) if phase.finished else None,
    }


def _time(unix: float | None) -> str | None:
    return None if unix is None else rfc3339(unix)


def _fraction(value: float | None) -> str | None:
    return None if value is None else f"{value:.3f}"


# -- runs that are not acted on --


def invalid_status(seen: View, now: float) -> dict[str, Any]:
    """Of a manifest that the CRD let through and the platform does not take. Pods are left as they are."""
    return _untouched(seen, condition(Kind.VALIDATED, False, Reason.INVALID, seen.problems), now)


def unknown_schema_status(seen: View, now: float) -> dict[str, Any]:
    words = "the cluster's CRD is not the one of this operator: upgrade the chart, CRD and operator together"
    return _untouched(seen, condition(Kind.VALIDATED, False, Reason.UNKNOWN_SCHEMA, words), now)


def _untouched(seen: View, validated: Condition, now: float) -> dict[str, Any]:
    conditions = merged(seen.status.get("conditions") or (), [validated], seen.generation, now)
    news = {"reason": validated.reason.value, "message": validated.message, "conditions": conditions}
    phase = (seen.phase or Phase.PENDING).value
    return {**seen.status, "phase": phase, "observedGeneration": seen.generation, **news}
