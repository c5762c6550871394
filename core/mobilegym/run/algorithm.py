"""`spec.algorithm`: how the policy learns."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from pydantic import Field

from mobilegym.run.base import Fraction, Int, Part


class Loss(StrEnum):
    GRPO = "grpo"
    DAPO = "dapo"
    DR_GRPO = "dr_grpo"
    GSPO = "gspo"
    CISPO = "cispo"


class Reward(StrEnum):
    PAPER = "paper"
    STRICT = "strict"
    BINARY = "binary"


class AlgorithmSpec(Part):
    """A step trains on `prompts_per_step` groups of `group_size` episodes, in `updates_per_step` optimizer steps."""

    loss: Loss = Loss.GRPO
    total_steps: Annotated[Int, Field(ge=1, le=1_000_000)] = 100
    group_size: Annotated[Int, Field(ge=2, le=256)] = 8
    prompts_per_step: Annotated[Int, Field(ge=1, le=4096)] = 12
    updates_per_step: Annotated[Int, Field(ge=1, le=16)] = 1
    staleness: Annotated[Int, Field(ge=0, le=16)] = Field(
        default=1, description="policy versions that an episode may lag behind; 0 is synchronous"
    )
    learning_rate: Annotated[Fraction, Field(gt=0, lt=1)] = 1e-6
    kl_coefficient: Annotated[Fraction, Field(ge=0, le=10)] = 0.0
    clip_low: Annotated[Fraction, Field(gt=0, lt=1)] = 0.2
    clip_high: Annotated[Fraction, Field(gt=0, le=10)] = 0.28
    temperature: Annotated[Fraction, Field(gt=0, le=5)] = 1.0
    entropy_coefficient: Annotated[Fraction, Field(ge=0, le=1)] = 0.0
    episode_steps: Annotated[Int, Field(ge=1, le=1000)] | None = Field(
        default=None, description="cap on an episode's steps; the template's own budget where absent or smaller"
    )
    max_tokens: Annotated[Int, Field(ge=1, le=8192)] = Field(default=64, description="sampled tokens a step")
    reward: Reward = Reward.STRICT
    train_vision: bool = True
    shuffle_advantages: bool = Field(
        default=False, description="control experiment: advantages are shuffled over the batch, so nothing is learnt"
    )
    eval_every: Annotated[Int, Field(ge=0, le=100_000)] = Field(
        default=5, description="steps between evaluations; 0: only before the first and after the last step"
    )
    eval_episodes: Annotated[Int, Field(ge=1, le=10_000)] = 64
    seed: Annotated[Int, Field(ge=0, le=2**31 - 1)] = 0

    @property
    def episodes_per_step(self) -> int:
        return self.group_size * self.prompts_per_step
