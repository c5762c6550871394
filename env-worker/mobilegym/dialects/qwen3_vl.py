"""qwen3-vl: `mobile_use` with coordinates 0..999, relative to the image. GUI-Owl-1.5 writes the same.

The image fills the screen (resized, never padded), so relative to the image is relative to the screen.
"""

from __future__ import annotations

from mobilegym.dialects.base import Size
from mobilegym.dialects.mobile_call import Grid
from mobilegym.dialects.mobile_prompt import RELATIVE
from mobilegym.dialects.mobile_use import MobileUse

FULL = 999  # the coordinate of the right and lower edge; 1 beyond the last pixel, so shares are clamped


class Qwen3VL(MobileUse):
    name = "qwen3-vl"

    def grid(self, size: Size) -> Grid:
        return FULL, FULL

    def points(self, size: Size) -> str:
        return RELATIVE
