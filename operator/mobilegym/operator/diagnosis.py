"""How a run is: its conditions, each with a reason and words that say what to do next."""

from __future__ import annotations

from mobilegym.operator.ailments import worst
from mobilegym.operator.conditions import Condition, condition
from mobilegym.operator.look import Look
from mobilegym.operator.resources.learner import PRODUCT
from mobilegym.operator.status import Kind, Phase, Reason
from mobilegym.operator.trainer import Do, Life


def diagnose(look: Look, phase: Phase, life: Life) -> list[Condition]:
    """What cannot be told now is left out, and stays as it was."""
    found = [
        condition(Kind.VALIDATED, True, Reason.VALID),
        stream(look),
        workers(look, phase),
        learner(look, phase, life),
        progressing(look, phase, life),
        starved(look, phase),
        suspended(look, phase),
        complete(look, phase),
        failed(phase, life),
    ]
    return [c for c in found if c is not None]


def stream(look: Look) -> Condition | None:
    if look.observed.redis_urls is None:
        secret = look.spec.stream.redis_secret
        where = f"Secret {secret.name} with the key {secret.key}" if secret else "the operator's own Redis"
        words = f"{where} is not there: create it in {look.seen.namespace}, or set spec.stream.redisUrl"
        return condition(Kind.STREAM_READY, False, Reason.REDIS_SECRET_MISSING, words)
    numbers = look.observed.numbers
    if numbers is None:
        return None
    if numbers.error:
        words = f"{numbers.error}; see that Redis runs and that spec.stream names it"
        return condition(Kind.STREAM_READY, False, Reason.REDIS_UNREACHABLE, words)
    return condition(Kind.STREAM_READY, True, Reason.REDIS_ANSWERS)


def workers(look: Look, phase: Phase) -> Condition:
    ready, desired = len(look.ready), look.desired if phase.active else 0
    count = f"{ready} of {desired} ready"
    if not desired:
        left = f"pods left: {len(look.workers)}" if look.workers else ""
        return condition(Kind.WORKERS_READY, not look.alive, Reason.NONE_WANTED, left)
    if ready >= desired:
        return condition(Kind.WORKERS_READY, True, Reason.ALL_READY, count)
    found = worst(look.workers, look.observed.refusal if len(look.alive) < desired else None)
    if found is not None:
        return condition(Kind.WORKERS_READY, False, found[0], f"{count}; {found[1]}")
    late = [p for p in look.alive if not p.ready and look.now - p.created > look.spec.workers.startup_deadline_seconds]
    slow = f"; {late[0].name} has not become ready in time: kubectl logs {late[0].name}" if late else ""
    reason = Reason.SOME_READY if ready else Reason.NONE_READY
    return condition(Kind.WORKERS_READY, False, reason, count + slow)


def learner(look: Look, phase: Phase, life: Life) -> Condition:
    if not phase.active:
        left = "its pod is still there" if look.learner is not None and not look.learner.ended else ""
        return condition(Kind.LEARNER_READY, False, Reason.NONE_WANTED, left)
    if look.training:
        return condition(Kind.LEARNER_READY, True, Reason.TRAINING, f"on {look.learner.node if look.learner else ''}")
    if look.learner is None:
        found = worst((), look.observed.refusal) if life.do is Do.MAKE else None
    else:
        found = worst([look.learner], None) if life.do is Do.NOTHING else None
    if found is not None:
        return condition(Kind.LEARNER_READY, False, found[0], found[1] + _gpus_wanted(look, found[0]))
    reason, words = life.reason or Reason.LOADING, life.words or "starting"
    return condition(Kind.LEARNER_READY, False, reason, words)


def _gpus_wanted(look: Look, reason: Reason) -> str:
    """What the scheduler leaves out: it counts nodes, and does not say which label is missing."""
    spec = look.spec.learner
    if reason is not Reason.UNSCHEDULABLE or not spec.gpus:
        return ""
    products = ", ".join(spec.gpu_products)
    wanted = f"a node with {spec.gpus} or more GPUs of spec.learner.gpuProducts ({products})"
    return f"; it wants {wanted}: kubectl get nodes -L {PRODUCT}"


def progressing(look: Look, phase: Phase, life: Life) -> Condition:
    steps = f"step {look.step} of {look.total}"
    if phase is not Phase.RUNNING:
        return condition(Kind.PROGRESSING, False, Reason.NOT_RUNNING, steps)
    since = look.seen.learner.get("lastStepTime")
    moved = look.step > int(look.seen.status.get("step") or 0)
    if since is not None and not moved and look.step_age > look.spec.learner.stall_seconds:
        words = f"{steps} for {look.step_age / 60:.0f} minutes; kubectl logs {look.seen.name}-learner"
        return condition(Kind.PROGRESSING, False, Reason.STALLED, words)
    phase_told = look.told("phase") or look.seen.learner.get("phase")
    doing = f", {phase_told}" if phase_told else ""
    return condition(Kind.PROGRESSING, True, Reason.LEARNING, steps + doing)


def starved(look: Look, phase: Phase) -> Condition | None:
    if phase is not Phase.RUNNING:
        return condition(Kind.STARVED, False, Reason.NOT_RUNNING)
    advice = look.observed.advice
    if advice.starved is None:
        return None
    reason = Reason.TOO_FEW_PHONES if advice.starved else Reason.FED
    return condition(Kind.STARVED, advice.starved, reason, advice.starved_words)


def suspended(look: Look, phase: Phase) -> Condition:
    if phase is Phase.SUSPENDED:
        return condition(Kind.SUSPENDED, True, Reason.ASKED, "set spec.suspend to false to go on")
    if phase is Phase.SUSPENDING:
        return condition(Kind.SUSPENDED, False, Reason.ASKED, f"{len(look.pods)} pods are still ending")
    return condition(Kind.SUSPENDED, False, Reason.NOT_ASKED_TO)


def complete(look: Look, phase: Phase) -> Condition:
    if phase is not Phase.SUCCEEDED:
        return condition(Kind.COMPLETE, False, Reason.NOT_FINISHED)
    early = bool(look.told("stopped_early"))
    reason = Reason.STOPPED_EARLY if early else Reason.ALL_STEPS_TAKEN
    return condition(Kind.COMPLETE, True, reason, f"step {look.step} of {look.total}")


def failed(phase: Phase, life: Life) -> Condition | None:
    """Kept as written once the run has failed: what it failed of cannot be seen later."""
    if phase is not Phase.FAILED:
        return condition(Kind.FAILED, False, Reason.HEALTHY)
    if life.reason is None:
        return None
    return condition(Kind.FAILED, True, life.reason, life.words)
