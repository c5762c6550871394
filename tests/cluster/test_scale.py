"""What `bench/scale.py` measures, small: that it is right, not how fast."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Iterator
from pathlib import Path

import pytest
from bench import scale
from tests.cluster.runs import throughout
from tests.kube_fixtures import fresh_namespace
from tools.kube.api import Api
from tools.kube.controlplane import ControlPlane
from tools.kube.fake import FakeExecutor
from tools.kube.fleet import Fleet
from tools.kube.operators import Operator

COUNT = 50


@pytest.fixture
def places(served: ControlPlane) -> Iterator[list[str]]:
    """Namespaces on a cluster with room for many pods."""
    with contextlib.ExitStack() as stack:
        stack.enter_context(Fleet(served, FakeExecutor(), scale.nodes(2), resync=5.0))
        yield [stack.enter_context(fresh_namespace(served)) for _ in range(3)]


async def test_fifty_runs_are_right_and_a_fresh_operator_writes_nothing(
    served: ControlPlane, places: list[str], redis_url: str, tmp_path: Path
) -> None:
    def start(identity: str) -> Operator:
        made = Operator(served, tmp_path, namespace=places[0], redis_url=redis_url, identity=identity, everywhere=True)
        return made.start()

    operator = start("before")
    try:
        async with Api(url=served.url, token=served.token, authority=served.authority) as api:
            runs = await scale.make(api, scale.manifests(COUNT, places))
            uids = {run["metadata"]["uid"] for run in runs}
            await scale.until_right(api, uids, 120)
        assert operator.writes(kind="Pod", verb="create") == COUNT * (scale.WORKERS + 1)
        assert operator.stop() == 0
        operator = start("after")
        await asyncio.to_thread(scale.until_quiet, operator, COUNT)
        await throughout(6.0, lambda: operator.writes() == 0, "it writes nothing")
    finally:
        operator.end()
