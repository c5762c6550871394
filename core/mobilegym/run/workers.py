"""`spec.workers`: the phones."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, model_validator

from mobilegym.run.base import Image, Int, Part, Seconds, SpecError, Text
from mobilegym.run.pod import Placement, PodPatch, Resources, Sandbox

Count = Annotated[Int, Field(ge=0, le=1000)]


class WorkersSpec(Part):
    """`replicas` processes of `phones_per_worker` phones each. `min` and `max` bound scaling on a cluster."""

    replicas: Count = Field(default=1, description="worker processes, or pods; `kubectl scale` sets it")
    min: Count | None = Field(default=None, description="fewest replicas")
    max: Count | None = Field(default=None, description="most replicas")
    phones_per_worker: Annotated[Int, Field(ge=1, le=256)] = Field(
        default=8, description="episodes that one worker plays at once"
    )
    browsers_per_worker: Annotated[Int, Field(ge=1, le=64)] = Field(
        default=1, description="Chromium processes that share the phones"
    )
    episodes_per_browser: Annotated[Int, Field(ge=1, le=100_000)] = Field(
        default=200, description="episodes after which a browser is replaced"
    )
    step_deadline_seconds: Seconds = Field(
        default=60.0, description="for one step: screenshot, the model's answer, action"
    )
    episode_deadline_seconds: Seconds = Field(default=600.0, description="for one episode")
    drain_seconds: Seconds = Field(default=30.0, description="that a stopping worker may take to finish its episodes")
    startup_deadline_seconds: Seconds = Field(
        default=600.0, description="on a cluster: a worker that is not ready by then is told in the conditions"
    )
    image: Image | None = Field(default=None, description="on a cluster: the operator's default where absent")
    resources: Resources = Field(default=Resources(), description="of a pod, on a cluster")
    placement: Placement = Field(default=Placement(), description="of the pods, on a cluster")
    pod: PodPatch = Field(default=PodPatch(), description="what is added to the pods, on a cluster")
    sandbox: Sandbox = Field(
        default=Sandbox.USER_NAMESPACE,
        description="on a cluster: UserNamespace keeps Chromium's own and needs its seccomp profile on the node; "
        "RuntimeClass runs the pod under gVisor or Kata; Disabled leaves only the container",
    )
    runtime_class_name: Text | None = Field(
        default=None, description="on a cluster: RuntimeClass of the pods, for example gvisor"
    )

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
