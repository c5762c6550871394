"""Policy losses of the GRPO family, behind one function.

Sources: GRPO arXiv:2402.03300; DAPO (clip-higher, token mean) arXiv:2503.14476; Dr. GRPO arXiv:2503.20783;
GSPO (one ratio a sequence) arXiv:2507.18071; CISPO (clipped weight, no clipped gradient) arXiv:2506.13585;
BNPO (token mean) as in TRL; truncated importance weights arXiv:2508.18588 and the k3 estimate of KL
(http://joschu.net/blog/kl-approx.html).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import torch
from torch import Tensor


class LossKind(StrEnum):
    GRPO = "grpo"
    DAPO = "dapo"
    DR_GRPO = "dr_grpo"
    GSPO = "gspo"
    CISPO = "cispo"
    BNPO = "bnpo"

    @property
    def scales_by_std(self) -> bool:
        return self is not LossKind.DR_GRPO

    @property
    def token_mean(self) -> bool:
        """Every token weighs the same, whatever the length of its sequence."""
        return self in (LossKind.DAPO, LossKind.CISPO, LossKind.BNPO)


@dataclass(frozen=True, kw_only=True)
class LossConfig:
    clip_low: float = 0.2
    clip_high: float = 0.28
    cispo_max: float = 5.0  # upper bound of CISPO's weight
    kl: float = 0.0  # weight of KL to the reference policy; 0 needs no reference
    entropy: float = 0.0  # weight of the entropy bonus, nats
    truncation: float = 2.0  # cap of the learner/sampler weight; 0 turns the correction off
    max_tokens: int = 64  # Dr. GRPO's constant length


@dataclass(frozen=True, kw_only=True)
class Denominators:
    """Counts over the whole update, all ranks and micro-batches, so that splitting it changes nothing."""

    sequences: float
    tokens: float


@dataclass(frozen=True, kw_only=True)
class LossParts:
    """`loss` is this micro-batch's share of the update's loss; the rest are detached sums for the metrics."""

    loss: Tensor
    tokens: Tensor
    policy: Tensor  # the loss without KL and entropy
    kl: Tensor  # sum over tokens; 0 without a reference
    entropy: Tensor  # sum over tokens, nats
    clipped: Tensor  # tokens whose gradient the clip removed (CISPO: whose weight it bounded)
    ratio_max: Tensor
    gap: Tensor  # sum over tokens of |old - sampler|, nats


def policy_loss(
    kind: LossKind,
    logp: Tensor,
    old_logp: Tensor | None,
    sampler_logp: Tensor | None,
    ref_logp: Tensor | None,
    advantages: Tensor,
    mask: Tensor,
    config: LossConfig,
    *,
    denominators: Denominators,
    entropy: Tensor | None = None,
    sequence_tokens: Tensor | None = None,
) -> LossParts:
    """Loss of rows of sampled tokens.

    All of `logp` to `ref_logp`, `entropy` and `mask`: (rows, tokens). `old_logp=None`: this is the first
    update, where old and current policy are the same. `advantages`: (rows,). `sequence_tokens`: (rows,), tokens of the
    sequence a row belongs to; a trajectory has many rows, and its length weighs them together.
    """
    old = logp.detach() if old_logp is None else old_logp
    mask = mask.to(logp.dtype)
    advantage = advantages.unsqueeze(1)
    ratio = torch.exp(_log_weight(kind, logp - old, mask))
    per_token, clipped = _surrogate(kind, ratio, advantage, logp, config)
    if sampler_logp is not None and config.truncation > 0:
        per_token = per_token * torch.exp(old - sampler_logp).clamp(max=config.truncation).detach()
    policy = _aggregate(kind, per_token, mask, sequence_tokens, denominators, config)
    loss, kl = policy, logp.new_zeros(())
    if ref_logp is not None:
        k3 = torch.exp(ref_logp - logp) - (ref_logp - logp) - 1
        kl = (k3 * mask).sum()
        if config.kl:
            loss = loss + config.kl * _aggregate(kind, k3, mask, sequence_tokens, denominators, config)
    entropy_sum = logp.new_zeros(()) if entropy is None else (entropy * mask).sum()
    if config.entropy:
        loss = loss - config.entropy * entropy_sum / denominators.tokens
    gap = logp.new_zeros(()) if sampler_logp is None else ((old - sampler_logp).abs() * mask).sum()
    return LossParts(
        loss=loss,
        tokens=mask.sum().detach(),
        policy=policy.detach(),
        kl=kl.detach(),
        entropy=entropy_sum.detach(),
        clipped=(clipped.to(mask.dtype) * mask).sum().detach(),
        ratio_max=torch.where(mask > 0, ratio.expand_as(mask), ratio.new_zeros(())).max().detach(),
        gap=gap.detach(),
    )


def _log_weight(kind: LossKind, log_ratio: Tensor, mask: Tensor) -> Tensor:
    """(rows, tokens), or (rows, 1) for GSPO: the mean over the row's tokens."""
    if kind is not LossKind.GSPO:
        return log_ratio
    return (log_ratio * mask).sum(1, keepdim=True) / mask.sum(1, keepdim=True).clamp(min=1)


def _surrogate(
    kind: LossKind, ratio: Tensor, advantage: Tensor, logp: Tensor, config: LossConfig
) -> tuple[Tensor, Tensor]:
    """Loss per token, and where the clip bites."""
    if kind is LossKind.CISPO:
        weight = ratio.clamp(max=config.cispo_max).detach()
        return -weight * advantage * logp, (ratio > config.cispo_max) & (advantage > 0)
    bounded = ratio.clamp(1 - config.clip_low, 1 + config.clip_high)
    clipped = ((ratio < 1 - config.clip_low) & (advantage < 0)) | ((ratio > 1 + config.clip_high) & (advantage > 0))
    return -torch.minimum(ratio * advantage, bounded * advantage), clipped


def _aggregate(
    kind: LossKind,
    per_token: Tensor,
    mask: Tensor,
    sequence_tokens: Tensor | None,
    denominators: Denominators,
    config: LossConfig,
) -> Tensor:
    if kind.token_mean:
        return (per_token * mask).sum() / denominators.tokens
    if kind is LossKind.DR_GRPO:
        return (per_token * mask).sum() / (denominators.sequences * config.max_tokens)
    lengths = mask.sum(1) if sequence_tokens is None else sequence_tokens
    return ((per_token * mask).sum(1) / lengths.clamp(min=1)).sum() / denominators.sequences
