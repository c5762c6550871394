"""A release whose operator and Redis really run, as processes of this machine."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import redis
from tests.chart.release import RESTRICTED, Release
from tools.kube.cluster import CommandError
from tools.kube.controlplane import ControlPlane
from tools.kube.wait import until

RUN = """
apiVersion: mobilegym.io/v1alpha1
kind: MobileGymRun
metadata: {name: tried}
spec:
  model: {preset: pocket}
  workers: {replicas: 2, image: nowhere/worker:1}
  learner: {image: nowhere/learner:1}
"""
CHILDREN = (
    *("configmap/tried-run", "secret/tried-redis", "serviceaccount/tried-pods", "service/tried-engine"),
    *("pvc/tried-checkpoints", "pdb/tried-workers", "netpol/tried-workers", "netpol/tried-learner"),
)
PODS = ("pod/tried-worker-0", "pod/tried-worker-1", "pod/tried-learner")

pytestmark = pytest.mark.usefixtures("process_node")


@pytest.fixture
def release(cluster: ControlPlane, namespace: str) -> Iterator[Release]:
    """Installed for its own namespace, and ready."""
    cluster.kubectl("label", "namespace", namespace, RESTRICTED)
    found = Release(cluster=cluster, namespace=namespace, name="live")
    try:
        found.install("--set", f"watch.namespace={namespace}", "--wait", "--timeout", "90s")
        yield found
    except CommandError as error:
        error.add_note(logs(found, "operator") + logs(found, "redis"))
        raise
    finally:
        found.uninstall()


def logs(release: Release, part: str) -> str:
    chosen = ("-l", f"app.kubernetes.io/component={part}", "--tail=-1")
    return release.cluster.kubectl("logs", *chosen, "-n", release.namespace)


def connect(release: Release, role: str) -> redis.Redis:
    """A client by the URL of the Secret, at the Service's address."""
    host = f"{release.name}-redis.{release.namespace}.svc"
    address = release.get("service", f"{release.name}-redis")["spec"]["clusterIP"]
    return redis.Redis.from_url(release.secret()[role].replace(host, address), protocol=2, decode_responses=True)


def restarted(release: Release, pod: str) -> None:
    """Deletes it and waits for the next one."""
    uid = release.get("pod", pod)["metadata"]["uid"]
    release.cluster.kubectl("delete", "pod", pod, "-n", release.namespace)

    def ready() -> bool:
        if not release.there("pod", pod):
            return False
        found = release.get("pod", pod)
        conditions = found.get("status", {}).get("conditions", ())
        well = any(one["type"] == "Ready" and one["status"] == "True" for one in conditions)
        return bool(found["metadata"]["uid"] != uid and well)

    until(ready, f"another {pod}", seconds=60)


def test_its_own_test_passes_and_says_what_it_saw(release: Release) -> None:
    said = release.cluster.helm("test", release.name, "--namespace", release.namespace, "--timeout", "90s", "--logs")
    assert "serves the user operator" in said
    assert "MobileGymRun v1alpha1 is served" in said


def test_the_operator_leads_and_is_healthy(release: Release) -> None:
    (pod,) = [pod for pod in release.get("pods") if pod["metadata"]["name"].startswith(f"{release.name}-operator")]
    until(
        lambda: (
            release.there("lease", "mobilegym-operator")
            and release.get("lease", "mobilegym-operator")["spec"]["holderIdentity"] == pod["metadata"]["name"]
        ),
        "the operator's Lease",
        seconds=60,
    )
    assert pod["status"]["containerStatuses"][0]["restartCount"] == 0


def test_redis_keeps_its_data_and_its_users_over_a_restart(release: Release) -> None:
    with connect(release, "learner") as learner:
        learner.set("mg:{kept}:control", "running")
    restarted(release, f"{release.name}-redis-0")
    with connect(release, "operator") as operator:
        assert operator.get("mg:{kept}:control") == "running"
    with connect(release, "worker") as worker, pytest.raises(redis.exceptions.NoPermissionError):
        worker.set("mg:{kept}:control", "done")


def test_its_rights_are_enough_for_a_run_from_its_making_to_its_end(release: Release) -> None:
    kubectl, place = release.cluster.kubectl, ("-n", release.namespace)
    kubectl("apply", *place, "-f", "-", input=RUN)
    for child in CHILDREN + PODS:
        until(lambda child=child: release.there(*child.split("/")), child)  # type: ignore[misc]
    until(lambda: release.get("mgr", "tried").get("status", {}).get("phase"), "a phase")
    kubectl("scale", "mgr", "tried", "--replicas=1", *place)
    until(lambda: not release.there("pod", "tried-worker-1"), "the second worker's end")
    patch = '{"spec": {"suspend": true}}'
    kubectl("patch", "mgr", "tried", "--type=merge", "-p", patch, *place)
    until(lambda: release.get("mgr", "tried")["status"]["phase"] == "Suspended", "the phase Suspended")
    kubectl("delete", "mgr", "tried", *place)
    until(lambda: not any(release.there(*child.split("/")) for child in CHILDREN), "the end of all children")
    assert "orbidden" not in logs(release, "operator")
