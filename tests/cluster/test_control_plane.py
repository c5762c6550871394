"""A control plane of its own: its servers are killed, and it ends with whoever started it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import psutil
import pytest
from tests.cluster.pods import apply, make_pod, wait_phase, wait_pod, wait_ready
from tools.kube.binaries import REPOSITORY
from tools.kube.controlplane import ControlPlane
from tools.kube.fake import Exit, FakeExecutor
from tools.kube.fleet import Fleet
from tools.kube.node import cpu_node
from tools.kube.wait import until

STARTER = """
import json, os, sys
from pathlib import Path
from tools.kube.controlplane import ControlPlane
from tools.kube.fleet import Fleet
from tools.kube.node import cpu_node
from tools.kube.process import ProcessExecutor
from tools.kube.wait import until

folder = Path(sys.argv[1])
plane = ControlPlane(folder)
plane.start()
Fleet(plane, ProcessExecutor(folder / "node"), [cpu_node()]).start()
plane.kubectl("create", "deployment", "sleeper", "--image=mobilegym/any", "--", "sleep", "4321.5")
until(lambda: "Running" in plane.kubectl("get", "pods"), "the pod")
print(json.dumps([server.pid for server in plane.servers]), flush=True)
os.kill(os.getpid(), 9)
"""


def test_nothing_outlives_a_killed_starter(cluster: ControlPlane, tmp_path: Path) -> None:
    command = [sys.executable, "-c", STARTER, str(tmp_path / "own")]
    done = subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True, timeout=120)
    assert done.returncode == -9, done.stderr
    servers = json.loads(done.stdout)
    assert len(servers) == 4
    until(lambda: not any(map(psutil.pid_exists, servers)), "the servers' end")
    until(lambda: not [one for one in psutil.process_iter(["cmdline"]) if _sleeps(one)], "the pod's end")


def _sleeps(process: psutil.Process) -> bool:
    return "4321.5" in (process.info["cmdline"] or ()) and process.status() != psutil.STATUS_ZOMBIE


def test_two_control_planes_have_their_own_addresses(cluster: ControlPlane, tmp_path: Path) -> None:
    other = ControlPlane(tmp_path / "other")
    try:
        assert other.span.services != cluster.span.services
        assert other.span.pods != cluster.span.pods
        assert other.port != cluster.port
    finally:
        other.stop()


@pytest.mark.parametrize("name", ["etcd", "controllers", "scheduler"])
def test_any_server_may_be_killed(cluster: ControlPlane, namespace: str, fake_nodes: Fleet, name: str) -> None:
    apply(cluster, namespace, make_pod("before"))
    wait_ready(cluster, namespace, "before")
    server = next(one for one in cluster.servers if one.name == name)
    server.kill()
    cluster.heal()
    apply(cluster, namespace, make_pod("after"))
    wait_ready(cluster, namespace, "after")
    wait_ready(cluster, namespace, "before")


def test_pods_of_a_node_that_falls_silent_are_not_ready(tmp_path: Path, cluster: ControlPlane) -> None:
    plane = ControlPlane(tmp_path / "own", node_grace=10)
    try:
        plane.start()
        with Fleet(plane, FakeExecutor(), [cpu_node("lost")]) as fleet:
            apply(plane, "default", make_pod("one"))
            wait_ready(plane, "default", "one")
            fleet.lose("lost")
            silent = {"type": "Ready", "status": "False"}
            wait_pod(plane, "default", "one", lambda pod: _has(pod, silent), "not ready")
    finally:
        plane.stop()


def _has(pod: dict[str, object], condition: dict[str, str]) -> bool:
    status = pod["status"]
    assert isinstance(status, dict)
    return any(condition.items() <= one.items() for one in status["conditions"])


def test_a_policy_says_how_pods_end(cluster: ControlPlane, namespace: str) -> None:
    executor = FakeExecutor(policy=lambda pod, container, attempt: Exit(code=3 if attempt == 0 else 0, after=0.2))
    with Fleet(cluster, executor, [cpu_node("policy-0")]):
        apply(cluster, namespace, make_pod("one", restartPolicy="OnFailure"))
        pod = wait_phase(cluster, namespace, "one", "Succeeded")
    assert pod["status"]["containerStatuses"][0]["restartCount"] == 1
