"""Pauses between a container's restarts."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Backoff:
    """In seconds. Kubernetes' own are 10, 300 and 600; these suit a test."""

    first: float = 1.0
    longest: float = 30.0
    forget: float = 600.0  # a container that ran so long starts over with `first`

    def pause(self, failures: int) -> float:
        """Before the start that follows `failures` (1, 2, ...) ends."""
        return float(min(self.first * 2 ** min(failures - 1, 20), self.longest))
