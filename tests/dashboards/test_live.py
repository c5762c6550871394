"""Every panel against a real Prometheus that scrapes a real run."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from tests.conftest import missing
from tools.dashboards import check
from tools.dashboards.catalogue import BOARDS
from tools.dashboards.live import QueryRefused, Window, ask
from tools.dashboards.panel import Board, Query, Row, curve
from tools.dashboards.prometheus import Prometheus
from tools.dashboards.scene import SHORT_RUN, scene

REPO = Path(__file__).parents[2]
RULES = REPO / "charts/mobilegym/files/rules/mobilegym.yaml"
WINDOW = Window(namespace="local", run="pocket", rate="20s", slow_rate="1m", range="3m")
NONSENSE = Board(name="x", title="x", about="x", rows=(Row("", (curve("x", "x", Query("sum by (", "")),)),))


@pytest.fixture(scope="module", autouse=True)
def _prometheus_is_here() -> None:
    for name in ("prometheus", "redis-server"):
        if shutil.which(name) is None:
            missing(name)


def test_prometheus_takes_every_expression_and_the_check_names_those_without_data(tmp_path: Path) -> None:
    with Prometheus(tmp_path / "prometheus", RULES) as prometheus:
        without = check(prometheus.url, WINDOW)
        assert len(without) == sum(len(panel.queries) for board in BOARDS for panel in board.panels)
        assert without[0].startswith("training / Progress: max by (run) (mobilegym_learner_step{")
        assert len(check(prometheus.url, WINDOW, operator=False)) < len(without)
        with pytest.raises(QueryRefused, match="parse error"):
            check(prometheus.url, WINDOW, boards=[NONSENSE])


@pytest.mark.timeout(600)
def test_every_panel_has_data_during_a_run(tmp_path: Path) -> None:
    without: list[str] = ["not asked yet"]

    with scene(SHORT_RUN, tmp_path / "run", RULES) as live:

        def all_there() -> bool:
            without[:] = check(live.prometheus.url, WINDOW)
            return not without

        try:
            live.until(all_there, 300)
        except Exception as error:
            raise AssertionError(f"{error}; without data: " + "\n".join(without)) from error
        firing = [
            a["labels"]["alertname"] for a in ask(live.prometheus.url, "alerts")["alerts"] if a["state"] == "firing"
        ]
        assert firing == []
        targets = ask(live.prometheus.url, "targets")["activeTargets"]
        assert {t["labels"]["part"] for t in targets if t["health"] == "up"} == {
            "worker",
            "learner",
            "engine",
            "operator",
        }
