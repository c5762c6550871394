"""The clients that the chart's tests need."""

from __future__ import annotations

import pytest
from tests.conftest import missing
from tools.kube.binaries import Missing, find_client


@pytest.fixture(scope="session", autouse=True)
def clients() -> None:
    for name in ("helm", "kubectl"):
        try:
            find_client(name)
        except Missing as error:
            missing(str(error))
