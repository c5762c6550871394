"""Colours and sizes."""

from __future__ import annotations

from matplotlib.font_manager import fontManager
from tools.dashboards.panel import Colour, Panel

BEHIND = "#111217"
PANEL = "#181b1f"
EDGE = "#2a2d33"
GRID = "#2a2d33"
TEXT = "#ccccdc"
QUIET = "#8e8f9a"
KNOWN = {font.name for font in fontManager.ttflist}
FONTS = [name for name in ("Inter", "Noto Sans", "Open Sans", "Liberation Sans", "DejaVu Sans") if name in KNOWN]
COLOURS = {Colour.GOOD: "#73bf69", Colour.WATCH: "#ff9830", Colour.BAD: "#f2495c", Colour.PLAIN: "#5794f2"}
PALETTE = (
    "#73bf69",
    "#f2cc0c",
    "#5794f2",
    "#ff9830",
    "#f2495c",
    "#b877d9",
    "#8ab8ff",
    "#ffb357",
    "#96d98d",
    "#ca95e5",
)

WIDTH = 1600.0  # pixels of a picture
COLUMN = (WIDTH - 16) / 24
LINE = 34.0  # height of a row of the grid
GAP = 8.0
HEAD = 52.0
DPI = 100.0


def colour_of(panel: Panel, value: float) -> str:
    reached = [limit.colour for limit in panel.limits if value >= limit.at]
    return COLOURS[reached[-1] if reached else panel.base]
