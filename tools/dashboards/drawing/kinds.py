"""How each kind of panel is drawn into its box."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from matplotlib import dates
from matplotlib.ticker import FixedLocator, FuncFormatter, MaxNLocator
from tools.dashboards.drawing import theme
from tools.dashboards.drawing.box import Box, Sheet
from tools.dashboards.drawing.words import shown, tick
from tools.dashboards.panel import Kind, Panel, Unit

SMALL, LEGEND_LINE = 11.5, 18.0
MOST_TICKS = 7
APART = (5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400, 43200, 86400)  # seconds between two ticks


@dataclass(frozen=True, slots=True)
class Line:
    """A series ready to draw: only points that are numbers."""

    name: str
    points: Sequence[tuple[float, float]]

    @property
    def times(self) -> list[datetime]:
        return [datetime.fromtimestamp(at, UTC) for at, _ in self.points]

    @property
    def values(self) -> list[float]:
        return [value for _, value in self.points]

    @property
    def last(self) -> float:
        return self.points[-1][1] if self.points else math.nan


@dataclass(frozen=True, slots=True)
class Span:
    """Unix seconds."""

    start: float
    end: float


def draw(sheet: Sheet, box: Box, panel: Panel, lines: Sequence[Line], span: Span) -> None:
    sheet.frame(box)
    sheet.text(box.x + 10, box.y + 17, panel.title, 13, weight="normal")
    if not any(line.points for line in lines):
        sheet.text(box.x + box.w / 2, box.y + box.h / 2, "no data yet", 13, ha="center", color=theme.QUIET)
    elif panel.kind is Kind.NUMBER:
        _number(sheet, box, panel, lines[0], span)
    elif panel.kind is Kind.BARS:
        _bars(sheet, box, panel, lines)
    else:
        _curve(sheet, box, panel, [line for line in lines if line.points], span)


def _number(sheet: Sheet, box: Box, panel: Panel, line: Line, span: Span) -> None:
    colour = theme.colour_of(panel, line.last)
    spark = sheet.axes(box.inside(2, box.h * 0.7, 2, 2))
    spark.fill_between(line.times, line.values, color=colour, alpha=0.18, lw=0)
    spark.plot(line.times, line.values, color=colour, lw=1.2)
    low, high = min(line.values), max(line.values)
    spark.set_ylim(min(low, panel.lowest if panel.lowest is not None else low), high + 0.15 * (abs(high) or 1))
    _time(spark, span)
    spark.axis("off")
    words = shown(line.last, panel.unit, panel.decimals)
    sheet.text(box.x + box.w / 2, box.y + box.h * 0.5, words, 33, ha="center", color=colour, weight="bold")


def _bars(sheet: Sheet, box: Box, panel: Panel, lines: Sequence[Line]) -> None:
    inner = box.inside(12, 36, 12, 10)
    rows = sorted(lines, key=lambda line: -line.last)
    high = panel.highest or max(line.last for line in rows)
    pitch = min(44.0, inner.h / len(rows))
    name_width = max(sheet.width_of(line.name, SMALL) for line in rows) + 14
    for index, line in enumerate(rows):
        top, colour = inner.y + index * pitch, theme.colour_of(panel, line.last)
        track = Box(inner.x + name_width, top + pitch * 0.15, inner.w - name_width - 66, pitch * 0.7)
        sheet.text(inner.x, top + pitch / 2, line.name, SMALL)
        sheet.bar(track, theme.EDGE)
        sheet.bar(Box(track.x, track.y, max(2.0, track.w * min(1.0, line.last / high)), track.h), colour)
        words = shown(line.last, panel.unit, panel.decimals)
        sheet.text(inner.x + inner.w, top + pitch / 2, words, SMALL + 1.5, ha="right", color=colour)


def _curve(sheet: Sheet, box: Box, panel: Panel, lines: Sequence[Line], span: Span) -> None:
    places = _legend(sheet, box, panel, lines)
    axes = sheet.axes(box.inside(66, 36, 16, 34 + places * LEGEND_LINE))
    colours = [theme.PALETTE[index % len(theme.PALETTE)] for index in range(len(lines))]
    if panel.stacked:
        _stack(axes, lines, colours)
    else:
        for line, colour in zip(lines, colours, strict=True):
            style = "steps-post" if panel.steps else "default"
            values = [*line.values, line.last] if panel.steps else line.values
            times = [*line.times, datetime.fromtimestamp(span.end, UTC)] if panel.steps else line.times
            axes.plot(times, values, color=colour, lw=1.7, drawstyle=style, solid_joinstyle="round")
            floor = 0.0 if panel.lowest is not None else min(line.values)
            step = "post" if panel.steps else None
            axes.fill_between(times, values, floor, color=colour, alpha=0.07, lw=0, step=step)
    _scale(axes, panel, lines)
    _time(axes, span)


def _stack(axes: Any, lines: Sequence[Line], colours: Sequence[str]) -> None:
    """A series without a point at a time counts as what it was before; one that is 0 throughout has no line."""
    times = sorted({at for line in lines for at, _ in line.points})
    below = [0.0] * len(times)
    moments = [datetime.fromtimestamp(at, UTC) for at in times]
    for line, colour in zip(lines, colours, strict=True):
        if not any(line.values):
            continue
        known, value, top = dict(line.points), 0.0, []
        for at, base in zip(times, below, strict=True):
            value = known.get(at, value)
            top.append(base + value)
        axes.fill_between(moments, below, top, color=colour, alpha=0.35, lw=0)
        axes.plot(moments, top, color=colour, lw=1.4)
        below = top


def _scale(axes: Any, panel: Panel, lines: Sequence[Line]) -> None:
    low, high = axes.get_ylim()
    if panel.lowest is not None:
        axes.set_ylim(bottom=panel.lowest)
        if max(value for line in lines for value in line.values) <= panel.lowest:
            axes.set_ylim(panel.lowest, panel.lowest + 1)
    elif low == high:
        axes.set_ylim(low - 1, high + 1)
    if panel.highest is not None:
        axes.set_ylim(top=panel.highest)
    low, high = axes.get_ylim()
    for limit in panel.limits:
        if low < limit.at < high:
            axes.axhline(limit.at, color=theme.COLOURS[limit.colour], lw=1, ls=(0, (5, 4)), alpha=0.8)
    axes.yaxis.set_major_locator(FixedLocator(_ticks(low, high, panel.unit)))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: tick(value, panel.unit)))


def _ticks(low: float, high: float, unit: Unit) -> list[float]:
    size = 2.0**20 if unit is Unit.BYTES else 60.0 if unit is Unit.SECONDS and high > 100 else 1.0
    found = MaxNLocator(4, steps=[1, 2, 2.5, 5, 10]).tick_values(low / size, high / size)
    return [value * size for value in found if low <= value * size <= high]


def _time(axes: Any, span: Span) -> None:
    axes.set_xlim(datetime.fromtimestamp(span.start, UTC), datetime.fromtimestamp(span.end, UTC))
    apart = next((step for step in APART if span.end - span.start <= MOST_TICKS * step), APART[-1])
    moments = range(math.ceil(span.start / apart) * apart, int(span.end) + 1, apart)
    axes.xaxis.set_major_locator(FixedLocator([dates.date2num(datetime.fromtimestamp(at, UTC)) for at in moments]))
    axes.xaxis.set_major_formatter(dates.DateFormatter("%H:%M" if apart >= 60 else "%H:%M:%S"))
    axes.grid(True, color=theme.GRID, lw=0.7)
    axes.set_axisbelow(True)
    for side in axes.spines.values():
        side.set_visible(False)
    axes.tick_params(length=0, colors=theme.QUIET, labelsize=10.5 * 72 / theme.DPI, pad=5)
    for label in (*axes.get_xticklabels(), *axes.get_yticklabels()):
        label.set_family(theme.FONTS)


def _legend(sheet: Sheet, box: Box, panel: Panel, lines: Sequence[Line]) -> int:
    """Names with their last values, along the bottom. Returns how many rows it took."""
    pieces = [(line.name, shown(line.last, panel.unit)) for line in lines]
    rows: list[list[tuple[float, int]]] = [[]]
    x = 12.0
    for index, (name, value) in enumerate(pieces):
        width = 18 + sheet.width_of(name, SMALL) + 8 + sheet.width_of(value, SMALL, weight="bold") + 18
        if rows[-1] and x + width > box.w - 6:
            rows.append([])
            x = 12.0
        rows[-1].append((x, index))
        x += width
    for number, row in enumerate(rows):
        y = box.y + box.h - 14 - (len(rows) - 1 - number) * LEGEND_LINE
        for x, index in row:
            name, value = pieces[index]
            sheet.bar(Box(box.x + x, y - 2, 12, 3.5), theme.PALETTE[index % len(theme.PALETTE)])
            sheet.text(box.x + x + 18, y, name, SMALL)
            after = x + 18 + sheet.width_of(name, SMALL) + 8
            sheet.text(box.x + after, y, value, SMALL, weight="bold")
    return len(rows)
