"""What stands in the chart and the docs is what the code makes, and is fit for Grafana."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tools.dashboards.catalogue import BOARDS
from tools.dashboards.drawing.words import named, shown, tick
from tools.dashboards.files import files
from tools.dashboards.grafana import build
from tools.dashboards.panel import Board, Unit
from tools.dashboards.reference import registries

REPO = Path(__file__).parents[2]
FILES = files(REPO)
METRIC = re.compile(r"\bmobilegym_\w+")


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_the_file_is_what_the_code_makes(path: Path) -> None:
    assert path.exists(), "not made yet: run `make dashboards`"
    assert path.read_text(encoding="utf-8") == FILES[path], "differs: run `make dashboards`"


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.name)
def test_panels_fill_their_rows_and_have_ids_of_their_own(board: Board) -> None:
    built = build(board).panels
    assert built is not None
    ids = [panel.id_val for panel in built]
    assert ids == list(range(1, len(ids) + 1))
    for panel in built:
        assert panel.grid_pos is not None
        assert panel.grid_pos.x + panel.grid_pos.w <= 24
    for row in board.rows:
        assert sum(panel.width for panel in row.panels) % 24 == 0, f"{board.name} / {row.title}"


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.name)
def test_every_panel_says_what_to_do_and_asks_for_the_chosen_run(board: Board) -> None:
    for panel in board.panels:
        assert len(panel.advice) > 40, panel.title
        for query in panel.queries:
            own = "mobilegym_operator_" in query.expr
            assert own or ('namespace=~"$namespace"' in query.expr and 'run=~"$run"' in query.expr), query.expr
            assert "@" not in query.expr


def test_every_metric_that_is_asked_for_exists() -> None:
    known = set()
    for registry, _ in registries():
        for family in registry.collect():
            known |= {family.name + suffix for suffix in ("", "_total", "_bucket", "_sum", "_count")}
    asked = {
        name for board in BOARDS for p in board.panels for query in p.queries for name in METRIC.findall(query.expr)
    }
    assert asked <= known


@pytest.mark.parametrize(
    ("value", "unit", "decimals", "words"),
    [
        (0.4167, Unit.RATIO, None, "41.7 %"),
        (0.35, Unit.SECONDS, None, "350 ms"),
        (90, Unit.SECONDS, None, "1.50 min"),
        (0, Unit.SECONDS, None, "0 s"),
        (213 * 2**20, Unit.BYTES, None, "213 MiB"),
        (12345, Unit.NUMBER, None, "12.3 K"),
        (7, Unit.PER_MINUTE, 1, "7.0/min"),
        (0.0123, Unit.NATS, None, "0.0123 nat"),
        (float("nan"), Unit.NUMBER, None, "no data"),
    ],
)
def test_values_are_written_with_their_unit(value: float, unit: Unit, decimals: int | None, words: str) -> None:
    assert shown(value, unit, decimals) == words


@pytest.mark.parametrize(
    ("value", "unit", "words"),
    [
        (0.05, Unit.NATS, "0.05"),
        (1.0, Unit.RATIO, "100 %"),
        (0.025, Unit.RATIO, "2.5 %"),
        (100, Unit.PER_HOUR, "100/h"),
    ],
)
def test_an_axis_has_no_more_digits_than_it_takes(value: float, unit: Unit, words: str) -> None:
    assert tick(value, unit) == words


def test_a_series_is_called_by_its_labels() -> None:
    assert named("{{run}} level {{ level }}", {"run": "r", "level": "2"}) == "r level 2"
    assert named("{{kind}}", {}) == "value"
