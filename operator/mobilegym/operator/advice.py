"""The autoscaler's word on a run, where it has one."""

from __future__ import annotations

from mobilegym.operator.autoscale.autoscaler import Autoscaler
from mobilegym.operator.observed import Advice, Observed
from mobilegym.operator.view import view


class Adviser:
    def __init__(self) -> None:
        self._autoscaler = Autoscaler()

    def __call__(self, observed: Observed) -> Advice:
        seen = view(observed.run)
        if seen.run is None or seen.deleting or (seen.phase is not None and seen.phase.finished):
            return Advice()
        return self._autoscaler.advise(
            seen.uid, seen.spec, numbers=observed.numbers, pods=observed.pods, now=observed.now
        )

    def forget(self, uid: str) -> None:
        self._autoscaler.forget(uid)
