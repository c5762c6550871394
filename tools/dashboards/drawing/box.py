"""Rectangles in pixels, from the top left, on one figure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.patches import FancyBboxPatch
from tools.dashboards.drawing import theme


@dataclass(frozen=True, slots=True)
class Box:
    x: float
    y: float
    w: float
    h: float

    def inside(self, left: float, top: float, right: float, bottom: float) -> Box:
        return Box(self.x + left, self.y + top, self.w - left - right, self.h - top - bottom)


class Sheet:
    """A figure of so many pixels."""

    def __init__(self, height: float) -> None:
        self.height = height
        size = (theme.WIDTH / theme.DPI, height / theme.DPI)
        self.figure = Figure(figsize=size, dpi=theme.DPI, facecolor=theme.BEHIND)
        self._canvas: Any = FigureCanvasAgg(self.figure)
        self.ground: Any = self.figure.add_axes((0, 0, 1, 1))
        self.ground.set_xlim(0, theme.WIDTH)
        self.ground.set_ylim(height, 0)
        self.ground.axis("off")

    def text(self, x: float, y: float, words: str, size: float, **more: Any) -> Any:
        """Size in pixels; `y` is the middle of the line."""
        style = {"color": theme.TEXT, "va": "center", "ha": "left", "family": theme.FONTS}
        return self.ground.text(x, y, words, fontsize=size * 72 / theme.DPI, **(style | more))

    def width_of(self, words: str, size: float, **more: Any) -> float:
        drawn = self.text(0, 0, words, size, **more)
        width: float = drawn.get_window_extent(self._canvas.get_renderer()).width
        drawn.remove()
        return width

    def frame(self, box: Box) -> None:
        shape = "round,pad=0,rounding_size=3"
        patch = FancyBboxPatch((box.x, box.y), box.w, box.h, boxstyle=shape, fc=theme.PANEL, ec=theme.EDGE, lw=0.8)
        self.ground.add_patch(patch)

    def bar(self, box: Box, colour: str) -> None:
        shape = "round,pad=0,rounding_size=2"
        self.ground.add_patch(FancyBboxPatch((box.x, box.y), box.w, box.h, boxstyle=shape, fc=colour, lw=0))

    def axes(self, box: Box) -> Any:
        made = self.figure.add_axes(
            (box.x / theme.WIDTH, 1 - (box.y + box.h) / self.height, box.w / theme.WIDTH, box.h / self.height)
        )
        made.set_facecolor("none")
        return made
