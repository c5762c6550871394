"""Operators as processes, and a client of their cluster."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.operator.conftest import admin, served  # noqa: F401
from tools.kube.controlplane import ControlPlane
from tools.kube.operators import Operator

NewOperator = Callable[..., Operator]


@pytest.fixture
def new_operator(
    served: ControlPlane,  # noqa: F811
    namespace: str,
    redis_url: str,
    tmp_path: Path,
) -> Iterator[NewOperator]:
    """Makes operators of the test's namespace, not yet started. They end with the test."""
    made: list[Operator] = []

    def make(identity: str = "one", **more: bool) -> Operator:
        made.append(Operator(served, tmp_path, namespace=namespace, redis_url=redis_url, identity=identity, **more))
        return made[-1]

    yield make
    for operator in made:
        operator.end()
        print(f"-- {operator.identity} --\n{operator.log.read_text() if operator.log.exists() else ''}")
