"""What the objects of one run are made from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from mobilegym.operator.settings import Settings
from mobilegym.run.manifest import MobileGymRun, RunSpec


@dataclass(frozen=True, kw_only=True)
class Context:
    """`redis_urls` are by role (worker, learner): what the run's own Secret says, else the operator's. None: not
    known yet, and then no Secret is made."""

    run: MobileGymRun
    uid: str
    namespace: str
    settings: Settings
    redis_urls: Mapping[str, str] | None = None

    @property
    def name(self) -> str:
        return self.run.name

    @property
    def spec(self) -> RunSpec:
        return self.run.spec
