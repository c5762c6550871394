"""Completions that ran out of tokens before they ended: kept, masked, or their trajectory's reward lowered."""

from __future__ import annotations

from collections.abc import Sequence, Set
from enum import StrEnum


class Overlong(StrEnum):
    KEEP = "keep"
    MASK = "mask"  # such a row teaches nothing (arXiv:2503.14476, section 3.4, "overlong filtering")
    PUNISH = "punish"  # soft punishment, same section, equation 13


def ran_out(token_ids: Sequence[int], max_tokens: int, end_ids: Set[int]) -> bool:
    """Whether a completion was cut off: as long as allowed, and its last token ends nothing."""
    return len(token_ids) >= max_tokens and (not token_ids or token_ids[-1] not in end_ids)


def soft_punishment(length: int, max_tokens: int, margin: int) -> float:
    """0 up to `max_tokens - margin`, then falling linearly to -1 at `max_tokens`."""
    if margin <= 0:
        return -1.0 if length >= max_tokens else 0.0
    return -min(1.0, max(0.0, (length - (max_tokens - margin)) / margin))
