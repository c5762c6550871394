"""What the learner is doing: its phase, and what it has done since it started."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from enum import StrEnum
from typing import Any


class Phase(StrEnum):
    STARTING = "starting"
    EVALUATING = "evaluating"
    COLLECTING = "collecting"
    TRAINING = "training"
    PUBLISHING = "publishing"
    CHECKPOINTING = "checkpointing"
    DONE = "done"
    PREEMPTED = "preempted"

    @property
    def ended(self) -> bool:
        return self in (Phase.DONE, Phase.PREEMPTED)


class Status:
    """Written by the loop, read by heartbeats and probes on other threads. Totals count from this process's start.

    `entered` is told of each phase that has ended, with its seconds.
    """

    def __init__(
        self,
        total_steps: int,
        entered: Callable[[Phase, float], None] = lambda *_: None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.total_steps = total_steps
        self.step = 0
        self.version = 0
        self.published = False  # whether a version of this process is out: from then on it learns
        self.success: float | None = None  # of the last step's batch
        self.reward: float | None = None
        self.eval_success: float | None = None
        self.wait_share: float | None = None  # of the last step, spent waiting for trajectories
        self.last_checkpoint: float | None = None  # unix seconds
        self.checkpoint_step: int | None = None
        self.trajectories = 0  # trained on
        self.stale = 0  # of those, with a step more versions behind than staleness allows
        self.lost = 0  # screenshots that the blob store no longer had
        self.stopped_early = False  # stopWhen was reached
        self._entered, self._clock = entered, clock
        self._lock = threading.Lock()
        self._phase, self._since = Phase.STARTING, clock()
        self._spent = dict.fromkeys(Phase, 0.0)
        self.started = self._since

    @property
    def phase(self) -> Phase:
        return self._phase

    def enter(self, phase: Phase) -> None:
        """The phase before it ends here; entering it again changes nothing."""
        if phase is self._phase:
            return
        with self._lock:
            before, now = self._phase, self._clock()
            seconds = max(0.0, now - self._since)
            self._spent[before] += seconds
            self._phase, self._since = phase, now
        self._entered(before, seconds)

    def ready(self) -> str | None:
        """None once a version is out, else what is waited for."""
        return None if self.published else f"{self._phase}: the first policy version is not published yet"

    def detail(self) -> dict[str, Any]:
        """Of a heartbeat. Times are unix seconds; `*_seconds` are totals, the phase that goes on included."""
        with self._lock:
            phase, since = self._phase, self._since
            spent = self._spent | {phase: self._spent[phase] + max(0.0, self._clock() - since)}
        told = {key: value for key, value in vars(self).items() if not key.startswith("_")}
        return told | {
            "phase": str(phase),
            "phase_since": since,
            "rollout_seconds": spent[Phase.COLLECTING],
            "train_seconds": spent[Phase.TRAINING],
            "evaluate_seconds": spent[Phase.EVALUATING],
            "publish_seconds": spent[Phase.PUBLISHING],
            "checkpoint_seconds": spent[Phase.CHECKPOINTING],
        }
