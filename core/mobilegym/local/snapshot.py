"""What can be said about a run at one moment."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

from mobilegym.protocol.messages import Heartbeat
from mobilegym.protocol.progress import EvalLine, Progress, StepLine
from mobilegym.protocol.streams import Counters

LIVE = "running"  # what the executor is doing when all has been started; the learner's phase then says more
WINDOW = 60.0  # seconds that rates are taken over


@dataclass(frozen=True, kw_only=True)
class Snapshot:
    name: str
    total_steps: int
    step: int  # done
    last: StepLine | None
    first_eval: EvalLine | None
    last_eval: EvalLine | None
    workers: int
    phones: int
    busy: int
    episodes: int  # finished
    episodes_per_minute: float | None
    counters: Counters | None
    seconds_left: float | None
    doing: str

    @property
    def share(self) -> float:
        return min(1.0, self.step / self.total_steps)


@dataclass
class Watch:
    """Turns what is read now and then into rates. Times are monotonic seconds, passed in."""

    name: str
    total_steps: int
    _finished: deque[tuple[float, int]] = field(default_factory=deque)
    _steps: deque[tuple[float, int]] = field(default_factory=deque)

    def look(
        self, now: float, progress: Progress, beats: list[Heartbeat], counters: Counters | None, doing: str = ""
    ) -> Snapshot:
        step = progress.steps[-1].step if progress.steps else 0
        phases = [str(beat.detail["phase"]) for beat in beats if beat.role == "learner" and "phase" in beat.detail]
        workers = [beat for beat in beats if beat.role == "worker"]
        finished = counters.trained + counters.pending + counters.depth if counters is not None else 0
        if counters is not None:
            self._finished.append((now, finished))
            while now - self._finished[0][0] > WINDOW:
                self._finished.popleft()
        if not self._steps or self._steps[-1][1] != step:
            self._steps.append((now, step))
            while len(self._steps) > 6:
                self._steps.popleft()
        return Snapshot(
            name=self.name,
            total_steps=self.total_steps,
            step=step,
            last=progress.steps[-1] if progress.steps else None,
            first_eval=progress.evaluations[0] if progress.evaluations else None,
            last_eval=progress.evaluations[-1] if progress.evaluations else None,
            workers=len(workers),
            phones=sum(int(beat.detail.get("phones", 0)) for beat in workers),
            busy=sum(int(beat.detail.get("busy", 0)) for beat in workers),
            episodes=finished,
            episodes_per_minute=self._rate(),
            counters=counters,
            seconds_left=self._left(now, step, progress.steps[-1] if progress.steps else None),
            doing=phases[0] if phases and doing == LIVE else doing,
        )

    def _rate(self) -> float | None:
        if not self._finished or self._finished[-1][0] - self._finished[0][0] < 5.0:
            return None
        (began, first), (ended, last) = self._finished[0], self._finished[-1]
        return max(0, last - first) * 60.0 / (ended - began)

    def _left(self, now: float, step: int, last: StepLine | None) -> float | None:
        """By the last steps seen; before two are, by what the learner says of its last one."""
        if step >= self.total_steps:
            return 0.0
        per_step = last.seconds if last is not None else None
        if len(self._steps) >= 2 and self._steps[0][1] < step:
            seen = list(self._steps)
            start = 1 if len(seen) > 2 else 0  # the first may hold start-up
            (began, first), (ended, latest) = seen[start], seen[-1]
            if latest > first:
                per_step = (ended - began) / (latest - first)
        if per_step is None:
            return None
        return max(0.0, per_step * (self.total_steps - step) - (now - self._steps[-1][0]))
