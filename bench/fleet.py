"""A learner and its phones, as events: issues and collects as the real learner does, and asks the real autoscaler.

Left out: the engine (an episode's length does not depend on how many are played), failures of episodes, evaluations.
"""

from __future__ import annotations

import heapq
import math
import random
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from mobilegym.operator.autoscale.autoscaler import Autoscaler
from mobilegym.operator.autoscale.sample import UNSCHEDULABLE
from mobilegym.operator.observed import Numbers, Pod
from mobilegym.protocol.messages import Heartbeat
from mobilegym.protocol.streams.base import Counters
from mobilegym.run.load import validate_run
from mobilegym.run.manifest import RunSpec

PHONES = 2  # of a worker
LOOK_SECONDS = 10.0  # between two reconciles
RESTART_SECONDS = 20.0  # of a learner, loading
DRAIN_SECONDS = 30.0


def run_spec(replicas: int, low: int, high: int, *, enabled: bool = True, **algorithm: int) -> RunSpec:
    """The paper's shape: 12 groups of 8, small workers."""
    spec = {
        "model": {"preset": "pocket"},
        "algorithm": algorithm,
        "workers": {"replicas": replicas, "min": low, "max": high, "phonesPerWorker": PHONES},
        "autoscaling": {"enabled": enabled},
    }
    manifest = {
        "apiVersion": "mobilegym.io/v1alpha1",
        "kind": "MobileGymRun",
        "metadata": {"name": "sim"},
        "spec": spec,
    }
    return validate_run(manifest, "sim").spec


@dataclass(kw_only=True)
class Conditions:
    """What the world is like; a trace changes it on the way. Seconds."""

    train: float = 240.0
    save: float = 3.0  # a checkpoint, every step
    episode: float = 45.0  # mean
    spread: float = 0.4  # sigma of the log
    start: float = 40.0  # of a pod, mean
    nodes: int = 1000  # pods that find a node
    engine: float = math.inf  # episodes that the engine serves at full speed


@dataclass(kw_only=True)
class Worker:
    uid: str
    created: float
    ready_at: float | None = None
    busy: int = 0
    draining: bool = False


@dataclass(kw_only=True)
class Point:
    """One look: for the figures."""

    at: float
    replicas: int
    ready: int
    idle_phones: int
    wait: float  # seconds that the learner has waited so far
    reason: str


@dataclass(kw_only=True)
class Simulation:
    """Times are seconds from the start. `trace` says what changes when."""

    spec: RunSpec
    conditions: Conditions
    seed: int
    trace: Iterable[tuple[float, Change]] = ()
    autoscaler: Autoscaler = field(default_factory=Autoscaler)
    points: list[Point] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.now = 0.0
        self.random = random.Random(self.seed)
        self.events: list[tuple[float, int, Callable[[], None]]] = []
        self.order = self.made = 0
        self.replicas = self.spec.workers.replicas
        self.workers: list[Worker] = []
        self.queue: deque[int] = deque()  # batch of each episode that nobody plays
        self.stream: deque[int] = deque()  # batch of each unread trajectory
        self.blocked: deque[tuple[Worker, int]] = deque()  # played, and the stream is full
        self.held: dict[int, int] = {}  # read trajectories by batch
        self.playing = self.issued = self.produced = self.step = self.trained = 0
        self.phase, self.phase_since = "collecting", 0.0
        self.waited = self.waited_before = 0.0
        self.life = 0  # of the learner, so that events of an earlier one are dropped

    # -- events --

    def at(self, when: float, what: Callable[[], None]) -> None:
        self.order += 1
        heapq.heappush(self.events, (when, self.order, what))

    def run(self, until: float) -> list[Point]:
        for when, change in self.trace:
            self.at(when, lambda change=change: change(self))  # type: ignore[misc]
        self._resize()
        self._collect()
        self._look()
        while self.events and self.events[0][0] <= until:
            self.now, _, what = heapq.heappop(self.events)
            what()
        return self.points

    # -- learner --

    def _collect(self) -> None:
        self._enter("collecting")
        episodes = self.spec.algorithm.episodes_per_step
        while self.issued <= self.step + self.spec.algorithm.staleness:
            self.queue.extend([self.issued] * episodes)
            self.issued += 1
        self._work()
        self._read()

    def _read(self) -> None:
        while self.stream and self.phase == "collecting":
            batch = self.stream.popleft()
            self.held[batch] = self.held.get(batch, 0) + 1
            self._push()
        if self.phase == "collecting" and self.held.get(self.step, 0) >= self.spec.algorithm.episodes_per_step:
            self._enter("training")
            self._later(self.conditions.train, self._trained)

    def _trained(self) -> None:
        self.trained += self.held.pop(self.step)
        self.step += 1
        self._enter("checkpointing")
        self._later(self.conditions.save, self._collect)

    def _later(self, seconds: float, what: Callable[[], None]) -> None:
        life = self.life
        self.at(self.now + seconds, lambda: what() if life == self.life else None)

    def _enter(self, phase: str) -> None:
        if self.phase == "collecting":
            self.waited += self.now - self.phase_since
        self.phase, self.phase_since = phase, self.now

    def stop_learner(self, seconds: float) -> None:
        """Killed; it is back after so long, loads, and goes on with the step it was in."""
        self.life += 1
        self._enter("down")
        self._later(seconds, self._load)

    def _load(self) -> None:
        self._enter("starting")
        self.waited_before = self.waited
        self._later(RESTART_SECONDS, self._collect)

    # -- phones --

    def _resize(self) -> None:
        alive = [w for w in self.workers if not w.draining]
        for worker in sorted(alive, key=lambda w: (w.ready_at is not None, w.busy))[
            : max(0, len(alive) - self.replicas)
        ]:
            worker.draining = True
            self.at(self.now + DRAIN_SECONDS, self._sweep)
        for _ in range(self.replicas - len(alive)):
            self.made += 1
            self.workers.append(Worker(uid=f"w{self.made}", created=self.now))
        self._sweep()

    def _sweep(self) -> None:
        """Drained workers go; pods find nodes."""
        gone = [w for w in self.workers if w.draining and (not w.busy or w.ready_at is None)]
        self.workers = [w for w in self.workers if w not in gone]
        for worker in self.workers[: self.conditions.nodes]:
            if worker.ready_at is None:
                worker.ready_at = self.now + self.conditions.start * self.random.uniform(0.7, 1.5)
                self.at(worker.ready_at, self._work)

    def _ready(self) -> list[Worker]:
        return [w for w in self.workers if w.ready_at is not None and w.ready_at <= self.now]

    def _work(self) -> None:
        for worker in self._ready():
            while self.queue and not worker.draining and worker.busy < self.spec.workers.phones_per_worker:
                self._play(worker, self.queue.popleft())

    def _play(self, worker: Worker, batch: int) -> None:
        c = self.conditions
        worker.busy += 1
        self.playing += 1
        median = c.episode / math.exp(c.spread**2 / 2)
        slow = max(1.0, self.playing / c.engine)
        self.at(self.now + slow * median * self.random.lognormvariate(0, c.spread), lambda: self._played(worker, batch))

    def _played(self, worker: Worker, batch: int) -> None:
        self.blocked.append((worker, batch))
        self._push()
        self._read()

    def _push(self) -> None:
        while self.blocked and len(self.stream) < self.spec.stream.capacity:
            worker, batch = self.blocked.popleft()
            worker.busy -= 1
            self.playing -= 1
            self.produced += 1
            self.stream.append(batch)
        self._sweep()
        self._work()

    # -- the operator --

    def _look(self) -> None:
        spec = self.spec.model_copy(
            update={"workers": self.spec.workers.model_copy(update={"replicas": self.replicas})}
        )
        advice = None
        if self.spec.autoscaling.enabled:
            advice = self.autoscaler.advise("run", spec, numbers=self.numbers(), pods=self.pods(), now=self.now)
        ready = self._ready()
        idle = sum(self.spec.workers.phones_per_worker - w.busy for w in ready)
        self.points.append(
            Point(
                at=self.now,
                replicas=self.replicas,
                ready=len(ready),
                idle_phones=idle,
                wait=self._waits(),
                reason=advice.reason if advice else "",
            )
        )
        if advice is not None and advice.replicas is not None and advice.replicas != self.replicas:
            self.replicas = advice.replicas
            self._resize()
        self.at(self.now + LOOK_SECONDS, self._look)

    def _waits(self) -> float:
        """Seconds that the learner has waited, now included."""
        return self.waited + (self.now - self.phase_since if self.phase == "collecting" else 0.0)

    def numbers(self) -> Numbers:
        told = {
            "phase": self.phase,
            "step": self.step,
            "rollout_seconds": self._waits() - self.waited_before,
            "trajectories": self.trained,
            "stale": 0,
        }
        alive = self.phase != "down"
        return Numbers(
            at=self.now,
            counters=Counters(
                issued=self.issued * self.spec.algorithm.episodes_per_step,
                waiting=len(self.queue),
                leased=self.playing,
                depth=len(self.stream),
                pending=sum(self.held.values()),
                trained=self.trained,
                discarded=0,
                dead=0,
            ),
            learner=Heartbeat(who="learner", role="learner", at=self.now, detail=told) if alive else None,
            workers={
                w.uid: Heartbeat(who=w.uid, role="worker", at=self.now, detail={"busy": w.busy}) for w in self._ready()
            },
        )

    def pods(self) -> list[Pod]:
        return [
            Pod(
                name=w.uid,
                uid=w.uid,
                part="worker",
                phase="Running" if w.ready_at is not None else "Pending",
                ready=w.ready_at is not None and w.ready_at <= self.now,
                terminating=w.draining,
                created=w.created,
                waiting="" if w.ready_at is not None else UNSCHEDULABLE,
            )
            for w in self.workers
        ]


Change = Callable[[Simulation], None]
