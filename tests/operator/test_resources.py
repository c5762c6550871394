"""The objects of a run, as facts about them."""

from __future__ import annotations

import json
from base64 import b64decode
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.operator.contexts import QWEN, SECRET, SETTINGS, SHAPES, URLS, context

from mobilegym.operator import names
from mobilegym.operator.resources import ATTEMPT, Context, children, digest, learner_pod, manifest_hash, worker_pod
from mobilegym.operator.resources.amounts import amount, resources
from mobilegym.operator.resources.url import port, public
from mobilegym.run.learner import RTX_PRO_6000
from mobilegym.run.load import parse_run
from mobilegym.run.pod import Resources

Object = dict[str, Any]
NAMES = st.from_regex(r"[a-z]([a-z0-9-]{0,38}[a-z0-9])?", fullmatch=True)
SUFFIXES = st.sampled_from(["", "-worker", "-worker-1", "-learner", "-workers", "-run", "-redis", "-engine", "-pods"])

every_shape = pytest.mark.parametrize("shape", SHAPES)


def everything(of: Context) -> list[Object]:
    return [*children(of), learner_pod(of), worker_pod(of, 0), worker_pod(of, 11)]


def child(of: Context, kind: str, name: str | None = None) -> Object:
    found = [one for one in children(of) if one["kind"] == kind and name in (None, one["metadata"]["name"])]
    assert len(found) == 1, f"{len(found)} of {kind} {name}"
    return found[0]


def hash_of(wanted: Object) -> str:
    return str(wanted["metadata"]["annotations"][names.HASH])


def containers(pod: Object) -> list[Object]:
    return [*pod["spec"].get("initContainers", ()), *pod["spec"]["containers"]]


def env_of(container: Object) -> dict[str, str]:
    return {one["name"]: one["value"] for one in container["env"] if "value" in one}


def argument(container: Object, name: str) -> str:
    return str(container["args"][container["args"].index(name) + 1])


# -- identity --


@every_shape
def test_every_object_belongs_to_its_run_and_can_be_found_by_it(shape: str) -> None:
    for wanted in everything(context(SHAPES[shape])):
        metadata = wanted["metadata"]
        assert wanted["apiVersion"]
        assert metadata["namespace"] == "lab"
        assert metadata["labels"]["app.kubernetes.io/managed-by"] == names.MANAGER
        assert metadata["labels"][names.RUN] == "pocket"
        assert [(o["kind"], o["controller"], o["blockOwnerDeletion"]) for o in metadata["ownerReferences"]] == [
            ("MobileGymRun", True, False)
        ]
        assert len(hash_of(wanted)) == 16


@given(first=NAMES, second=NAMES, suffix=SUFFIXES)
def test_two_runs_never_share_a_name(first: str, second: str, suffix: str) -> None:
    def taken(name: str) -> set[tuple[str, str]]:
        of = context(name=name, settings=replace(SETTINGS, pod_monitor=True))
        return {(one["kind"], one["metadata"]["name"]) for one in everything(of)}

    for other in {second, (first + suffix)[:40].rstrip("-")} - {first}:
        assert not taken(first) & taken(other)


@given(name=NAMES, index=st.integers(0, 999))
def test_every_name_fits_into_a_label(name: str, index: int) -> None:
    of = context(name=name)
    assert all(len(one["metadata"]["name"]) <= 63 for one in [*everything(of), worker_pod(of, index)])


# -- hash --

CHANGES = {
    "scaled": ({"workers": {"replicas": 7, "min": 2, "max": 9}}, False, False),
    "autoscaled": ({"workers": {"min": 1, "max": 9}, "autoscaling": {"enabled": True}}, False, False),
    "suspended": ({"suspend": True}, False, False),
    "another deadline": ({"activeDeadlineSeconds": 60, "ttlSecondsAfterFinished": 5}, False, False),
    "worker image": ({"workers": {"image": "mobilegym/worker:2"}}, True, False),
    "learner image": ({"learner": {"image": "mobilegym/learner:2"}}, False, True),
    "more steps": ({"algorithm": {"totalSteps": 7}}, True, True),
    "another Redis": ({"stream": {"redisUrl": "redis://elsewhere:6379"}}, True, True),
}


@pytest.mark.parametrize(("change", "workers", "learner"), CHANGES.values(), ids=CHANGES)
def test_pods_look_outdated_only_where_they_are(change: dict[str, Any], workers: bool, learner: bool) -> None:
    before, after = context(), context(change)
    assert (manifest_hash(before, "worker") != manifest_hash(after, "worker")) == workers
    assert (manifest_hash(before, "learner") != manifest_hash(after, "learner")) == learner


def test_all_workers_have_one_hash() -> None:
    of = context()
    assert {hash_of(worker_pod(of, index)) for index in (0, 1, 99)} == {manifest_hash(of, "worker")}


def test_an_attempt_is_told_and_changes_no_hash() -> None:
    first, third = learner_pod(context(), 0), learner_pod(context(), 2)
    assert third["metadata"]["annotations"][ATTEMPT] == "2"
    assert hash_of(first) == hash_of(third)


def test_a_run_made_again_changes_only_what_knows_its_stream() -> None:
    again = context(uid="11111111-8a0e-4f6e-9f0e-5d6f1c2b3a49")
    changed = {
        one["kind"]
        for one, two in zip(children(context()), children(again), strict=True)
        if hash_of(one) != hash_of(two)
    }
    assert changed == {"ConfigMap"}


def test_a_hash_is_of_the_object_without_it() -> None:
    others = ("PersistentVolumeClaim", "Pod")
    assert all(digest(one) == hash_of(one) for one in everything(context()) if one["kind"] not in others)


def test_a_newer_operator_restarts_no_pod() -> None:
    of = context()
    newer = replace(of, settings=replace(of.settings, worker_image="mobilegym/worker:9", learner_image="x/learner:9"))
    assert hash_of(worker_pod(of, 0)) == hash_of(worker_pod(newer, 0))
    assert hash_of(learner_pod(of)) == hash_of(learner_pod(newer))


# -- manifest --


@every_shape
def test_the_manifest_in_the_config_map_is_one(shape: str) -> None:
    of = context(SHAPES[shape])
    run = parse_run(child(of, "ConfigMap")["data"]["run.yaml"])
    assert run.stream_name == "lab.pocket.0b5e2f9c"
    assert (run.spec.algorithm, run.spec.tasks) == (of.spec.algorithm, of.spec.tasks)
    assert run.spec.workers.phones_per_worker == of.spec.workers.phones_per_worker
    assert (run.spec.learner.gpus, run.spec.learner.layout) == (of.spec.learner.gpus, of.spec.learner.layout)


# -- secrets --


@every_shape
def test_passwords_are_in_secrets_only(shape: str) -> None:
    for wanted in everything(context(SHAPES[shape])):
        assert SECRET not in json.dumps(wanted)  # in a Secret it is in base64


def test_without_a_redis_of_its_own_a_run_gets_the_operators() -> None:
    data = child(context(), "Secret")["data"]
    assert {key: b64decode(value).decode() for key, value in data.items()} == URLS


def test_each_part_sees_its_own_url_only() -> None:
    for pod, part in ((worker_pod(context(), 0), "worker"), (learner_pod(context()), "learner")):
        volume = next(one for one in pod["spec"]["volumes"] if one["name"] == "redis")
        assert volume["secret"]["items"] == [{"key": part, "path": part}]
        assert argument(pod["spec"]["containers"][0], "--redis") == f"@/etc/mobilegym/redis/{part}"


def test_a_secret_of_the_users_is_mounted_as_the_parts_file() -> None:
    of = context(SHAPES["secrets of its own"])
    assert not [one for one in children(of) if one["kind"] == "Secret"]
    volume = next(one for one in worker_pod(of, 0)["spec"]["volumes"] if one["name"] == "redis")
    assert volume["secret"]["secretName"] == "my-redis"
    assert volume["secret"]["items"] == [{"key": "url", "path": "worker"}]
    assert worker_pod(of, 0)["spec"]["containers"][0]["envFrom"] == [{"secretRef": {"name": "bucket-keys"}}]


def test_a_blob_store_with_a_password_is_named_by_file() -> None:
    of = context(SHAPES["passwords in URLs"])
    assert argument(worker_pod(of, 0)["spec"]["containers"][0], "--blobs") == "@/etc/mobilegym/blobs/url"


def test_without_redis_there_is_no_secret_yet() -> None:
    assert not [one for one in children(context(redis_urls=None)) if one["kind"] == "Secret"]


# -- worker --


def test_a_worker_is_started_as_agreed() -> None:
    pod = worker_pod(context(), 3)
    main = pod["spec"]["containers"][0]
    assert pod["metadata"]["labels"][names.INDEX] == "3"
    assert "command" not in main
    assert " ".join(main["args"]) == (
        "python -m mobilegym.worker --run-file /etc/mobilegym/run/run.yaml --run-dir /run/mobilegym"
        " --redis @/etc/mobilegym/redis/worker --blobs @/etc/mobilegym/redis/worker"
        " --engine http://pocket-engine.lab.svc:8000 --name $(POD_NAME)"
        " --metrics-host $(POD_IP) --metrics-port 9100"
    )
    assert pod["spec"]["restartPolicy"] == "OnFailure"
    assert pod["spec"]["terminationGracePeriodSeconds"] == 45


@pytest.mark.parametrize(
    ("shape", "profile", "off"),
    [("least", "Localhost", False), ("runtime class", None, True), ("no sandbox", None, True)],
)
def test_chromium_keeps_its_sandbox_unless_told(shape: str, profile: str | None, off: bool) -> None:
    main = worker_pod(context(SHAPES[shape]), 0)["spec"]["containers"][0]
    assert main["securityContext"].get("seccompProfile", {}).get("type") == profile
    assert env_of(main).get("MOBILEGYM_SANDBOX") == ("off" if off else None)


def test_a_runtime_class_comes_with_users_of_its_own() -> None:
    spec = worker_pod(context(SHAPES["runtime class"]), 0)["spec"]
    assert (spec["runtimeClassName"], spec["hostUsers"]) == ("gvisor", False)


def test_a_patch_adds_and_never_replaces() -> None:
    pod = worker_pod(context(SHAPES["patched"]), 0)
    metadata, main = pod["metadata"], pod["spec"]["containers"][0]
    assert (metadata["labels"]["team"], metadata["labels"][names.RUN]) == ("phones", "pocket")
    assert metadata["annotations"]["note"] == "x"
    assert len(metadata["annotations"][names.HASH]) == 16
    assert env_of(main)["TZ"] == "UTC"
    assert [one for one in main["env"] if one["name"] == "POD_IP"] == [
        {"name": "POD_IP", "valueFrom": {"fieldRef": {"fieldPath": "status.podIP"}}}
    ]
    assert pod["spec"]["imagePullSecrets"] == [{"name": "registry"}]


def test_a_patch_cannot_switch_the_sandbox_off() -> None:
    env = [{"name": "MOBILEGYM_SANDBOX", "value": "off"}]
    main = worker_pod(context({"workers": {"pod": {"env": env}}}), 0)["spec"]["containers"][0]
    assert "MOBILEGYM_SANDBOX" not in env_of(main)


# -- amounts --


def test_a_worker_asks_for_what_its_phones_need() -> None:
    small = worker_pod(context({"workers": {"phonesPerWorker": 8}}), 0)["spec"]["containers"][0]["resources"]
    large = worker_pod(context({"workers": {"phonesPerWorker": 16, "browsersPerWorker": 2}}), 0)["spec"]["containers"][
        0
    ]["resources"]
    assert (small["requests"]["cpu"], large["requests"]["cpu"]) == ("1", "2")
    assert amount(large["requests"]["memory"]) - amount(small["requests"]["memory"]) == (8 * 50 + 128) * 2**20
    assert amount(small["limits"]["memory"]) == 2 * amount(small["requests"]["memory"])


@given(request=st.none() | st.integers(1, 4096), limit=st.none() | st.integers(1, 4096))
def test_no_computed_amount_contradicts_a_given_one(request: int | None, limit: int | None) -> None:
    words = {"requests": request, "limits": limit}
    given = Resources(**{key: {"memory": f"{n}Mi"} for key, n in words.items() if n is not None})
    found = resources(given, {"memory": "1Gi"})
    assert request is None or found["requests"]["memory"] == f"{request}Mi"
    assert limit is None or found["limits"]["memory"] == f"{limit}Mi"
    if request is None or limit is None or request <= limit:
        assert amount(found["requests"]["memory"]) <= amount(found["limits"]["memory"])


# -- learner --


def test_a_learner_trains_and_serves_in_one_container() -> None:
    pod = learner_pod(context())
    assert [one["name"] for one in containers(pod)] == ["learner"]
    assert " ".join(containers(pod)[0]["args"]) == (
        "python -m mobilegym.local.trainer --run-file /etc/mobilegym/run/run.yaml --run-dir /var/lib/mobilegym"
        " --redis @/etc/mobilegym/redis/learner --blobs @/etc/mobilegym/redis/learner --host $(POD_IP)"
        " --engine-port 8000 --metrics-port 9100"
    )
    assert (pod["spec"]["restartPolicy"], pod["spec"]["terminationGracePeriodSeconds"]) == ("Never", 90)


def test_a_split_learner_has_its_engine_as_a_sidecar() -> None:
    engine, learner = containers(learner_pod(context(SHAPES["gpus, split"])))
    assert (engine["name"], engine["restartPolicy"]) == ("engine", "Always")
    assert " ".join(engine["args"]) == (
        "python -m mobilegym.policy --run-file /etc/mobilegym/run/run.yaml --run-dir /var/lib/mobilegym"
        " --redis @/etc/mobilegym/redis/learner --host $(POD_IP) --port 8000"
    )
    assert learner["args"][:3] == ["python", "-m", "mobilegym.learner"]
    assert argument(learner, "--engine") == "http://$(POD_IP):8000"
    assert [one["resources"]["limits"]["nvidia.com/gpu"] for one in (learner, engine)] == ["2", "1"]


def test_with_another_engine_the_learner_is_alone() -> None:
    of = context(SHAPES["another engine"])
    (learner,) = containers(learner_pod(of))
    assert learner["args"][:3] == ["python", "-m", "mobilegym.learner"]
    assert argument(learner, "--engine") == "https://engine.example:8443/base"
    assert [one["name"] for one in learner["ports"]] == ["metrics"]
    assert "Service" not in {one["kind"] for one in children(of)}


def test_gpus_are_whole_ones_of_a_named_product() -> None:
    spec = learner_pod(context(QWEN))["spec"]
    (term,) = spec["affinity"]["nodeAffinity"]["requiredDuringSchedulingIgnoredDuringExecution"]["nodeSelectorTerms"]
    product, count = term["matchExpressions"]
    assert (product["operator"], tuple(product["values"])) == ("In", RTX_PRO_6000)
    assert not [value for value in product["values"] if value.endswith("-SHARED")]
    assert (count["key"], count["operator"], count["values"]) == ("nvidia.com/gpu.count", "Gt", ["2"])
    assert {"key": "nvidia.com/gpu", "operator": "Exists", "effect": "NoSchedule"} in spec["tolerations"]
    assert spec["containers"][0]["resources"]["limits"]["nvidia.com/gpu"] == "3"
    assert "affinity" not in learner_pod(context())["spec"]


def test_a_user_may_let_nccl_speak_peer_to_peer() -> None:
    assert env_of(containers(learner_pod(context(QWEN)))[0])["NCCL_P2P_DISABLE"] == "1"
    pod = {"env": [{"name": "NCCL_P2P_DISABLE", "value": "0"}]}
    patched = context(QWEN | {"learner": {"gpus": 3, "pod": pod}})
    assert env_of(containers(learner_pod(patched))[0])["NCCL_P2P_DISABLE"] == "0"


def test_models_are_mounted_for_reading() -> None:
    (container,) = containers(learner_pod(context(QWEN)))
    assert {"name": "models", "mountPath": "/models", "readOnly": True} in container["volumeMounts"]


# -- volumes --


@pytest.mark.parametrize(
    ("shape", "claim", "made", "source"),
    [
        ("least", "20Gi", True, {"persistentVolumeClaim": {"claimName": "pocket-checkpoints"}}),
        ("a class", "5Gi", True, {"persistentVolumeClaim": {"claimName": "pocket-checkpoints"}}),
        ("a claim", None, False, {"persistentVolumeClaim": {"claimName": "mine"}}),
        ("ephemeral", None, False, {"emptyDir": {}}),
    ],
)
def test_checkpoints_lie_where_the_run_says(shape: str, claim: str | None, made: bool, source: Object) -> None:
    of = context(SHAPES[shape])
    kinds = {one["kind"]: one for one in children(of)}
    assert ("PersistentVolumeClaim" in kinds) == made
    if made:
        assert kinds["PersistentVolumeClaim"]["spec"]["resources"]["requests"]["storage"] == claim
    volume = next(one for one in learner_pod(of)["spec"]["volumes"] if one["name"] == "state")
    assert volume == {"name": "state"} | source


def test_a_claim_is_made_once() -> None:
    larger = context({"learner": {"checkpoint": {"size": "50Gi"}}})
    assert hash_of(child(larger, "PersistentVolumeClaim")) == hash_of(child(context(), "PersistentVolumeClaim"))


def test_runs_that_share_a_claim_do_not_share_a_folder() -> None:
    (container,) = containers(learner_pod(context(SHAPES["a claim"], name="other")))
    assert next(one for one in container["volumeMounts"] if one["name"] == "state")["subPath"] == "other"


# -- network --


def ways(policy: Object, direction: str) -> dict[int, list[Object] | None]:
    """Peers by port; None: anybody."""
    peer = {"ingress": "from", "egress": "to"}[direction]
    return {one["port"]: rule.get(peer) for rule in policy["spec"][direction] for one in rule["ports"]}


def test_workers_reach_dns_redis_and_the_engine_only() -> None:
    policy = child(context(), "NetworkPolicy", "pocket-workers")
    assert policy["spec"]["policyTypes"] == ["Ingress", "Egress"]
    out = ways(policy, "egress")
    assert set(out) == {53, 6379, 8000}
    assert out[6379] == [
        {
            "namespaceSelector": {"matchLabels": {"kubernetes.io/metadata.name": "mobilegym"}},
            "podSelector": {"matchLabels": {"app.kubernetes.io/component": "redis"}},
        }
    ]
    assert out[8000] == [{"podSelector": {"matchLabels": {names.RUN: "pocket", names.PART: "learner"}}}]
    assert ways(policy, "ingress") == {9100: None}


def test_the_learner_is_reached_by_its_workers_only() -> None:
    policy = child(context(), "NetworkPolicy", "pocket-learner")
    assert set(ways(policy, "egress")) == {53, 6379}
    assert ways(policy, "ingress") == {
        8000: [{"podSelector": {"matchLabels": {names.RUN: "pocket", names.PART: "worker"}}}],
        9100: None,
    }


def test_metrics_are_for_the_monitoring_namespace_where_there_is_one() -> None:
    of = context(settings=replace(SETTINGS, monitoring_namespace="monitoring"))
    peer = [{"namespaceSelector": {"matchLabels": {"kubernetes.io/metadata.name": "monitoring"}}}]
    assert ways(child(of, "NetworkPolicy", "pocket-workers"), "ingress") == {9100: peer}
    rules = child(of, "NetworkPolicy", "pocket-learner")["spec"]["ingress"]
    assert {"from": peer, "ports": [{"protocol": "TCP", "port": p} for p in (9100, 8000)]} in rules


@pytest.mark.parametrize(
    ("shape", "ports"),
    [
        ("secrets of its own", {53, 6379, 8000, 443}),
        ("passwords in URLs", {53, 6380, 8000, 22}),
        ("another engine", {53, 6379, 8443}),
    ],
)
def test_what_lies_outside_is_reached_on_its_port_and_never_the_metadata(shape: str, ports: set[int]) -> None:
    policy = child(context(SHAPES[shape]), "NetworkPolicy", "pocket-workers")
    assert set(ways(policy, "egress")) == ports
    for peers in ways(policy, "egress").values():
        for peer in peers or ():
            if peer.get("ipBlock", {}).get("cidr") == "0.0.0.0/0":
                assert peer["ipBlock"]["except"] == ["169.254.169.254/32"]


def test_policies_can_be_left_to_somebody_else() -> None:
    assert "NetworkPolicy" not in {one["kind"] for one in children(context(SHAPES["open network"]))}


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("redis://a", 6379),
        ("rediss://u:p@a:1/0", 1),
        ("s3://bucket/x", 443),
        ("http://a/b", 80),
        ("unix:///run/redis", None),
        ("redis://a:port", 443),
    ],
)
def test_a_url_leads_to_a_port(url: str, expected: int | None) -> None:
    assert port(url) == expected


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("redis://u:p@h:1/0?password=q", "redis://h:1/0"),
        ("redis://:p@w@h", "redis://h"),
        ("s3://bucket/a@b", "s3://bucket/a@b"),
    ],
)
def test_a_url_is_told_without_its_password(url: str, expected: str) -> None:
    assert public(url) == expected


# -- the rest --


def test_a_quarter_of_the_workers_may_go_at_once() -> None:
    spec = child(context(), "PodDisruptionBudget")["spec"]
    assert (spec["maxUnavailable"], spec["selector"]["matchLabels"][names.PART]) == ("25%", "worker")


def test_a_monitor_is_made_where_it_is_served() -> None:
    assert "PodMonitor" not in {one["kind"] for one in children(context())}
    spec = child(context(settings=replace(SETTINGS, pod_monitor=True)), "PodMonitor", "pocket")["spec"]
    assert [one["port"] for one in spec["podMetricsEndpoints"]] == ["metrics", "http"]
    kept = {one["targetLabel"]: one["sourceLabels"] for one in spec["podMetricsEndpoints"][0]["relabelings"]}
    assert kept == {
        "run": ["__meta_kubernetes_pod_label_mobilegym_io_run"],
        "part": ["__meta_kubernetes_pod_label_mobilegym_io_part"],
    }
