"""Values with their units, as Grafana writes them."""

from __future__ import annotations

import math
import re

from tools.dashboards.panel import Unit

SECONDS = ((86400.0, "d"), (3600.0, "h"), (60.0, "min"), (1.0, "s"), (1e-3, "ms"), (1e-6, "µs"))
BYTES = ((2.0**30, "GiB"), (2.0**20, "MiB"), (2.0**10, "KiB"), (1.0, "B"))
NUMBERS = ((1e9, "G"), (1e6, "M"), (1e3, "K"))


def shown(value: float, unit: Unit, decimals: int | None = None) -> str:
    if not math.isfinite(value):
        return "no data"
    if unit is Unit.RATIO:
        return f"{value * 100:.{1 if decimals is None else decimals}f} %"
    if unit is Unit.SECONDS:
        return _scaled(value, SECONDS, decimals)
    if unit is Unit.BYTES:
        return _scaled(value, BYTES, decimals)
    if unit is Unit.NUMBER:
        return _number(value, decimals)
    suffix = unit.value.partition("suffix:")[2]
    return _plain(value, decimals) + (f" {suffix}" if suffix.isalpha() else suffix)


def tick(value: float, unit: Unit) -> str:
    """At an axis: no more digits than it takes, and a unit only where a number alone misleads."""
    words = shown(value, Unit.NUMBER if unit in (Unit.NATS, Unit.VERSIONS) else unit)
    return re.sub(r"(\.\d*?)0+(?=\D|$)", lambda found: found[1].rstrip("."), words)


def _scaled(value: float, sizes: tuple[tuple[float, str], ...], decimals: int | None) -> str:
    wanted = abs(value) or 1.0
    size, name = next(((size, name) for size, name in sizes if wanted >= size), sizes[-1])
    return f"{_plain(value / size, decimals)} {name}"


def _number(value: float, decimals: int | None) -> str:
    for size, name in NUMBERS:
        if abs(value) >= size:
            return f"{_plain(value / size, decimals)} {name}"
    return _plain(value, decimals)


def _plain(value: float, decimals: int | None) -> str:
    """Three digits that matter, where nothing else is said."""
    if decimals is not None:
        return f"{value:.{decimals}f}"
    if value == round(value) and abs(value) < 1e4:
        return f"{value:.0f}"
    places = max(0, 2 - math.floor(math.log10(abs(value)))) if value else 0
    return f"{value:.{min(places, 6)}f}"


def named(legend: str, labels: dict[str, str]) -> str:
    """A series' name: its query's legend with the labels' values."""
    return re.sub(r"\{\{\s*(\w+)\s*\}\}", lambda found: labels.get(found[1], ""), legend).strip() or "value"
