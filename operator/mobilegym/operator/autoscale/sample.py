"""What is known of a run's flow of trajectories at one moment."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Self

from mobilegym.operator import names
from mobilegym.operator.observed import Numbers, Pod
from mobilegym.protocol.messages import Heartbeat
from mobilegym.run.manifest import RunSpec

SILENT_SECONDS = 30.0  # without a heartbeat, after which the learner counts as down
UNSCHEDULABLE = "Unschedulable"


class Doing(StrEnum):
    """What the learner is about, as far as feeding it goes."""

    DOWN = "down"
    STARTING = "starting"
    COLLECTING = "collecting"
    TRAINING = "training"
    SAVING = "saving"
    EVALUATING = "evaluating"
    ENDED = "ended"

    @property
    def alive(self) -> bool:
        return self not in (Doing.DOWN, Doing.ENDED)

    @property
    def learns(self) -> bool:
        return self in (Doing.COLLECTING, Doing.TRAINING)


# By the phase in the learner's heartbeat.
DOING = {
    "starting": Doing.STARTING,
    "evaluating": Doing.EVALUATING,
    "collecting": Doing.COLLECTING,
    "training": Doing.TRAINING,
    "publishing": Doing.TRAINING,
    "checkpointing": Doing.SAVING,
    "done": Doing.ENDED,
    "preempted": Doing.DOWN,
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Sample:
    """Times are unix seconds. What a heartbeat does not say is None."""

    at: float
    doing: Doing
    step: int = 0  # learner steps taken
    wait_share: float | None = None  # of the last step
    waited: float | None = None  # seconds spent waiting for trajectories, since the learner's start
    consumed: int | None = None  # trajectories, since the learner's start
    stale: int | None = None  # of those
    depth: int = 0  # trajectories unread
    full: bool = False  # the stream takes no more: phones that look busy may be waiting to push
    waiting: int = 0  # episodes that no phone has taken
    produced: int = 0  # trajectories ever pushed
    ready: int = 0  # workers
    starting: int = 0  # workers that will be ready
    unschedulable: int = 0  # workers for which there is no node
    phones: int = 0  # of the ready workers
    busy: int = 0  # of these

    @classmethod
    def of(cls, numbers: Numbers | None, pods: Sequence[Pod], spec: RunSpec) -> Self | None:
        """None where Redis does not answer."""
        if numbers is None or numbers.error or numbers.counters is None:
            return None
        counters, told = numbers.counters, _told(numbers.learner)
        workers = [pod for pod in pods if pod.part == names.WORKER and pod.alive]
        ready = [pod for pod in workers if pod.ready]
        stuck = sum(1 for pod in workers if not pod.ready and pod.waiting == UNSCHEDULABLE)
        beats = [numbers.workers[pod.name].detail for pod in ready if pod.name in numbers.workers]
        return cls(
            at=numbers.at,
            doing=doing(numbers.learner, numbers.at),
            step=int(told.get("step") or 0),
            wait_share=told.get("wait_share"),
            waited=told.get("rollout_seconds"),
            consumed=told.get("trajectories"),
            stale=told.get("stale"),
            depth=counters.depth,
            full=counters.depth >= spec.stream.capacity,
            waiting=counters.waiting,
            produced=counters.depth + counters.pending + counters.trained + counters.discarded,
            ready=len(ready),
            starting=len(workers) - len(ready) - stuck,
            unschedulable=stuck,
            phones=len(ready) * spec.workers.phones_per_worker,
            busy=sum(int(beat.get("busy", 0)) for beat in beats),
        )


def _told(beat: Heartbeat | None) -> Mapping[str, Any]:
    return beat.detail if beat is not None else {}


def doing(beat: Heartbeat | None, now: float) -> Doing:
    """A phase that is not known counts as starting: nothing is changed meanwhile."""
    if beat is None:
        return Doing.DOWN
    found = DOING.get(str(beat.detail.get("phase")), Doing.STARTING)
    if found is Doing.ENDED:
        return found  # its heartbeat expires, what it said stays true
    return Doing.DOWN if now - beat.at > SILENT_SECONDS else found
