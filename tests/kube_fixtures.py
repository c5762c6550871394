"""A Kubernetes control plane for tests, and nodes for it.

`cluster` is started once a session, when a test first asks for it. What the cluster does not emulate is said in
docs/cluster-testing.md.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.conftest import missing
from tools.kube.backoff import Backoff
from tools.kube.binaries import Missing, find_client
from tools.kube.controlplane import ControlPlane
from tools.kube.fake import FakeExecutor
from tools.kube.fleet import Fleet
from tools.kube.node import cpu_node, gpu_node
from tools.kube.process import ProcessExecutor
from tools.kube.wait import until

QUICK = Backoff(first=1.0, longest=4.0)


@pytest.fixture(scope="session")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ControlPlane]:
    """A control plane without nodes, shared by the session: take your own `namespace`."""
    try:
        find_client("kubectl")
        find_client("helm")
        plane = ControlPlane(tmp_path_factory.mktemp("kube"))
    except Missing as error:
        missing(str(error))
    plane.start()
    try:
        yield plane
    finally:
        plane.stop()


@pytest.fixture
def namespace(cluster: ControlPlane) -> Iterator[str]:
    """A fresh namespace; its deletion begins after the test and is not waited for."""
    with fresh_namespace(cluster) as name:
        yield name


@contextmanager
def fresh_namespace(cluster: ControlPlane) -> Iterator[str]:
    cluster.heal()
    name = f"test-{uuid.uuid4().hex[:8]}"
    cluster.kubectl("create", "namespace", name)
    account = ("get", "serviceaccount", "default", "-n", name, "--ignore-not-found", "-o", "name")
    until(lambda: cluster.kubectl(*account), "the namespace's default service account")
    yield name
    if cluster.apiserver.alive:
        cluster.kubectl("delete", "namespace", name, "--wait=false", "--ignore-not-found")


@pytest.fixture
def fake_nodes(cluster: ControlPlane) -> Iterator[Fleet]:
    """A CPU node and a GPU node whose pods get ready at once and run nothing (`fake_nodes.executor` steers them)."""
    nodes = [cpu_node(pods=1000), gpu_node()]
    with Fleet(cluster, FakeExecutor(), nodes, backoff=QUICK, resync=2.0) as fleet:
        yield fleet


@pytest.fixture
def process_node(cluster: ControlPlane, tmp_path: Path) -> Iterator[Fleet]:
    """One CPU node that runs pods as processes of this machine; Services lead to them."""
    with Fleet(cluster, ProcessExecutor(tmp_path / "node"), [cpu_node()], backoff=QUICK, resync=2.0) as fleet:
        yield fleet
