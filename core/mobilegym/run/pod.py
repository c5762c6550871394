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
    """As Kubernetes writes it."""

    key: Text | None = Field(default=None, description="of the taint; absent, with operator Exists: every taint")
    operator: Literal["Exists", "Equal"] = Field(default="Exists", description="Exists, or Equal to `value`")
    value: Annotated[str, Field(max_length=63)] | None = Field(default=None, description="of the taint")
    effect: Literal["NoSchedule", "PreferNoSchedule", "NoExecute"] | None = Field(
        default=None, description="of the taint; absent: any"
    )

    @model_validator(mode="after")
    def _agrees(self) -> Toleration:
        if self.operator == "Exists" and self.value is not None:
            raise SpecError("value", "must be left out with operator Exists")
        if self.operator == "Equal" and self.key is None:
            raise SpecError("key", "must be given with operator Equal")
        return self


class Placement(Part):
    """Which nodes a pod may run on."""

    node_selector: Words = Field(default_factory=dict, description="labels that the node must have")
    tolerations: Annotated[tuple[Toleration, ...], Field(max_length=16)] = Field(
        default=(), description="taints of nodes that the pod may run on nevertheless"
    )


class EnvVar(Part):
    """A variable with a plain value; secrets go by `blobs.secret` and `stream.redisSecret`."""

    name: Annotated[str, Field(min_length=1, max_length=128, pattern=r"^[A-Za-z_][A-Za-z0-9_]*$")] = Field(
        description="of the variable"
    )
    value: Annotated[str, Field(max_length=4096)] = Field(default="", description="of the variable")


class PodPatch(Part):
    """The few things of a pod that a user may add to."""

    labels: Words = Field(default_factory=dict, description="added to the pod's own")
    annotations: Words = Field(default_factory=dict, description="added to the pod's own")
    env: Annotated[tuple[EnvVar, ...], Field(max_length=MAX_ITEMS)] = Field(
        default=(), description="variables added to the container's own"
    )
    image_pull_secrets: Annotated[tuple[Name, ...], Field(max_length=8)] = Field(
        default=(), description="names of Secrets with registry credentials"
    )


class Sandbox(StrEnum):
    """How Chromium's own sandbox is kept while the pod stays restricted."""

    USER_NAMESPACE = "UserNamespace"  # a Localhost seccomp profile that lets user namespaces through
    RUNTIME_CLASS = "RuntimeClass"  # gVisor or Kata isolate the pod; Chromium runs without its own
    DISABLED = "Disabled"  # no isolation of the browser but the container's
