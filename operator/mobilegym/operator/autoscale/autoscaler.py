"""How many workers each run should have, asked again and again."""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Hashable, Sequence

from mobilegym.operator.autoscale.decision import NEVER, Bounds, Decision, Fleet, Reason, decide, starving
from mobilegym.operator.autoscale.memory import Memory
from mobilegym.operator.autoscale.sample import Sample
from mobilegym.operator.autoscale.window import CALM_STEPS, STEPS, Window, measure
from mobilegym.operator.observed import Advice, Numbers, Pod
from mobilegym.run.manifest import RunSpec

RUNS = 10_000  # remembered; the one not asked about for longest is forgotten first


class Autoscaler:
    """`advise` is all that a reconcile needs: it observes and recommends. `forget` a run that is gone.

    A run is known by a key of its own, for example its uid.
    """

    def __init__(self) -> None:
        self._runs: OrderedDict[Hashable, Memory] = OrderedDict()

    def __len__(self) -> int:
        return len(self._runs)

    def forget(self, key: Hashable) -> None:
        self._runs.pop(key, None)

    def advise(
        self, key: Hashable, spec: RunSpec, *, numbers: Numbers | None, pods: Sequence[Pod], now: float
    ) -> Advice:
        """`spec` as it stands, with the replicas asked for now. Without autoscaling no replicas are advised."""
        sample = Sample.of(numbers, pods, spec)
        if sample is not None:
            self.observe(key, sample, spec, pods)
        found = self.recommend(key, spec, now=now)
        seen = self.window(key, spec)
        waits = seen.wait if seen.whole else None
        return Advice(
            replicas=found.replicas if spec.autoscaling.enabled else None,
            reason=found.reason,
            words=found.words,
            starved=waits > spec.autoscaling.target_wait if waits is not None else None,
            starved_words=starving(seen, spec.autoscaling) if waits is not None else "",
            trajectories_per_minute=60 * seen.production if seen.production is not None else None,
        )

    def observe(self, key: Hashable, sample: Sample, spec: RunSpec, pods: Sequence[Pod] = ()) -> None:
        """`pods` tell how long a worker takes to start."""
        self._memory(key).take(sample, pods, spec.autoscaling.window_seconds)

    def window(self, key: Hashable, spec: RunSpec) -> Window:
        """The up window, changes of the fleet in it or not."""
        samples, episodes = self._memory(key).history.samples, spec.algorithm.episodes_per_step
        return measure(samples, spec.autoscaling.window_seconds, episodes, since=-NEVER, least=STEPS)

    def recommend(self, key: Hashable, spec: RunSpec, *, now: float) -> Decision:
        """Repeated at the same time with the same spec, it says the same."""
        memory, scaling, current = self._memory(key), spec.autoscaling, spec.workers.replicas
        if not scaling.enabled:
            return decide(scaling, bounds_of(spec), current, Window(), Window(), Fleet())
        memory.follow(current, now)
        samples, since, episodes = memory.history.samples, memory.settled, spec.algorithm.episodes_per_step
        up = measure(samples, scaling.window_seconds, episodes, since=since, least=STEPS)
        down = measure(samples, scaling.down_window_seconds, episodes, since=since, least=CALM_STEPS)
        memory.learn(up, scaling.target_wait, now)
        found = decide(scaling, bounds_of(spec), current, up, down, memory.fleet(spec, now))
        if found.reason is Reason.LEARNER_GONE and memory.remembered is None and found.replicas < current:
            memory.remembered = current
        memory.asked = found.replicas
        return found

    def _memory(self, key: Hashable) -> Memory:
        memory = self._runs.setdefault(key, Memory())
        self._runs.move_to_end(key)
        while len(self._runs) > RUNS:
            self._runs.popitem(last=False)
        return memory


def bounds_of(spec: RunSpec) -> Bounds:
    """Without a min or a max, what is asked for."""
    workers, algorithm = spec.workers, spec.algorithm
    open_ = algorithm.episodes_per_step * (algorithm.staleness + 1)
    return Bounds(
        min=workers.min if workers.min is not None else workers.replicas,
        max=workers.max if workers.max is not None else workers.replicas,
        useful=math.ceil(open_ / workers.phones_per_worker),
    )
