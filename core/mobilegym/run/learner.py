"""`spec.learner`: the processes that train."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from pydantic import Field, model_validator

from mobilegym.run.base import Int, Part, SpecError, Text, Texts

RTX_PRO_6000 = (
    "NVIDIA-RTX-PRO-6000-Blackwell-Server-Edition",
    "NVIDIA-RTX-PRO-6000-Blackwell-Workstation-Edition",
    "NVIDIA-RTX-PRO-6000-Blackwell-Max-Q-Workstation-Edition",
)


class Layout(StrEnum):
    COLOCATED = "colocated"  # every GPU trains and serves
    SPLIT = "split"  # the last GPU serves, the others train


class CheckpointSpec(Part):
    interval: Annotated[Int, Field(ge=1, le=100_000)] = Field(default=1, description="steps between checkpoints")
    keep_last: Annotated[Int, Field(ge=1, le=1000)] = 2
    directory: Text | None = Field(default=None, description="`checkpoints` in the run's folder where absent")


class LearnerSpec(Part):
    """`gpus` of 0 trains on the CPU with `ranks` processes."""

    gpus: Annotated[Int, Field(ge=0, le=64)] = 0
    gpu_products: Texts = RTX_PRO_6000
    ranks: Annotated[Int, Field(ge=1, le=64)] = 1
    layout: Layout = Layout.COLOCATED
    micro_batch_rows: Annotated[Int, Field(ge=1, le=4096)] | None = None
    micro_batch_tokens: Annotated[Int, Field(ge=64, le=10_000_000)] | None = None
    checkpoint: CheckpointSpec = CheckpointSpec()
    resume: bool = Field(default=True, description="continue from the newest complete checkpoint, if there is one")
    backoff_limit: Annotated[Int, Field(ge=0, le=1000)] = Field(
        default=3, description="failures after which the run fails; preemptions do not count"
    )

    @model_validator(mode="after")
    def _agrees(self) -> LearnerSpec:
        if self.gpus and self.ranks != 1:
            raise SpecError("ranks", f"got {self.ranks}, is for CPU runs: with {self.gpus} GPUs leave it out")
        if self.layout is Layout.SPLIT and self.gpus < 2:
            raise SpecError("layout", f"got split, needs learner.gpus >= 2 (one serves), there are {self.gpus}")
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
