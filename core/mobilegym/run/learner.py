"""`spec.learner`: the processes that train."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from pydantic import Field, model_validator

from mobilegym.run.base import Image, Int, Name, Part, Quantity, Seconds, SpecError, Text, Texts
from mobilegym.run.pod import Placement, PodPatch, Resources

RTX_PRO_6000 = (
    "NVIDIA-RTX-PRO-6000-Blackwell-Server-Edition",
    "NVIDIA-RTX-PRO-6000-Blackwell-Workstation-Edition",
    "NVIDIA-RTX-PRO-6000-Blackwell-Max-Q-Workstation-Edition",
)


class Layout(StrEnum):
    COLOCATED = "colocated"  # every GPU trains and serves
    SPLIT = "split"  # the last GPU serves, the others train; without GPUs, the engine gets a container of its own


DEFAULT_SIZE = "20Gi"  # of a checkpoint claim


class CheckpointSpec(Part):
    """On a cluster, at most one of `claim`, `size` and `ephemeral`; with none, a claim of the run's own of 20Gi."""

    interval: Annotated[Int, Field(ge=1, le=100_000)] = Field(default=1, description="steps between checkpoints")
    keep_last: Annotated[Int, Field(ge=1, le=1000)] = Field(default=2, description="complete checkpoints that are kept")
    directory: Text | None = Field(default=None, description="`checkpoints` in the run's folder where absent")
    claim: Name | None = Field(default=None, description="on a cluster: an existing PersistentVolumeClaim")
    size: Quantity | None = Field(default=None, description="on a cluster: a claim of the run's own, of this size")
    storage_class_name: Text | None = Field(default=None, description="of that claim")
    ephemeral: bool = Field(default=False, description="on a cluster: in the pod only; lost with it")

    @model_validator(mode="after")
    def _one_volume(self) -> CheckpointSpec:
        forms = [n for n, given in (("claim", self.claim), ("size", self.size), ("ephemeral", self.ephemeral)) if given]
        if len(forms) > 1:
            raise SpecError(forms[1], f"give one volume for checkpoints: {' or '.join(forms)}")
        if self.storage_class_name is not None and (self.claim is not None or self.ephemeral):
            raise SpecError("storageClassName", "is for a claim of the run's own: give size, not claim or ephemeral")
        return self


class LearnerSpec(Part):
    """`gpus` of 0 trains on the CPU with `ranks` processes."""

    gpus: Annotated[Int, Field(ge=0, le=64)] = Field(default=0, description="GPUs of one node; 0 trains on the CPU")
    gpu_products: Texts = Field(
        default=RTX_PRO_6000, description="on a cluster: nodes labelled nvidia.com/gpu.product with one of these"
    )
    ranks: Annotated[Int, Field(ge=1, le=64)] = Field(
        default=1, description="training processes without GPUs; with GPUs there is one each"
    )
    layout: Layout = Field(
        default=Layout.COLOCATED,
        description="colocated: every GPU trains and serves; split: the last GPU serves and the others train",
    )
    micro_batch_rows: Annotated[Int, Field(ge=1, le=4096)] | None = Field(
        default=None, description="agent steps in a forward pass"
    )
    micro_batch_tokens: Annotated[Int, Field(ge=64, le=10_000_000)] | None = Field(
        default=None, description="tokens in a forward pass; an alternative to microBatchRows"
    )
    checkpoint: CheckpointSpec = Field(default=CheckpointSpec(), description="what a run can go on from")
    resume: bool = Field(default=True, description="continue from the newest complete checkpoint, if there is one")
    backoff_limit: Annotated[Int, Field(ge=0, le=1000)] = Field(
        default=3, description="failures after which the run fails; preemptions do not count"
    )
    startup_deadline_seconds: Seconds = Field(
        default=1800.0, description="on a cluster: a learner that trains by then, or the run fails"
    )
    stall_seconds: Seconds = Field(
        default=1800.0, description="on a cluster: a learner silent for so long is killed and started again"
    )
    image: Image | None = Field(default=None, description="on a cluster: the operator's default where absent")
    shm: Quantity = Field(default="8Gi", description="on a cluster: size of /dev/shm")
    resources: Resources = Field(default=Resources(), description="of the pod, on a cluster")
    placement: Placement = Field(default=Placement(), description="of the pod, on a cluster")
    pod: PodPatch = Field(default=PodPatch(), description="what is added to the pod, on a cluster")
    runtime_class_name: Text | None = Field(
        default=None, description="on a cluster: RuntimeClass of the pod, for example nvidia"
    )

    @model_validator(mode="after")
    def _agrees(self) -> LearnerSpec:
        if self.gpus and self.ranks != 1:
            raise SpecError("ranks", f"got {self.ranks}, is for CPU runs: with {self.gpus} GPUs leave it out")
        if self.layout is Layout.SPLIT and self.gpus == 1:
            raise SpecError("layout", "got split, needs learner.gpus >= 2 (one serves), there is 1")
        if self.micro_batch_rows is not None and self.micro_batch_tokens is not None:
            raise SpecError("microBatchTokens", "give microBatchRows or microBatchTokens, not both")
        return self

    @property
    def world_size(self) -> int:
        """Training processes."""
        if not self.gpus:
            return self.ranks
        return self.gpus if self.layout is Layout.COLOCATED else self.gpus - 1

    @property
    def rows(self) -> int | None:
        """Rows in a micro-batch; None where tokens bound it."""
        if self.micro_batch_tokens is not None:
            return None
        return self.micro_batch_rows or (1 if self.gpus else 16)
