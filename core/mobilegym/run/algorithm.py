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

    loss: Loss = Field(default=Loss.GRPO, description="loss family")
    total_steps: Annotated[Int, Field(ge=1, le=1_000_000)] = Field(
        default=100, description="training steps, after which the run is done"
    )
    group_size: Annotated[Int, Field(ge=2, le=256)] = Field(
        default=8, description="episodes of one task instance, compared with one another"
    )
    prompts_per_step: Annotated[Int, Field(ge=1, le=4096)] = Field(default=12, description="groups in a step")
    updates_per_step: Annotated[Int, Field(ge=1, le=16)] = Field(
        default=1, description="optimizer steps that the groups of a step are divided over"
    )
    staleness: Annotated[Int, Field(ge=0, le=16)] = Field(
        default=1, description="policy versions that an episode may lag behind; 0 is synchronous"
    )
    learning_rate: Annotated[Fraction, Field(gt=0, lt=1)] = Field(default=1e-6, description="of AdamW, constant")
    kl_coefficient: Annotated[Fraction, Field(ge=0, le=10)] = Field(
        default=0.0, description="weight of the divergence from the first weights; 0 needs no copy of them"
    )
    clip_low: Annotated[Fraction, Field(gt=0, lt=1)] = Field(
        default=0.2, description="the ratio of new to old policy counts down to 1 - clipLow"
    )
    clip_high: Annotated[Fraction, Field(gt=0, le=10)] = Field(
        default=0.28, description="the ratio of new to old policy counts up to 1 + clipHigh"
    )
    temperature: Annotated[Fraction, Field(gt=0, le=5)] = Field(
        default=1.0, description="of the sampler, and of the learner's log-probabilities"
    )
    entropy_coefficient: Annotated[Fraction, Field(ge=0, le=1)] = Field(
        default=0.0, description="weight of the entropy bonus"
    )
    episode_steps: Annotated[Int, Field(ge=1, le=1000)] | None = Field(
        default=None, description="cap on an episode's steps; the template's own budget where absent or smaller"
    )
    max_tokens: Annotated[Int, Field(ge=1, le=8192)] = Field(default=64, description="sampled tokens a step")
    reward: Reward = Field(
        default=Reward.STRICT,
        description="binary: 1 for a clean success; strict: also half the progress; paper: progress with penalties",
    )
    train_vision: bool = Field(default=True, description="train the vision tower too")
    shuffle_advantages: bool = Field(
        default=False, description="control experiment: advantages are shuffled over the batch, so nothing is learnt"
    )
    eval_every: Annotated[Int, Field(ge=0, le=100_000)] = Field(
        default=5, description="steps between evaluations; 0: only before the first and after the last step"
    )
    eval_episodes: Annotated[Int, Field(ge=1, le=10_000)] = Field(
        default=64, description="held-out episodes in an evaluation"
    )
    seed: Annotated[Int, Field(ge=0, le=2**31 - 1)] = Field(
        default=0, description="of sampling and of the order of tasks"
    )

    @property
    def episodes_per_step(self) -> int:
        return self.group_size * self.prompts_per_step
