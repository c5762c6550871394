"""What `make cluster` runs."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tools.kube.binaries import REPOSITORY
from tools.kube.cluster import Cluster
from tools.kube.controlplane import ControlPlane
from tools.kube.wait import until

Started = tuple[subprocess.Popen[bytes], Path, Path]  # process, folder, what it printed


@pytest.fixture
def started(cluster: ControlPlane, tmp_path: Path) -> Iterator[Started]:
    """`cluster` only says that the programs are here."""
    folder, said = tmp_path / "own", tmp_path / "said"
    with said.open("wb") as out:
        process = subprocess.Popen(_command(folder), cwd=REPOSITORY, stdout=out, stderr=out)
    try:
        until(lambda: process.poll() is not None or "Ctrl-C" in said.read_text(), "the cluster", seconds=120)
        yield process, folder, said
    finally:
        process.kill()
        process.wait()


def _command(folder: Path) -> list[str]:
    return [sys.executable, "-m", "tools.kube", "--folder", str(folder)]


def test_a_person_gets_a_cluster_with_the_chart_and_the_next_commands(started: Started) -> None:
    process, folder, said = started
    assert process.poll() is None, said.read_text()
    assert f"export KUBECONFIG={folder / 'kubeconfig'}" in said.read_text()
    own = Cluster(folder / "kubeconfig")
    assert own.kubectl("get", "mgr", "-A") == ""
    ready = own.kubectl("get", "deployment", "-n", "mobilegym", "-o", "jsonpath={.items[*].status.readyReplicas}")
    assert ready == "1"

    again = subprocess.run(_command(folder), cwd=REPOSITORY, capture_output=True, text=True, timeout=60)
    assert again.returncode == 1
    assert "a cluster runs in" in again.stdout

    process.send_signal(signal.SIGINT)
    assert process.wait(60) == 0
    assert said.read_text().endswith("cluster: stopped\n")
