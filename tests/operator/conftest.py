"""A cluster that serves MobileGymRuns, and a client of it."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from tests.operator.machine import serve_crd
from tools.kube.controlplane import ControlPlane

from mobilegym.operator.api import Api
from mobilegym.operator.connect import connect


@pytest.fixture
def served(cluster: ControlPlane, monkeypatch: pytest.MonkeyPatch) -> ControlPlane:
    """The session's cluster with the CRD, and KUBECONFIG pointing to it."""
    serve_crd(cluster)
    monkeypatch.setenv("KUBECONFIG", str(cluster.kubeconfig))
    monkeypatch.delenv("KUBERNETES_SERVICE_HOST", raising=False)
    return cluster


@pytest.fixture
async def admin(served: ControlPlane) -> AsyncIterator[Api]:
    """What a user may do."""
    api = Api(await connect(), writes=10)
    yield api
    await api.close()
