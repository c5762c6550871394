"""Points of the screen as the two tokens that name them."""

from __future__ import annotations

from mobilegym.pocket.vocabulary import X_STEP, Y_STEP


def _snap(value: float, step: int) -> int:
    return min(1000 - step, max(0, round(value * 1000 / step) * step))


def point_words(x: float, y: float) -> tuple[str, str]:
    """A point in [0, 1) of the screen -> (`x475`, `y300`), on the grid."""
    return f"x{_snap(x, X_STEP)}", f"y{_snap(y, Y_STEP)}"
