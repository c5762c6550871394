"""Which workers to make and which to let go."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import count

from mobilegym.operator import names
from mobilegym.operator.observed import Pod
from mobilegym.operator.plan import Ref
from mobilegym.protocol.messages import Heartbeat

ROLL_SHARE = 0.1  # of the fleet replaced at a time when the manifest has changed
LOST_SECONDS = 30.0  # that a pod of a silent node is given beyond its grace


@dataclass(frozen=True, kw_only=True, slots=True)
class Fleet:
    """`make` are indices, `drain` pods that get SIGTERM and their grace, `drop` pods that only stand in the way."""

    make: tuple[int, ...] = ()
    drain: tuple[Pod, ...] = ()
    drop: tuple[Pod, ...] = ()

    @property
    def deletions(self) -> tuple[Ref, ...]:
        forced = tuple(ref(pod, grace=0) for pod in self.drop if pod.terminating)
        return (*(ref(pod) for pod in self.drain), *(ref(pod) for pod in self.drop if not pod.terminating), *forced)


def ref(pod: Pod, grace: int | None = None) -> Ref:
    return Ref(kind="Pod", name=pod.name, uid=pod.uid, grace=grace)


def workers(pods: Iterable[Pod]) -> list[Pod]:
    return [pod for pod in pods if pod.part == names.WORKER]


def fleet(
    pods: Sequence[Pod], desired: int, hash: str, beats: Mapping[str, Heartbeat], now: float, *, clean: bool = True
) -> Fleet:
    """From the worker pods there are to `desired` of them.

    A name is taken as long as its pod is there, a terminating one included: the next free index is used. Without
    `clean`, pods that ended by themselves are kept for their logs.
    """
    alive = [pod for pod in pods if pod.alive]
    ended = [pod for pod in pods if pod.ended and not pod.terminating] if clean else []
    lost = [pod for pod in pods if pod.terminating and is_lost(pod, now)]
    surplus = victims(alive, len(alive) - desired, beats)
    going = {pod.uid for pod in surplus}
    staying = [pod for pod in alive if pod.uid not in going]
    return Fleet(
        make=free_indices({pod.index for pod in pods if pod.index is not None}, desired - len(alive)),
        drain=(*surplus, *outdated(staying, desired, hash, beats)),
        drop=(*ended, *lost),
    )


def is_lost(pod: Pod, now: float) -> bool:
    """Its node is silent and its grace long over: nobody will ever report its end."""
    return pod.node_lost and pod.deadline is not None and now > pod.deadline + LOST_SECONDS


def free_indices(taken: set[int], wanted: int) -> tuple[int, ...]:
    free = (index for index in count() if index not in taken)
    return tuple(next(free) for _ in range(max(0, wanted)))


def victims(alive: Sequence[Pod], surplus: int, beats: Mapping[str, Heartbeat]) -> list[Pod]:
    """Those whose end costs least: unscheduled, then starting, then idle, then with the fewest phones at work."""
    if surplus <= 0:
        return []
    return sorted(alive, key=lambda pod: cost(pod, beats))[:surplus]


def cost(pod: Pod, beats: Mapping[str, Heartbeat]) -> tuple[int, int, int]:
    """Sorts by what is lost when the pod goes; of equals, the last made goes first."""
    index = -(pod.index or 0)
    if not pod.scheduled:
        return (0, 0, index)
    if not pod.ready:
        return (1, 0, index)
    return (2, busy(beats.get(pod.name)), index)


def busy(beat: Heartbeat | None) -> int:
    """Phones that play an episode now."""
    return int(beat.detail.get("busy", 0)) if beat is not None else 0


def outdated(staying: Sequence[Pod], desired: int, hash: str, beats: Mapping[str, Heartbeat]) -> list[Pod]:
    """Workers of an older manifest that may go now: a tenth of the fleet at a time, idle ones first."""
    old = [pod for pod in staying if pod.hash != hash]
    away = desired - sum(1 for pod in staying if pod.ready)
    room = max(1, math.floor(desired * ROLL_SHARE)) - max(0, away)
    unready = [pod for pod in old if not pod.ready]  # replacing these costs nothing
    ready = sorted((pod for pod in old if pod.ready), key=lambda pod: cost(pod, beats))
    return [*unready, *ready[: max(0, room)]]
