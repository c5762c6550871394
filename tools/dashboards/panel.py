"""A dashboard before it is Grafana's: rows of panels, each with its queries, unit, limits and advice."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

OF_RUN = 'namespace=~"$namespace",run=~"$run"'
WIDTH = 24  # columns of a dashboard


class Unit(StrEnum):
    """Grafana's ids of units."""

    NUMBER = "short"
    RATIO = "percentunit"
    SECONDS = "s"
    BYTES = "bytes"
    PER_SECOND = "suffix:/s"
    PER_MINUTE = "suffix:/min"
    PER_HOUR = "suffix:/h"
    NATS = "suffix:nat"
    VERSIONS = "suffix:versions"


class Kind(StrEnum):
    CURVE = "timeseries"
    NUMBER = "stat"
    BARS = "bargauge"


class Colour(StrEnum):
    GOOD = "green"
    WATCH = "orange"
    BAD = "red"
    PLAIN = "blue"


@dataclass(frozen=True, kw_only=True, slots=True)
class Limit:
    """From this value on, a panel has this colour."""

    at: float
    colour: Colour


def limits(*, watch: float | None = None, bad: float | None = None) -> tuple[Limit, ...]:
    """Higher is worse."""
    found = ((watch, Colour.WATCH), (bad, Colour.BAD))
    return tuple(Limit(at=at, colour=colour) for at, colour in found if at is not None)


@dataclass(frozen=True, slots=True)
class Query:
    """PromQL, and what its series are called: `{{label}}` is that label's value."""

    expr: str
    legend: str


def q(expr: str, legend: str) -> Query:
    """A query of the chosen runs: `@` stands for their selector, inside the braces."""
    return Query(expr.replace("@", OF_RUN), legend)


def share(part: str, whole: str, by: str, legend: str, window: str = "$__rate_interval") -> Query:
    """What the selector `part` picks of the counter `whole`, by label; 0 where there is a whole and no part."""
    picked = f"sum by ({by}) (rate({whole}{{@,{part}}}[{window}]))"
    total = f"sum by ({by}) (rate({whole}{{@}}[{window}]))"
    return q(f"({picked} or 0 * {total}) / ({total} > 0)", legend)


@dataclass(frozen=True, kw_only=True, slots=True)
class Panel:
    """`advice` says what it shows, what is normal and what to do. `slow`: counters that move once in minutes."""

    title: str
    advice: str
    queries: tuple[Query, ...]
    unit: Unit = Unit.NUMBER
    kind: Kind = Kind.CURVE
    width: int = 8
    height: int = 8
    limits: tuple[Limit, ...] = ()
    base: Colour = Colour.GOOD  # below the first limit
    lowest: float | None = 0.0
    highest: float | None = None
    decimals: int | None = None
    stacked: bool = False
    steps: bool = False  # a value that holds until it changes
    slow: bool = False


def curve(title: str, advice: str, *queries: Query, **more: object) -> Panel:
    return Panel(title=title, advice=advice, queries=queries, **more)  # type: ignore[arg-type]


def number(title: str, advice: str, *queries: Query, **more: object) -> Panel:
    size = {"kind": Kind.NUMBER, "width": 4, "height": 4}
    return Panel(title=title, advice=advice, queries=queries, **(size | more))  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True)
class Row:
    title: str
    panels: tuple[Panel, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Board:
    """`name` is the file's and the end of the uid."""

    name: str
    title: str
    about: str
    rows: tuple[Row, ...]

    @property
    def panels(self) -> Iterator[Panel]:
        for row in self.rows:
            yield from row.panels
