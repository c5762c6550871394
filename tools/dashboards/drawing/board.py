"""A whole dashboard as one picture."""

from __future__ import annotations

import math
from collections.abc import Iterator
from datetime import UTC, datetime

from tools.dashboards.drawing import theme
from tools.dashboards.drawing.box import Box, Sheet
from tools.dashboards.drawing.kinds import Line, Span, draw
from tools.dashboards.drawing.words import named
from tools.dashboards.live import Window, now, over
from tools.dashboards.panel import WIDTH, Board, Kind, Panel

POINTS = 300
ROW_TITLE = 30.0


def picture(board: Board, url: str, span: Span, window: Window) -> Sheet:
    sheet = Sheet(_height(board))
    _head(sheet, board, span)
    for panel, box in _places(board, sheet):
        draw(sheet, box, panel, lines_of(panel, url, span, window), span)
    return sheet


def lines_of(panel: Panel, url: str, span: Span, window: Window) -> list[Line]:
    """Series of all queries that have a number."""
    found = []
    for query in panel.queries:
        expr = window.fill(query, panel)
        step = max(1.0, (span.end - span.start) / POINTS)
        series = now(url, expr, span.end) if panel.kind is Kind.BARS else over(url, expr, span.start, span.end, step)
        for each in series:
            points = [(at, value) for at, value in each.points if math.isfinite(value)]
            if points:
                found.append(Line(named(query.legend, each.labels), points))
    return found


def _lines(panels: tuple[Panel, ...]) -> Iterator[list[Panel]]:
    """Panels that stand side by side."""
    line: list[Panel] = []
    for panel in panels:
        if sum(each.width for each in line) + panel.width > WIDTH:
            yield line
            line = []
        line.append(panel)
    if line:
        yield line


def _height(board: Board) -> float:
    rows = sum(
        (ROW_TITLE if row.title else 0)
        + sum(max(p.height for p in line) * theme.LINE + theme.GAP for line in _lines(row.panels))
        for row in board.rows
    )
    return math.ceil(theme.HEAD + rows + theme.GAP)


def _places(board: Board, sheet: Sheet) -> Iterator[tuple[Panel, Box]]:
    y = theme.HEAD
    for row in board.rows:
        if row.title:
            sheet.text(14, y + ROW_TITLE / 2, row.title, 14, weight="bold")
            y += ROW_TITLE
        for line in _lines(row.panels):
            x = theme.GAP
            for panel in line:
                width = panel.width * theme.COLUMN
                yield panel, Box(x, y, width - theme.GAP, panel.height * theme.LINE)
                x += width
            y += max(panel.height for panel in line) * theme.LINE + theme.GAP


def _head(sheet: Sheet, board: Board, span: Span) -> None:
    sheet.text(14, theme.HEAD / 2, board.title, 19, weight="bold")
    start, end = (datetime.fromtimestamp(at, UTC) for at in (span.start, span.end))
    words = f"{start:%H:%M} to {end:%H:%M} UTC, {(span.end - span.start) / 60:.0f} minutes"
    sheet.text(theme.WIDTH - 14, theme.HEAD / 2, words, 13, ha="right", color=theme.QUIET)
