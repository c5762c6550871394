"""`spec.workers`: the phones."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, model_validator

from mobilegym.run.base import Image, Int, Part, Seconds, SpecError, Text
from mobilegym.run.pod import Placement, PodPatch, Resources, Sandbox

Count = Annotated[Int, Field(ge=0, le=1000)]


class WorkersSpec(Part):
    """`replicas` processes of `phones_per_worker` phones each. `min` and `max` bound scaling on a cluster."""

    replicas: Count = 1
    min: Count | None = None
    max: Count | None = None
    phones_per_worker: Annotated[Int, Field(ge=1, le=256)] = 8
    browsers_per_worker: Annotated[Int, Field(ge=1, le=64)] = 1
    episodes_per_browser: Annotated[Int, Field(ge=1, le=100_000)] = Field(
        default=200, description="episodes after which a browser is replaced"
    )
    step_deadline_seconds: Seconds = 60.0
    episode_deadline_seconds: Seconds = 600.0
    drain_seconds: Seconds = 30.0
    startup_deadline_seconds: Seconds = Field(
        default=600.0, description="on a cluster: a worker that is not ready by then is told in the conditions"
    )
    image: Image | None = Field(default=None, description="on a cluster: the operator's default where absent")
    resources: Resources = Resources()
    placement: Placement = Placement()
    pod: PodPatch = PodPatch()
    sandbox: Sandbox = Sandbox.USER_NAMESPACE
    runtime_class_name: Text | None = None

    @model_validator(mode="after")
    def _agrees(self) -> WorkersSpec:
        if self.min is not None and self.max is not None and self.min > self.max:
            raise SpecError("min", f"got {self.min}, must be <= max ({self.max})")
        if self.min is not None and self.replicas < self.min:
            raise SpecError("replicas", f"got {self.replicas}, must be >= min ({self.min})")
        if self.max is not None and self.replicas > self.max:
            raise SpecError("replicas", f"got {self.replicas}, must be <= max ({self.max})")
        if self.sandbox is Sandbox.RUNTIME_CLASS and self.runtime_class_name is None:
            raise SpecError("runtimeClassName", "must be given with sandbox RuntimeClass, for example gvisor")
        if self.browsers_per_worker > self.phones_per_worker:
            what = f"got {self.browsers_per_worker}, must be <= phonesPerWorker ({self.phones_per_worker})"
            raise SpecError("browsersPerWorker", what)
        if self.step_deadline_seconds > self.episode_deadline_seconds:
            what = f"must be <= episodeDeadlineSeconds ({self.episode_deadline_seconds:g})"
            raise SpecError("stepDeadlineSeconds", f"got {self.step_deadline_seconds:g}, {what}")
        return self

    @property
    def phones(self) -> int:
        return self.replicas * self.phones_per_worker
