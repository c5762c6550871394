"""The decision: from what is observed of a run to what is to be done. Pure; called again, it says the same."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from mobilegym.operator import names
from mobilegym.operator.fleet import Fleet, fleet, ref
from mobilegym.operator.look import Look
from mobilegym.operator.notes_of import notes_of
from mobilegym.operator.observed import Observed
from mobilegym.operator.plan import Plan, Ref
from mobilegym.operator.report import invalid_status, status_of, unknown_schema_status
from mobilegym.operator.resources import Context, children, learner_pod, manifest_hash, worker_pod
from mobilegym.operator.settings import Settings
from mobilegym.operator.status import Phase, Reason
from mobilegym.operator.trainer import Do, Life, live
from mobilegym.operator.view import View, view
from mobilegym.run.manifest import CleanupPolicy


def plan(observed: Observed, settings: Settings) -> Plan:
    """What to do for one run now."""
    seen = view(observed.run)
    if seen.deleting:  # its children follow by their owner references
        return Plan()
    if seen.run is None:
        return _written(seen, invalid_status(seen, observed.now), Plan())
    if seen.spec.managed_by not in (None, names.MANAGER):
        return Plan()
    context = Context(
        run=seen.run,
        uid=seen.uid,
        namespace=seen.namespace,
        settings=settings,
        redis_urls=observed.redis_urls,
    )
    look = Look(
        seen=seen,
        observed=observed,
        worker_hash=manifest_hash(context, names.WORKER),
        learner_hash=manifest_hash(context, names.LEARNER),
    )
    if seen.phase is not None and seen.phase.finished:
        return _finished(look)
    if seen.spec.suspend:
        return _suspended(look)
    return _active(look, context)


def _written(seen: View, status: dict[str, Any], done: Plan) -> Plan:
    """With the status, and events on what has changed in it."""
    return replace(done, status=status, notes=(*done.notes, *notes_of(seen, status)))


# -- active --


def _active(look: Look, context: Context) -> Plan:
    life = _deadline(look) or live(
        look.learner,
        look.tally,
        look.spec.learner,
        step=look.step,
        hash=look.learner_hash,
        silent=look.silent,
        now=look.now,
    )
    if life.do in (Do.SUCCEED, Do.FAIL):
        phase = Phase.SUCCEEDED if life.do is Do.SUCCEED else Phase.FAILED
        done = Plan(delete=_cleanup(look), again_after=_ttl(look, look.now))
        return _written(look.seen, status_of(look, phase, life), done)
    desired = min(look.desired, len(look.alive)) if look.is_ending else look.desired
    crew = fleet(look.workers, desired, look.worker_hash, look.beats, look.now)
    done = Plan(
        apply=_wanted(look, context, life, crew),
        delete=(*_learner_goes(look, life), *crew.deletions),
        status_first=life.tally != look.tally,
        replicas=_replicas(look),
        again_after=_soonest(life.wait, _until_deadline(look)),
    )
    return _written(look.seen, status_of(look, phase_of(look), life), done)


def phase_of(look: Look) -> Phase:
    """Of a run that is to have pods."""
    if look.training:
        return Phase.RUNNING
    started = any(pod.alive and pod.scheduled for pod in look.pods)
    return Phase.STARTING if started else Phase.PENDING


def _wanted(look: Look, context: Context, life: Life, crew: Fleet) -> tuple[dict[str, Any], ...]:
    """Nothing is made before the Redis is known: a pod without its Secret could only wait."""
    if look.observed.redis_urls is None:
        return ()
    learner = [learner_pod(context)] if life.do is Do.MAKE else []
    return (*children(context), *learner, *(worker_pod(context, index) for index in crew.make))


def _learner_goes(look: Look, life: Life) -> tuple[Ref, ...]:
    if look.learner is None or life.do not in (Do.DELETE, Do.FORCE):
        return ()
    return (ref(look.learner, grace=0 if life.do is Do.FORCE else None),)


def _replicas(look: Look) -> int | None:
    wanted = look.observed.advice.replicas
    if not look.spec.autoscaling.enabled or wanted is None or wanted == look.desired:
        return None
    return wanted


def _deadline(look: Look) -> Life | None:
    """The run's end by its clock, if it has come."""
    deadline, startup = look.spec.active_deadline_seconds, look.spec.learner.startup_deadline_seconds
    if deadline is not None and look.active_seconds > deadline:
        words = f"spec.activeDeadlineSeconds ({deadline:g}) is over at step {look.step} of {look.total}"
        return Life(do=Do.FAIL, tally=look.tally, reason=Reason.RUNNING_DEADLINE, words=words)
    if not look.has_run and not look.training and look.now - look.resumed > startup:
        words = f"the learner did not train within spec.learner.startupDeadlineSeconds ({startup:g})"
        return Life(do=Do.FAIL, tally=look.tally, reason=Reason.STARTUP_DEADLINE, words=words)
    return None


def _until_deadline(look: Look) -> float | None:
    active = look.spec.active_deadline_seconds
    ends = [] if active is None else [active - look.active_seconds]
    if not look.has_run:
        ends.append(look.resumed + look.spec.learner.startup_deadline_seconds - look.now)
    return max(0.5, min(ends) + 0.5) if ends else None


def _soonest(*waits: float | None) -> float | None:
    return min((wait for wait in waits if wait is not None), default=None)


# -- suspended --


def _suspended(look: Look) -> Plan:
    """No pods at all. Workers drain, the learner checkpoints; both by their SIGTERM."""
    crew = fleet(look.workers, 0, look.worker_hash, look.beats, look.now)
    learner = look.learner
    life = live(
        learner, look.tally, look.spec.learner, step=look.step, hash=look.learner_hash, silent=None, now=look.now
    )
    if life.do is Do.SUCCEED:
        return _written(look.seen, status_of(look, Phase.SUCCEEDED, life), Plan(delete=_cleanup(look)))
    goes = (ref(learner, grace=0 if life.do is Do.FORCE else None),) if learner and _may_go(learner, life) else ()
    phase = Phase.SUSPENDING if look.pods else Phase.SUSPENDED
    kept = Life(do=Do.NOTHING, tally=life.tally if learner and learner.ended else look.tally)
    done = Plan(delete=(*goes, *crew.deletions), status_first=kept.tally != look.tally)
    return _written(look.seen, status_of(look, phase, kept), done)


def _may_go(learner: Any, life: Life) -> bool:
    return not learner.terminating or life.do is Do.FORCE


# -- finished --


def _finished(look: Look) -> Plan:
    ended = look.seen.time("completionTime") or look.now
    left = _ttl(look, ended)
    if left is not None and left <= 0:
        return Plan(delete_run=True)
    phase = look.seen.phase
    assert phase is not None
    life = Life(do=Do.NOTHING, tally=look.tally)
    done = Plan(delete=_cleanup(look), again_after=left)
    return _written(look.seen, status_of(look, phase, life), done)


def _ttl(look: Look, ended: float) -> float | None:
    """Seconds that a finished run still stays."""
    ttl = look.spec.ttl_seconds_after_finished
    return None if ttl is None else ended + ttl - look.now


def _cleanup(look: Look) -> tuple[Ref, ...]:
    """A learner that still runs always goes: it holds GPUs. What has ended stays for its logs, as the policy says."""
    policy = look.spec.cleanup_policy
    gone = [pod for pod in look.pods if not pod.terminating and _goes(pod.part, pod.ended, policy)]
    return tuple(ref(pod) for pod in gone)


def _goes(part: str, ended: bool, policy: CleanupPolicy) -> bool:
    if policy is CleanupPolicy.DELETE_ALL:
        return True
    if part == names.LEARNER:
        return not ended
    return policy is CleanupPolicy.DELETE_WORKERS


def refused_schema(run: Mapping[str, Any], now: float) -> Plan:
    """The only thing done where the cluster's CRD is not the one that this operator knows."""
    seen = view(run)
    return _written(seen, unknown_schema_status(seen, now), Plan())
