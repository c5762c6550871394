"""The shape of a policy: what memory and time follow from."""

from __future__ import annotations

import math
from dataclasses import dataclass

BF16 = 2  # bytes
FP32 = 4
PATCH = 32  # pixels a side of one visual token after merging
SCREEN = (360, 800)  # CSS pixels


@dataclass(frozen=True, kw_only=True, slots=True)
class Shape:
    parameters: float
    layers: int
    hidden: int
    intermediate: int
    kv_heads: int
    head_dim: int
    vocabulary: int
    text_tokens: int  # of a prompt without its image, and of the answer: goal, history, format

    @property
    def weights(self) -> float:
        return self.parameters * BF16

    @property
    def kv_per_token(self) -> int:
        """Bytes: keys and values of all layers."""
        return 2 * self.layers * self.kv_heads * self.head_dim * BF16


# 4.44e9 counts the vision tower and the tied embedding once. The text part is what makes a step of 20 actions on 96
# episodes 11.1 M tokens at 1080 x 2400 and 7.5 M at 540 x 1216.
QWEN3_VL_4B = Shape(
    parameters=4.44e9,
    layers=36,
    hidden=2560,
    intermediate=9728,
    kv_heads=8,
    head_dim=128,
    vocabulary=151_936,
    text_tokens=3231,
)


def image_tokens(scale: float) -> int:
    """Visual tokens of a screenshot at `scale` image pixels a CSS pixel, sides padded to multiples of 32."""
    width, height = (math.ceil(side * scale / PATCH) for side in SCREEN)
    return width * height
