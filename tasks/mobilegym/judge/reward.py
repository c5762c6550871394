"""Reward presets: from a verdict to a number in [0, 1]."""

from __future__ import annotations

from collections.abc import Callable

from mobilegym.judge.judge import Verdict


def paper(verdict: Verdict) -> float:
    """Progress, times 0.8 if unclean, 0.5 if reached but aborted or overdue, 0.8 if finished without success."""
    reward = verdict.progress
    if not verdict.clean:
        reward *= 0.8
    if verdict.reached and (verdict.aborted or verdict.overdue):
        reward *= 0.5
    if verdict.false_complete:
        reward *= 0.8
    return _bounded(reward)


def strict(verdict: Verdict) -> float:
    """1 for a clean success, 0.8 for an unclean one; else half the progress less 0.1 a side effect.

    A false finish earns no progress.
    """
    if verdict.success:
        return 1.0 if verdict.clean else 0.8
    progress = 0.0 if verdict.false_complete else verdict.progress
    return _bounded(0.5 * progress - 0.1 * len(verdict.side_effects))


def binary(verdict: Verdict) -> float:
    """1 for a clean success, else 0: nothing is earned by stopping short, or by never saying that it is done."""
    return float(verdict.success and verdict.clean)


def _bounded(reward: float) -> float:
    return min(1.0, max(0.0, reward))


PRESETS: dict[str, Callable[[Verdict], float]] = {"paper": paper, "strict": strict, "binary": binary}


def reward(preset: str, verdict: Verdict) -> float:
    """Raises ValueError for an unknown preset."""
    if preset not in PRESETS:
        raise ValueError(f"unknown reward preset {preset!r}; known: {', '.join(sorted(PRESETS))}")
    return PRESETS[preset](verdict)
