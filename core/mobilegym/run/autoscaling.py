"""`spec.autoscaling`: how many workers a learner needs so that it does not starve."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, model_validator

from mobilegym.run.base import Fraction, Int, Part, SpecError

Share = Annotated[Fraction, Field(gt=0, lt=1)]


class AutoscalingSpec(Part):
    """Workers between `workers.min` and `workers.max`, by what the learner waits for."""

    enabled: bool = Field(
        default=False, description="the operator sets workers.replicas; needs workers.min and workers.max"
    )
    target_wait: Share = Field(default=0.1, description="share of its time that the learner may wait for trajectories")
    idle_wait: Share = Field(default=0.02, description="below this share there are workers to spare")
    low_buffer: Annotated[Fraction, Field(gt=0, le=100)] = Field(
        default=0.5, description="learner steps' worth of unread trajectories under which more workers help"
    )
    high_buffer: Annotated[Fraction, Field(gt=0, le=100)] = Field(
        default=2.0, description="learner steps' worth of unread trajectories over which fewer workers do"
    )
    stale: Share = Field(default=0.05, description="share of stale trajectories over which fewer workers do")
    window_seconds: Annotated[Int, Field(ge=10, le=3600)] = Field(default=60, description="averaged over, to go up")
    down_window_seconds: Annotated[Int, Field(ge=10, le=86_400)] = Field(
        default=300, description="that there must be workers to spare for, to go down"
    )

    @model_validator(mode="after")
    def _agrees(self) -> AutoscalingSpec:
        if self.low_buffer >= self.high_buffer:
            raise SpecError("lowBuffer", f"got {self.low_buffer:g}, must be < highBuffer ({self.high_buffer:g})")
        if self.idle_wait >= self.target_wait:
            raise SpecError("idleWait", f"got {self.idle_wait:g}, must be < targetWait ({self.target_wait:g})")
        return self
