"""One look at a run: what was observed, digested."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from mobilegym.operator import names
from mobilegym.operator.facts import unix
from mobilegym.operator.fleet import busy, workers
from mobilegym.operator.observed import Observed, Pod
from mobilegym.operator.trainer import Tally
from mobilegym.operator.view import View
from mobilegym.protocol.messages import Heartbeat
from mobilegym.run.manifest import RunSpec


@dataclass(frozen=True, kw_only=True)
class Look:
    """The hashes are those of pods made from the manifest as it stands."""

    seen: View
    observed: Observed
    worker_hash: str = ""
    learner_hash: str = ""

    @property
    def spec(self) -> RunSpec:
        return self.seen.spec

    @property
    def now(self) -> float:
        return self.observed.now

    @property
    def pods(self) -> tuple[Pod, ...]:
        return self.observed.pods

    @cached_property
    def workers(self) -> list[Pod]:
        return workers(self.pods)

    @cached_property
    def alive(self) -> list[Pod]:
        return [pod for pod in self.workers if pod.alive]

    @cached_property
    def ready(self) -> list[Pod]:
        return [pod for pod in self.alive if pod.ready]

    @cached_property
    def learner(self) -> Pod | None:
        return next((pod for pod in self.pods if pod.part == names.LEARNER), None)

    @property
    def training(self) -> bool:
        """The learner's pod says that it is ready: the first policy version is published."""
        return self.learner is not None and self.learner.ready and self.learner.alive

    @property
    def desired(self) -> int:
        return self.spec.workers.replicas

    @property
    def is_told(self) -> bool:
        """Redis has answered."""
        return self.observed.numbers is not None and not self.observed.numbers.error

    @property
    def beat(self) -> Heartbeat | None:
        return self.observed.numbers.learner if self.observed.numbers is not None else None

    @property
    def beats(self) -> dict[str, Heartbeat]:
        return dict(self.observed.numbers.workers) if self.observed.numbers is not None else {}

    def busy_of(self, pod: Pod) -> int:
        """Phones of this worker that play."""
        return busy(self.beats.get(pod.name))

    @property
    def step_age(self) -> float:
        """Seconds since the last step was seen to be taken."""
        since = unix(self.seen.learner.get("lastStepTime"))
        return self.now - since if since is not None else 0.0

    @property
    def silent(self) -> float | None:
        """Age of the learner's last heartbeat, seconds; None where it is not known."""
        numbers = self.observed.numbers
        if numbers is None or not self.is_told or self.beat is None:
            return None
        return numbers.at - self.beat.at

    def told(self, field: str) -> Any:
        """Of the learner's last heartbeat."""
        return self.beat.detail.get(field) if self.beat is not None else None

    @property
    def is_ending(self) -> bool:
        """The learner has taken its last step: workers that drain are not replaced."""
        return self.training and self.told("phase") == "done"

    @property
    def step(self) -> int:
        """Steps taken; what the status says where Redis is silent."""
        told = self.told("step")
        return int(told) if told is not None else int(self.seen.status.get("step") or 0)

    @property
    def total(self) -> int:
        return self.spec.algorithm.total_steps

    @property
    def tally(self) -> Tally:
        learner = self.seen.learner
        return Tally(
            failures=int(learner.get("failures", 0)),
            preemptions=int(learner.get("preemptions", 0)),
            last_uid=learner.get("lastFailureUid", ""),
            last_time=unix(learner.get("lastFailureTime")),
            last_step=int(learner.get("lastFailureStep", -1)),
        )

    # -- the clock of the run --

    @property
    def started(self) -> float:
        return self.seen.time("startTime") or self.now

    @property
    def resumed(self) -> float:
        """The beginning of this stretch without suspension."""
        return self.seen.time("resumeTime") or self.started

    @property
    def has_run(self) -> bool:
        """Trained since it was started or resumed."""
        running = self.seen.time("runningTime")
        return running is not None and running >= self.resumed

    @property
    def suspended_seconds(self) -> float:
        since = self.seen.time("suspendTime")
        going_on = self.now - since if since is not None else 0.0
        return float(self.seen.status.get("suspendedSeconds") or 0) + going_on

    @property
    def active_seconds(self) -> float:
        return self.now - self.started - self.suspended_seconds
