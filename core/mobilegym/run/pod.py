"""What a part of the run asks of its pods on a cluster. Without meaning on one machine."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field, model_validator

from mobilegym.run.base import MAX_ITEMS, Name, Part, Quantity, SpecError, Text

Words = Annotated[dict[Text, Annotated[str, Field(max_length=1024)]], Field(max_length=MAX_ITEMS)]
Amounts = Annotated[dict[Text, Quantity], Field(max_length=16)]


class Resources(Part):
    """As Kubernetes writes them. What is not given is computed from the number of phones or GPUs."""

    requests: Amounts = Field(default_factory=dict, description="by resource name: cpu, memory, ephemeral-storage")
    limits: Amounts = Field(default_factory=dict, description="by resource name")


class Toleration(Part):
    key: Text | None = None
    operator: Literal["Exists", "Equal"] = "Exists"
    value: Annotated[str, Field(max_length=63)] | None = None
    effect: Literal["NoSchedule", "PreferNoSchedule", "NoExecute"] | None = None

    @model_validator(mode="after")
    def _agrees(self) -> Toleration:
        if self.operator == "Exists" and self.value is not None:
            raise SpecError("value", "must be left out with operator Exists")
        return self


class Placement(Part):
    node_selector: Words = Field(default_factory=dict, description="labels that the node must have")
    tolerations: Annotated[tuple[Toleration, ...], Field(max_length=16)] = ()


class EnvVar(Part):
    name: Annotated[str, Field(min_length=1, max_length=128, pattern=r"^[A-Za-z_][A-Za-z0-9_]*$")]
    value: Annotated[str, Field(max_length=4096)] = ""


class PodPatch(Part):
    """The few things of a pod that a user may add to."""

    labels: Words = Field(default_factory=dict)
    annotations: Words = Field(default_factory=dict)
    env: Annotated[tuple[EnvVar, ...], Field(max_length=MAX_ITEMS)] = ()
    image_pull_secrets: Annotated[tuple[Name, ...], Field(max_length=8)] = ()


class Sandbox(StrEnum):
    """How Chromium's own sandbox is kept while the pod stays restricted."""

    USER_NAMESPACE = "UserNamespace"  # a Localhost seccomp profile that lets user namespaces through
    RUNTIME_CLASS = "RuntimeClass"  # gVisor or Kata isolate the pod; Chromium runs without its own
    DISABLED = "Disabled"  # no isolation of the browser but the container's
