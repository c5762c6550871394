"""Panels as they are drawn."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from matplotlib.colors import to_rgb
from tools.dashboards.catalogue import BOARDS
from tools.dashboards.drawing import theme
from tools.dashboards.drawing.box import Box, Sheet
from tools.dashboards.drawing.kinds import Line, Span, draw
from tools.dashboards.panel import Kind, Panel, Unit, limits
from tools.dashboards.picture import collage

PANEL = Panel(title="t", advice="a", queries=(), unit=Unit.SECONDS, limits=limits(bad=50.0))
SPAN = Span(1_800_000_000.0, 1_800_000_600.0)
RISES = Line("rises", [(SPAN.start + 60 * i, 10.0 * i) for i in range(11)])
FLAT = Line("flat", [(SPAN.start + 60 * i, 0.0) for i in range(11)])


def pixels(panel: Panel, *lines: Line) -> dict[str, int]:
    """How many pixels have each colour of the theme."""
    sheet = Sheet(300.0)
    draw(sheet, Box(8.0, 8.0, 600.0, 280.0), panel, lines, SPAN)
    sheet._canvas.draw()
    drawn = np.asarray(sheet._canvas.buffer_rgba())[:, :, :3].astype(int)
    wanted = {*theme.PALETTE[:2], *theme.COLOURS.values(), theme.TEXT, theme.PANEL}
    return {c: int((np.abs(drawn - np.array(to_rgb(c)) * 255).max(axis=2) <= 2).sum()) for c in wanted}


@pytest.mark.parametrize("stacked", [False, True])
def test_a_curve_has_its_lines_and_the_limit_that_it_passes(stacked: bool) -> None:
    found = pixels(replace(PANEL, stacked=stacked), RISES, FLAT)
    first, second = theme.PALETTE[:2]
    assert found[first] > 100
    assert found[second] > 20  # at least its mark in the legend
    assert found[theme.PANEL] > 50_000


def test_a_number_has_the_colour_of_its_limit() -> None:
    red, green = "#f2495c", "#73bf69"
    found = pixels(replace(PANEL, kind=Kind.NUMBER), RISES)
    assert found[red] > 300
    assert found[green] == 0
    assert pixels(replace(PANEL, kind=Kind.NUMBER), FLAT)[green] > 100


def test_bars_are_drawn_one_a_series() -> None:
    found = pixels(replace(PANEL, kind=Kind.BARS, highest=100.0), RISES, FLAT)
    assert found["#f2495c"] > 5000  # the whole track
    assert 20 < found["#73bf69"] < 300


def test_no_data_is_said() -> None:
    found = pixels(PANEL)
    assert found[theme.PALETTE[0]] == 0
    assert found[theme.PANEL] > 100_000


def test_the_collage_is_made_of_panels_that_there_are() -> None:
    panels = [panel.title for panel in collage().panels]
    assert set(panels) <= {panel.title for board in BOARDS for panel in board.panels}
