"""What the chart makes of its values."""

from __future__ import annotations

from typing import Any

import pytest
import yaml
from tests.chart.chart import CHART, MONITORING, NAMESPACE, RELEASE, Object, helm, named, one, pods, render

from mobilegym.operator.__main__ import parser, settings_of

URLS = {"operator": "redis://o@r:7000", "worker": "redis://w@r:7000", "learner": "redis://l@r:7000"}
EXTERNAL: Object = {"redis": {"enabled": False, "external": {"urls": URLS, "port": 7000}}}
EVERYTHING: Object = {
    "watch": {"namespace": "runs"},
    "operator": {"replicas": 2, "nodeSelector": {"a": "b"}, "tolerations": [{"operator": "Exists"}]},
    "images": {"pullSecrets": ["registry"]},
    "monitoring": {"podMonitors": True, "rules": True, "labels": {"release": "prometheus"}},
    "seccomp": {"installer": {"enabled": True}},
}
TABLE: dict[str, Object] = {
    "defaults": {},
    "everything": EVERYTHING,
    "external": EXTERNAL,
    "secret": {"redis": {"enabled": False, "external": {"secret": "mine", "podSelector": {"app": "redis"}}}},
    "ephemeral": {"redis": {"persistence": {"enabled": False}}},
    "claim": {"redis": {"persistence": {"existingClaim": "mine"}}},
    "bare": {"crds": {"install": False}, "rbac": {"create": False, "aggregate": False}},
    "open": {"networkPolicy": {"enabled": False}, "monitoring": {"dashboards": False}},
    "account": {"operator": {"serviceAccount": {"create": False, "name": "mine"}}},
}


def args(objects: list[Object]) -> list[str]:
    (container,) = one(objects, "Deployment", f"{RELEASE}-operator")["spec"]["template"]["spec"]["containers"]
    assert "command" not in container
    found: list[str] = container["args"]
    return found


def value(objects: list[Object], option: str) -> str | None:
    words = args(objects)
    return words[words.index(option) + 1] if option in words else None


def test_helm_finds_nothing_to_complain_of() -> None:
    assert "0 chart(s) failed" in helm("lint", "--strict", str(CHART))


@pytest.mark.parametrize("name", TABLE)
def test_it_renders_with_names_labels_and_limits(name: str) -> None:
    objects = render(TABLE[name], served=MONITORING)
    assert len(
        {(each["kind"], each["metadata"].get("namespace"), each["metadata"]["name"]) for each in objects}
    ) == len(objects)
    for each in objects:
        assert each["metadata"]["labels"]["app.kubernetes.io/instance"] == RELEASE
        assert len(each["metadata"]["name"]) <= 63
    for pod in pods(objects):
        for container in pod["containers"]:
            assert container["resources"]["limits"]["memory"]
            assert container["resources"]["requests"]["cpu"]
            assert container["args"]
            assert "command" not in container


@pytest.mark.parametrize("name", TABLE)
def test_every_secret_account_and_claim_that_a_pod_names_is_made_or_the_users(name: str) -> None:
    objects = render(TABLE[name])
    there = named(objects) | {
        "Secret/mine",
        "PersistentVolumeClaim/mine",
        "ServiceAccount/mine",
        "ServiceAccount/default",
    }
    for pod in pods(objects):
        assert f"ServiceAccount/{pod.get('serviceAccountName', 'default')}" in there
        for volume in pod["volumes"]:
            if "secret" in volume:
                assert f"Secret/{volume['secret']['secretName']}" in there
            if "persistentVolumeClaim" in volume:
                assert f"PersistentVolumeClaim/{volume['persistentVolumeClaim']['claimName']}" in there


def test_the_definition_is_the_generated_one_and_is_kept() -> None:
    made = one(render(), "CustomResourceDefinition", "mobilegymruns.mobilegym.io")
    generated = yaml.safe_load((CHART / "files" / "crd.yaml").read_text())
    assert made["spec"] == generated["spec"]
    annotations = made["metadata"]["annotations"]
    assert annotations.pop("helm.sh/resource-policy") == "keep"
    assert annotations == generated["metadata"].get("annotations", {})


def test_a_second_release_can_leave_out_what_a_cluster_has_once() -> None:
    first, second = render(), render(TABLE["bare"] | {"rbac": {"aggregate": False}}, release="other")
    cluster = {each for each in named(first) if each.split("/")[0].startswith(("Cluster", "CustomResource"))}
    assert not cluster & named(second)


@pytest.mark.parametrize(
    ("image", "rendered"),
    [
        ("mobilegym/operator", "mobilegym/operator:0.1.0"),
        ("host:5000/mobilegym/operator", "host:5000/mobilegym/operator:0.1.0"),
        ("host:5000/mobilegym/operator:7", "host:5000/mobilegym/operator:7"),
        ("mobilegym/operator@sha256:ab", "mobilegym/operator@sha256:ab"),
    ],
)
def test_an_image_without_a_tag_gets_the_charts_version(image: str, rendered: str) -> None:
    pod = one(render({"images": {"operator": image}}), "Deployment", f"{RELEASE}-operator")["spec"]["template"]["spec"]
    assert pod["containers"][0]["image"] == rendered


def test_the_operator_is_told_where_its_redis_runs() -> None:
    objects = render()
    labels = one(objects, "StatefulSet", f"{RELEASE}-redis")["spec"]["template"]["metadata"]["labels"]
    selector = value(objects, "--redis-selector")
    assert selector is not None
    assert dict(pair.split("=") for pair in selector.split(",")) == labels
    assert value(objects, "--redis-namespace") == NAMESPACE
    assert value(objects, "--namespace") == "$(POD_NAMESPACE)"
    assert value(objects, "--watch") is None


def test_the_operators_own_arguments_are_understood_by_it() -> None:
    for values in (EVERYTHING, {}, EXTERNAL):
        assert args(render(values, served=MONITORING))[:3] == ["python", "-m", "mobilegym.operator"]
        settings_of(parser().parse_args(args(render(values, served=MONITORING))[3:]))


def test_somebody_elses_redis_replaces_the_charts() -> None:
    objects = render(EXTERNAL)
    assert not {"StatefulSet", "PersistentVolumeClaim"} & {each["kind"] for each in objects}
    assert one(objects, "Secret", f"{RELEASE}-redis")["stringData"] == URLS
    assert value(objects, "--redis-selector") is None
    (rule,) = [
        rule
        for rule in one(objects, "NetworkPolicy", f"{RELEASE}-operator")["spec"]["egress"]
        if rule["ports"][0]["port"] == 7000
    ]
    assert "to" not in rule


def test_the_redis_of_a_run_is_reached_where_its_port_is_given() -> None:
    def ports(values: Object) -> set[int]:
        rules = one(render(values), "NetworkPolicy", f"{RELEASE}-operator")["spec"]["egress"]
        return {port["port"] for rule in rules if "to" not in rule for port in rule["ports"]}

    assert ports({"networkPolicy": {"redisPorts": [6380]}}) - ports({}) == {6380}


def test_a_secret_of_the_users_is_mounted_and_none_is_made() -> None:
    objects = render({"redis": {"auth": {"existingSecret": "mine"}}})
    assert "Secret" not in {each["kind"] for each in objects}
    names = {volume["secret"]["secretName"] for pod in pods(objects) for volume in pod["volumes"] if "secret" in volume}
    assert names == {"mine"}


def test_redis_sees_no_password_and_the_operator_no_users() -> None:
    objects = render()
    keys = {
        kind: {item["key"] for volume in spec["volumes"] if "secret" in volume for item in volume["secret"]["items"]}
        for kind, spec in (
            (kind, one(objects, kind, name)["spec"]["template"]["spec"])
            for kind, name in (("StatefulSet", f"{RELEASE}-redis"), ("Deployment", f"{RELEASE}-operator"))
        )
    }
    assert keys == {"StatefulSet": {"users.acl"}, "Deployment": {"operator", "worker", "learner"}}
    secret = one(objects, "Secret", f"{RELEASE}-redis")["stringData"]
    passwords = [secret[role].split(":")[2].split("@")[0] for role in ("operator", "worker", "learner")]
    assert len(set(passwords)) == 3
    assert not [password for password in passwords if len(password) < 32 or password in secret["users.acl"]]


def test_one_namespace_means_roles_there_and_one_right_outside() -> None:
    objects = render({"watch": {"namespace": "runs"}})
    assert value(objects, "--watch") == "runs"
    assert one(objects, "Role", f"{NAMESPACE}-{RELEASE}-operator")["metadata"]["namespace"] == "runs"
    assert one(objects, "RoleBinding", f"{NAMESPACE}-{RELEASE}-operator")["metadata"]["namespace"] == "runs"
    own = {each for each in named(objects) if each.startswith("ClusterRole/") and RELEASE in each}
    assert own == {f"ClusterRole/{NAMESPACE}-{RELEASE}-operator-crd", f"ClusterRole/{NAMESPACE}-{RELEASE}-smoke"}


def test_monitors_are_made_where_they_are_served() -> None:
    wanted: Any = {"monitoring": {"podMonitors": True, "rules": True}}
    without, served = render(wanted), render(wanted, served=MONITORING)
    assert not {"PodMonitor", "PrometheusRule"} & {each["kind"] for each in without}
    assert "--pod-monitor" not in args(without)
    assert "PodMonitor" in {each["kind"] for each in served}
    assert "--pod-monitor" in args(served)
    assert "--pod-monitor" not in args(render(served=MONITORING))


def test_rules_and_dashboards_come_from_their_files() -> None:
    objects = render({"monitoring": {"rules": True, "labels": {"release": "p"}}}, served=MONITORING)
    rules = {each["metadata"]["name"]: each for each in objects if each["kind"] == "PrometheusRule"}
    files = {f"{RELEASE}-{path.stem}": path for path in (CHART / "files" / "rules").glob("*.yaml")}
    assert rules.keys() == files.keys()
    for name, rule in rules.items():
        assert rule["spec"] == yaml.safe_load(files[name].read_text())
        assert rule["metadata"]["labels"]["release"] == "p"
    boards = [each for each in objects if "grafana_dashboard" in each["metadata"]["labels"]]
    files = {f"mobilegym-{path.name}": path for path in (CHART / "files" / "dashboards").glob("*.json")}
    assert {name: text.strip() for each in boards for name, text in each["data"].items()} == {
        name: path.read_text().strip() for name, path in files.items()
    }


def test_only_the_installer_reaches_a_node_and_only_when_asked() -> None:
    def host_paths(values: Object) -> list[str]:
        volumes = (volume for pod in pods(render(values)) for volume in pod["volumes"])
        return [volume["hostPath"]["path"] for volume in volumes if "hostPath" in volume]

    assert host_paths({}) == []
    assert host_paths({"seccomp": {"installer": {"enabled": True}}}) == ["/var/lib/kubelet/seccomp"]


def test_no_rights_are_wildcards() -> None:
    for each in render(EVERYTHING, served=MONITORING):
        for rule in each.get("rules") or () if each["kind"].endswith("Role") else ():
            assert "*" not in str(rule)


def test_default_deny_covers_every_pod_of_the_release() -> None:
    objects = render({"seccomp": {"installer": {"enabled": True}}})
    policies = [each["spec"] for each in objects if each["kind"] == "NetworkPolicy"]
    assert all(policy["policyTypes"] == ["Ingress", "Egress"] for policy in policies)
    chosen = [policy["podSelector"]["matchLabels"] for policy in policies]
    templates = [
        each["spec"]["template"]["metadata"]["labels"] for each in objects if "template" in (each.get("spec") or {})
    ]
    templates += [each["metadata"]["labels"] for each in objects if each["kind"] == "Pod"]
    assert len(templates) == 4
    for labels in templates:
        assert any(chooser.items() <= labels.items() for chooser in chosen)


def test_a_disruption_budget_never_blocks_the_only_operator() -> None:
    assert "PodDisruptionBudget" not in {each["kind"] for each in render()}
    budget = one(render({"operator": {"replicas": 2}}), "PodDisruptionBudget", f"{RELEASE}-operator")
    assert budget["spec"]["maxUnavailable"] == 1
