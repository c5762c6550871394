"""An API server that serves the definition."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from kubernetes import client, config
from tests.operator.crd.runs import Runs
from tools.kube.cluster import Cluster

from mobilegym.operator import names
from mobilegym.operator.crd import crd
from mobilegym.operator.crd.__main__ import written


@pytest.fixture(scope="module")
def api(cluster: Cluster) -> Iterator[client.ApiClient]:
    """A client of a cluster that serves the definition."""
    cluster.kubectl("apply", "--server-side", "--force-conflicts", "-f", "-", input=written(crd()))
    cluster.kubectl("wait", "--for=condition=Established", f"crd/{names.PLURAL}.{names.GROUP}")
    with config.new_client_from_config(str(cluster.kubeconfig)) as api:  # type: ignore[no-untyped-call]
        yield api


@pytest.fixture
def runs(api: client.ApiClient, namespace: str) -> Runs:
    return Runs(api, namespace)


@pytest.fixture(scope="module")
def gate(api: client.ApiClient) -> Runs:
    """For what is only asked, and never made."""
    return Runs(api, "default")
