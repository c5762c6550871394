"""The panels' expressions against a live Prometheus."""

from __future__ import annotations

import json
import math
import urllib.parse
import urllib.request
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from tools.dashboards.catalogue import BOARDS
from tools.dashboards.panel import Board, Panel, Query

ASK_SECONDS = 20.0
OPERATOR = ("mobilegym_operator_", "mobilegym_run_", "mobilegym_stream_")  # metrics that a run alone does not have


class QueryRefused(Exception):
    """Prometheus does not take the expression."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Window:
    """What stands for Grafana's variables. Times are Prometheus's: 30s, 5m."""

    namespace: str = ".+"
    run: str = ".+"
    rate: str = "1m"
    slow_rate: str = "5m"
    range: str = "15m"

    def fill(self, query: Query, panel: Panel) -> str:
        words = {
            "$__rate_interval": self.slow_rate if panel.slow else self.rate,
            "$__range": self.range,
            "$namespace": self.namespace,
            "$run": self.run,
        }
        text = query.expr
        for name, value in words.items():
            text = text.replace(name, value)
        return text


@dataclass(frozen=True, slots=True)
class Series:
    """Points are (unix seconds, value)."""

    labels: dict[str, str]
    points: list[tuple[float, float]]


def ask(url: str, path: str, **parameters: str | float) -> Any:
    """Prometheus's `data`. Raises QueryRefused, or OSError where it does not answer."""
    body = urllib.parse.urlencode(parameters).encode() or None
    request = urllib.request.Request(f"{url.rstrip('/')}/api/v1/{path}", data=body)
    try:
        with urllib.request.urlopen(request, timeout=ASK_SECONDS) as answer:
            return json.load(answer)["data"]
    except urllib.error.HTTPError as error:
        with error:
            said = error.read().decode(errors="replace")
        raise QueryRefused(f"{parameters.get('query', path)}: {said}") from None


def now(url: str, expr: str, at: float | None = None) -> list[Series]:
    """`at`: unix seconds, where it is another time that counts as now."""
    found = ask(url, "query", query=expr, **({} if at is None else {"time": at}))
    if found["resultType"] == "scalar":
        return [Series({}, [_point(found["result"])])]
    return [Series(each["metric"], [_point(each["value"])]) for each in found["result"]]


def over(url: str, expr: str, start: float, end: float, step: float) -> list[Series]:
    found = ask(url, "query_range", query=expr, start=start, end=end, step=step)
    return [Series(each["metric"], [_point(p) for p in each["values"]]) for each in found["result"]]


def _point(pair: list[Any]) -> tuple[float, float]:
    return float(pair[0]), float(pair[1])


def has_data(url: str, expr: str) -> bool:
    """At least one sample that is a number."""
    return any(not math.isnan(value) for series in now(url, expr) for _, value in series.points)


def check(
    prometheus_url: str,
    window: Window | None = None,
    *,
    boards: Collection[Board] = BOARDS,
    operator: bool = True,
) -> list[str]:
    """Expressions of panels without data now, each as `dashboard / panel: expression`; empty is right.

    `operator=False` leaves out what only a cluster's operator serves. Raises QueryRefused, and OSError where
    Prometheus does not answer.
    """
    window = window or Window()
    without = []
    for board in boards:
        for panel in board.panels:
            for query in panel.queries:
                expr = window.fill(query, panel)
                if not operator and any(prefix in expr for prefix in OPERATOR):
                    continue
                if not has_data(prometheus_url, expr):
                    without.append(f"{board.name} / {panel.title}: {expr}")
    return without
