"""Install, upgrade, rollback and uninstall on a real API server."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import yaml
from tests.chart.chart import CHART, Object, pods, render
from tests.chart.release import CRD, RESTRICTED, Release
from tools.kube.cluster import Cluster, CommandError
from tools.kube.controlplane import ControlPlane
from tools.kube.wait import until

RUN = """
apiVersion: mobilegym.io/v1alpha1
kind: MobileGymRun
metadata: {name: kept}
spec: {model: {preset: pocket}}
"""


@pytest.fixture
def release(cluster: ControlPlane, namespace: str) -> Iterator[Release]:
    """Not installed yet; its namespace enforces the restricted standard."""
    cluster.kubectl("label", "namespace", namespace, RESTRICTED)
    yield Release(cluster=cluster, namespace=namespace, name="mg")
    if cluster.helm("list", "--namespace", namespace, "--short").strip():
        cluster.helm("uninstall", "mg", "--namespace", namespace)


def make_run(release: Release) -> str:
    """The uid of a run `kept`, accepted by the definition that the chart brought."""
    established = ("wait", f"crd/{CRD}", "--for=condition=Established", "--timeout=30s")
    release.cluster.kubectl(*established)
    release.cluster.kubectl("apply", "-n", release.namespace, "-f", "-", input=RUN)
    uid: str = release.get("mgr", "kept")["metadata"]["uid"]
    return uid


def bare(spec: Object, namespace: str) -> str:
    """The manifest of a pod."""
    meta = {"name": "bare", "namespace": namespace}
    return yaml.safe_dump({"apiVersion": "v1", "kind": "Pod", "metadata": meta, "spec": spec})


def test_a_restricted_namespace_takes_every_pod_of_the_release(release: Release) -> None:
    release.install()
    until(lambda: len(release.get("pods")) == 2, "the operator's and Redis's pods")
    for pod in pods(render()):
        made = bare(pod | {"serviceAccountName": "default"}, release.namespace)
        release.cluster.kubectl("create", "--dry-run=server", "-f", "-", input=made)


def test_a_restricted_namespace_refuses_the_installer_of_the_seccomp_profile(
    release: Release, cluster: Cluster
) -> None:
    (pod,) = [spec for spec in pods(render({"seccomp": {"installer": {"enabled": True}}})) if "hostPath" in str(spec)]
    made = bare(pod, release.namespace)
    with pytest.raises(CommandError, match="hostPath"):
        cluster.kubectl("create", "--dry-run=server", "-f", "-", input=made)
    privileged = RESTRICTED.replace("restricted", "privileged")
    cluster.kubectl("label", "--overwrite", "namespace", release.namespace, privileged)
    cluster.kubectl("create", "--dry-run=server", "-f", "-", input=made)


@pytest.mark.usefixtures("fake_nodes")
def test_an_installation_gets_ready(release: Release) -> None:
    release.install("--set", "redis.persistence.enabled=false,operator.replicas=2", "--wait", "--timeout", "60s")
    assert release.get("deployment", f"{release.name}-operator")["status"]["readyReplicas"] == 2
    assert release.get("statefulset", f"{release.name}-redis")["status"]["readyReplicas"] == 1


def test_the_notes_say_what_comes_next_and_what_was_left_out(release: Release) -> None:
    said = release.install("--set", "monitoring.podMonitors=true,monitoring.rules=true,watch.namespace=default")
    for words in (
        "serves runs of the namespace default",
        f"helm test mg --namespace {release.namespace}",
        "kubectl --namespace default apply -f examples/pocket.yaml",
        "kubectl --namespace default get mgr -w",
        f"kubectl --namespace {release.namespace} logs deployment/mg-operator",
        "get configmaps -l grafana_dashboard=1",
        "No monitors were made",
        "No alerts were made",
        "need the seccomp profile profiles/mobilegym-chromium.json",
    ):
        assert words in said


def test_passwords_outlive_upgrades_and_rollbacks(release: Release) -> None:
    release.install()
    made = release.secret()
    release.upgrade("--set", "operator.replicas=2")
    assert release.get("deployment", f"{release.name}-operator")["spec"]["replicas"] == 2
    assert release.secret() == made
    release.rollback(1)
    assert release.get("deployment", f"{release.name}-operator")["spec"]["replicas"] == 1
    assert release.secret() == made


def test_a_deleted_secret_is_made_anew(release: Release) -> None:
    release.install()
    made = release.secret()
    release.cluster.kubectl("delete", "secret", f"{release.name}-redis", "-n", release.namespace)
    release.upgrade()
    again = release.secret()
    assert again.keys() == made.keys()
    assert all(again[key] != made[key] for key in made)


def test_a_typo_installs_nothing(release: Release) -> None:
    with pytest.raises(CommandError, match="additional properties 'replica' not allowed"):
        release.install("--set", "operator.replica=2")
    assert not release.there("deployment", f"{release.name}-operator")


def test_uninstalling_keeps_definition_runs_and_stream_and_a_new_install_finds_them(
    release: Release,
) -> None:
    release.install()
    uid = make_run(release)
    release.uninstall()
    for kind, name in (("deployment", "operator"), ("statefulset", "redis"), ("secret", "redis"), ("service", "redis")):
        assert not release.there(kind, f"{release.name}-{name}")
    assert release.there("crd", CRD)
    assert release.there("pvc", f"{release.name}-redis")
    assert release.get("mgr", "kept")["metadata"]["uid"] == uid
    release.install()
    assert release.get("mgr", "kept")["metadata"]["uid"] == uid


def test_no_longer_installing_the_definition_does_not_remove_it(release: Release) -> None:
    release.install()
    uid = make_run(release)
    release.upgrade("--set", "crds.install=false")
    assert release.get("mgr", "kept")["metadata"]["uid"] == uid


def test_an_upgrade_upgrades_the_definition(release: Release) -> None:
    release.install()
    name, wanted = "mobilegym.io/schema-hash", yaml.safe_load((CHART / "files" / "crd.yaml").read_text())
    release.cluster.kubectl("annotate", "--overwrite", "crd", CRD, f"{name}=old")
    release.upgrade()
    annotations: Any = release.get("crd", CRD)["metadata"]["annotations"]
    assert annotations[name] == wanted["metadata"]["annotations"][name]
