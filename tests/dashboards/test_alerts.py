"""Each alert fires when it should and not otherwise, by Prometheus's own word."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.conftest import missing
from tests.dashboards.cases import CASES, Case
from tools.dashboards.alerts import ALERTS

REPO = Path(__file__).parents[2]
RULES = REPO / "charts/mobilegym/files/rules/mobilegym.yaml"
GUIDE = REPO / "docs/alerts.md"


@pytest.fixture(scope="module")
def promtool() -> str:
    found = shutil.which("promtool")
    if found is None:
        missing("promtool")
    return found


def said(*command: str | Path) -> tuple[int, str]:
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    return done.returncode, done.stdout + done.stderr


def story(case: Case, series: dict[str, str], fires: bool) -> dict[str, Any]:
    """Promtool's test: whether one such alert is firing then."""
    found = [{"labels": "{}", "value": 1}] if fires else []
    query = f'count(ALERTS{{alertname="{case.alert}",alertstate="firing"}})'
    return {
        "interval": "1m",
        "input_series": [{"series": name, "values": values} for name, values in series.items()],
        "promql_expr_test": [{"expr": query, "eval_time": f"{case.minutes}m", "exp_samples": found}],
    }


def test_promtool_takes_the_rules(promtool: str) -> None:
    code, words = said(promtool, "check", "rules", RULES)
    assert code == 0, words


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.alert)
def test_an_alert_fires_when_it_should_and_not_otherwise(promtool: str, case: Case, tmp_path: Path) -> None:
    tests = [story(case, case.fires, True), *(story(case, series, False) for series in case.quiet)]
    file = tmp_path / "test.yaml"
    file.write_text(yaml.safe_dump({"rule_files": [str(RULES)], "evaluation_interval": "1m", "tests": tests}))
    code, words = said(promtool, "test", "rules", file)
    assert code == 0, words


def test_every_alert_has_a_case() -> None:
    assert {case.alert for case in CASES} == {alert.name for alert in ALERTS}


def test_words_are_filled_in(promtool: str, tmp_path: Path) -> None:
    alert = next(alert for alert in ALERTS if alert.name == "HighEnvErrors")
    case = next(case for case in CASES if case.alert == alert.name)
    expected = {
        "exp_labels": {"severity": "warning", "namespace": "n", "run": "r"},
        "exp_annotations": {
            "summary": "10% of the episodes of n/r fail in the phone",
            "description": alert.words,
            "runbook_url": "docs/alerts.md#highenverrors",
        },
    }
    test = story(case, case.fires, True) | {
        "alert_rule_test": [{"alertname": alert.name, "eval_time": "40m", "exp_alerts": [expected]}]
    }
    file = tmp_path / "test.yaml"
    file.write_text(yaml.safe_dump({"rule_files": [str(RULES)], "evaluation_interval": "1m", "tests": [test]}))
    code, words = said(promtool, "test", "rules", file)
    assert code == 0, words


def test_every_alert_has_its_section_in_the_guide() -> None:
    sections = re.findall(r"^## (\w+)$", GUIDE.read_text(encoding="utf-8"), re.MULTILINE)
    assert sections == [alert.name for alert in ALERTS]
