"""What `make dashboards` writes, as text by path."""

from __future__ import annotations

from pathlib import Path

from tools.dashboards.alerts import ALERTS, RECORDS
from tools.dashboards.catalogue import BOARDS
from tools.dashboards.grafana import as_json
from tools.dashboards.reference import reference
from tools.dashboards.rules import as_yaml

CHART_FILES = Path("charts/mobilegym/files")
MONITORING = Path("docs/monitoring.md")


def files(repo: Path) -> dict[Path, str]:
    found = {repo / CHART_FILES / "dashboards" / f"{board.name}.json": as_json(board) for board in BOARDS}
    found[repo / CHART_FILES / "rules" / "mobilegym.yaml"] = as_yaml(RECORDS, ALERTS)
    found[repo / MONITORING] = reference((repo / MONITORING).read_text(encoding="utf-8"))
    return found
