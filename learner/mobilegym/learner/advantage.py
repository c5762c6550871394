"""Group-normalised advantages: how much better a trajectory did than its siblings (GRPO, arXiv:2402.03300)."""

from __future__ import annotations

import statistics
from collections.abc import Sequence

STD_EPSILON = 1e-4


def has_signal(rewards: Sequence[float]) -> bool:
    """Whether a group teaches anything: at least two members, and not all with the same reward."""
    return len(rewards) >= 2 and max(rewards) - min(rewards) > 1e-9


def group_advantages(rewards: Sequence[float], *, scale_by_std: bool = True) -> list[float]:
    """One advantage per reward of one group. `scale_by_std=False` is Dr. GRPO (arXiv:2503.20783).

    A group without signal gets zeros exactly.
    """
    if not has_signal(rewards):
        return [0.0] * len(rewards)
    mean = statistics.fmean(rewards)
    scale = statistics.stdev(rewards) + STD_EPSILON if scale_by_std else 1.0
    return [(reward - mean) / scale for reward in rewards]
