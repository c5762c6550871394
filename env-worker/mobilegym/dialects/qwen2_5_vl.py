"""qwen2.5-vl: `mobile_use` with coordinates in pixels of the image as the model's own processor resizes it."""

from __future__ import annotations

from mobilegym.dialects.base import Size
from mobilegym.dialects.mobile_call import Grid
from mobilegym.dialects.mobile_prompt import PIXELS
from mobilegym.dialects.mobile_use import MobileUse

FACTOR = 28  # patch 14 x merge 2


class Qwen25VL(MobileUse):
    """Serve it without a `max_pixels` below the screenshots' size: another resize would move every point."""

    name = "qwen2.5-vl"

    def grid(self, size: Size) -> Grid:
        return resized(size)

    def points(self, size: Size) -> str:
        width, height = resized(size)
        return PIXELS.format(width=width, height=height)


def resized(size: Size) -> Size:
    """Sides rounded to multiples of 28, half to even, as the processor does it."""
    width, height = (max(FACTOR, round(side / FACTOR) * FACTOR) for side in size)
    return width, height
