"""Nodes whose pods run nothing: the statuses that an operator sees."""

from __future__ import annotations

import pytest
from tests.cluster.pods import apply, is_ready, main_state, make_pod, read, wait_phase, wait_pod, wait_ready
from tools.kube.controlplane import ControlPlane
from tools.kube.fake import FakeExecutor
from tools.kube.fleet import Fleet
from tools.kube.wait import until


@pytest.fixture
def executor(fake_nodes: Fleet) -> FakeExecutor:
    assert isinstance(fake_nodes.executor, FakeExecutor)
    return fake_nodes.executor


def test_a_pod_gets_ready_with_an_address(cluster: ControlPlane, namespace: str, fake_nodes: Fleet) -> None:
    apply(cluster, namespace, make_pod("one"))
    pod = wait_ready(cluster, namespace, "one")
    assert pod["status"]["phase"] == "Running"
    assert pod["status"]["podIP"].startswith(cluster.span.pods)
    assert pod["spec"]["nodeName"] == "cpu-0"


def test_a_pod_that_wants_gpus_gets_the_gpu_node(cluster: ControlPlane, namespace: str, fake_nodes: Fleet) -> None:
    gpus = {"resources": {"limits": {"nvidia.com/gpu": "3"}}}
    apply(
        cluster,
        namespace,
        make_pod("one", container=gpus, tolerations=[{"key": "nvidia.com/gpu", "operator": "Exists"}]),
    )
    assert wait_ready(cluster, namespace, "one")["spec"]["nodeName"] == "gpu-0"


def test_the_exit_code_told_is_the_pods(
    cluster: ControlPlane, namespace: str, fake_nodes: Fleet, executor: FakeExecutor
) -> None:
    apply(cluster, namespace, make_pod("good"), make_pod("bad"))
    for name in ("good", "bad"):
        wait_ready(cluster, namespace, name)
    executor.finish(namespace, "good", 0)
    executor.finish(namespace, "bad", 75)
    wait_phase(cluster, namespace, "good", "Succeeded")
    pod = wait_phase(cluster, namespace, "bad", "Failed")
    assert main_state(pod)["terminated"]["exitCode"] == 75
    assert not is_ready(pod)


def test_a_failed_container_is_started_again(
    cluster: ControlPlane, namespace: str, fake_nodes: Fleet, executor: FakeExecutor
) -> None:
    apply(cluster, namespace, make_pod("one", restartPolicy="OnFailure"))
    wait_ready(cluster, namespace, "one")
    executor.finish(namespace, "one", 1)
    crashed = wait_pod(cluster, namespace, "one", lambda pod: not is_ready(pod), "not ready")
    assert main_state(crashed)["waiting"]["reason"] == "CrashLoopBackOff"
    status = wait_ready(cluster, namespace, "one")["status"]["containerStatuses"][0]
    assert status["restartCount"] == 1
    assert status["lastState"]["terminated"]["exitCode"] == 1


def test_an_evicted_pod_goes(cluster: ControlPlane, namespace: str, fake_nodes: Fleet) -> None:
    apply(cluster, namespace, make_pod("one"))
    wait_ready(cluster, namespace, "one")
    cluster.kubectl("drain", "cpu-0", "--force", "--pod-selector=app=one")
    until(lambda: not read(cluster, namespace, "pod", "one"), "the pod's end")
    cluster.kubectl("uncordon", "cpu-0")


def test_a_status_overwritten_by_another_heals(cluster: ControlPlane, namespace: str, fake_nodes: Fleet) -> None:
    apply(cluster, namespace, make_pod("one"))
    wait_ready(cluster, namespace, "one")
    lost = '{"status": {"conditions": [{"type": "Ready", "status": "False"}]}}'
    cluster.kubectl("patch", "pod", "one", "-n", namespace, "--subresource=status", "-p", lost)
    assert not is_ready(read(cluster, namespace, "pod", "one"))
    wait_ready(cluster, namespace, "one")


def test_a_deployment_is_scaled(cluster: ControlPlane, namespace: str, fake_nodes: Fleet) -> None:
    cluster.kubectl("create", "deployment", "many", "--image=mobilegym/worker", "--replicas=20", "-n", namespace)
    cluster.kubectl("rollout", "status", "deployment/many", "-n", namespace, "--timeout=60s", timeout=90)
