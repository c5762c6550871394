"""The picture a policy is shown: format, scale, canvas, and where its pixels lie on the screen."""

from __future__ import annotations

import io
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from PIL import Image

RUN_LENGTHS = 3  # zlib's Z_RLE: on screens as fast as level 1 and a fifth smaller


class Format(StrEnum):
    JPEG = "jpeg"
    PNG = "png"
    WEBP = "webp"
    RAW = "raw"  # RGB bytes, row by row


@dataclass(frozen=True, kw_only=True)
class Canvas:
    """A larger sheet that the picture is pasted into, black around it; all in pixels."""

    width: int
    height: int
    x: int
    y: int


@dataclass(frozen=True, kw_only=True)
class Picture:
    """How a screen becomes an image.

    `multiple`: the sides are resized to the nearest multiple of so many pixels (relative coordinates stay the same);
    32 spares a Qwen3-VL processor its own resize. `quality` is that of the captured JPEG or WebP, 1..100.
    """

    format: Format = Format.JPEG
    quality: int = 80
    scale: float = 1.0  # 1.0 or 0.5
    multiple: int = 1
    canvas: Canvas | None = None

    def __post_init__(self) -> None:
        if self.scale not in (0.5, 1.0):
            raise ValueError(f"scale is {self.scale}; a picture's scale is 1.0 or 0.5")
        if self.canvas is not None and self.multiple != 1:
            raise ValueError("a canvas sets the sides already: leave `multiple` at 1")

    @property
    def encoding(self) -> dict[str, Any]:
        """What the browser is asked for. Half scale captures JPEG, whose decoder halves at a fraction of the cost."""
        if self.scale == 0.5 or self.format is Format.JPEG:
            return {"format": "jpeg", "quality": self.quality}
        if self.format is Format.WEBP:
            return {"format": "webp", "quality": self.quality}
        return {"format": "png", "optimizeForSpeed": True}

    def size(self, width: int, height: int) -> tuple[int, int]:
        """Sides in pixels of the image of a screen of width x height device pixels."""
        if self.canvas is not None:
            return self.canvas.width, self.canvas.height
        return self._fitted(width, height)

    def render(self, captured: bytes, width: int, height: int) -> bytes:
        """The image of a captured screen of width x height device pixels."""
        if self.format is not Format.RAW and self.canvas is None and self._fitted(width, height) == (width, height):
            return captured
        opened = Image.open(io.BytesIO(captured))
        fitted = self._fitted(width, height)
        if self.scale == 0.5:
            opened.draft("RGB", (width // 2, height // 2))
        image = opened.convert("RGB")
        if image.size != fitted:
            image = image.resize(fitted, Image.Resampling.BOX if self.multiple == 1 else Image.Resampling.BICUBIC)
        if self.canvas is not None:
            sheet = Image.new("RGB", (self.canvas.width, self.canvas.height))
            sheet.paste(image, (self.canvas.x, self.canvas.y))
            image = sheet
        return self._encode(image)

    def to_screen(self, x: float, y: float, width: int, height: int) -> tuple[float, float]:
        """A pixel of the image as a point of the screen, clamped into [0, 1)."""
        left, top, wide, high = self._placed(width, height)
        return _clamp((x - left) / wide), _clamp((y - top) / high)

    def to_image(self, x: float, y: float, width: int, height: int) -> tuple[float, float]:
        """A point of the screen, [0, 1), as a pixel of the image."""
        left, top, wide, high = self._placed(width, height)
        return left + x * wide, top + y * high

    def _fitted(self, width: int, height: int) -> tuple[int, int]:
        return self._side(width), self._side(height)

    def _side(self, pixels: int) -> int:
        scaled = int(pixels * self.scale)
        return max(self.multiple, (scaled + self.multiple // 2) // self.multiple * self.multiple)

    def _placed(self, width: int, height: int) -> tuple[int, int, int, int]:
        wide, high = self._fitted(width, height)
        return (self.canvas.x, self.canvas.y, wide, high) if self.canvas else (0, 0, wide, high)

    def _encode(self, image: Image.Image) -> bytes:
        if self.format is Format.RAW:
            return image.tobytes()
        out = io.BytesIO()
        if self.format is Format.PNG:
            image.save(out, "PNG", compress_level=1, compress_type=RUN_LENGTHS)
        else:
            image.save(out, self.format.value, quality=self.quality)
        return out.getvalue()


POCKET = Picture(format=Format.PNG, quality=90, scale=0.5, canvas=Canvas(width=192, height=416, x=6, y=16))
"""For the pocket policy: a 360 x 800 screen at half scale; a row of 64 CSS px is one visual token of 32 px high."""

QWEN = Picture(multiple=32)
"""For a Qwen3-VL: full scale, sides already a multiple of 32."""


def _clamp(value: float) -> float:
    return min(max(value, 0.0), 1.0 - 1e-9)
