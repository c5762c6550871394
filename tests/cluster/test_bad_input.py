"""Runs that cannot work: each says what is wrong and where to look."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from tests.cluster.runs import condition
from tests.kube_fixtures import QUICK, fresh_namespace
from tests.operator.machine import manifest, serve_crd
from tools.kube.cluster import CommandError
from tools.kube.controlplane import ControlPlane
from tools.kube.fake import FakeExecutor
from tools.kube.fleet import Fleet
from tools.kube.images import Images
from tools.kube.node import cpu_node, gpu_node
from tools.kube.operators import Operator
from tools.kube.wait import until

CLOSED = "redis://:hunter2@127.0.0.1:9/0"  # the discard port: nobody listens


@dataclass(frozen=True, kw_only=True)
class Bad:
    spec: dict[str, Any]
    kind: str
    reason: str
    words: tuple[str, ...]
    not_words: tuple[str, ...] = field(default=())


BAD = {
    "no-image": Bad(
        spec={"workers": {"image": "example.org/none:1"}},
        kind="WorkersReady",
        reason="ImageUnavailable",
        words=("no-image-worker-0", "example.org/none:1", "kubectl describe pod no-image-worker-0"),
    ),
    "no-learner-image": Bad(
        spec={"learner": {"image": "example.org/none:1"}},
        kind="LearnerReady",
        reason="ImageUnavailable",
        words=("example.org/none:1", "kubectl describe pod no-learner-image-learner"),
    ),
    "no-node": Bad(
        spec={"workers": {"placement": {"nodeSelector": {"pool": "none"}}}},
        kind="WorkersReady",
        reason="Unschedulable",
        words=("no-node-worker-0", "node affinity/selector", "kubectl describe pod no-node-worker-0"),
    ),
    "no-gpu": Bad(
        spec={"learner": {"gpus": 3, "gpuProducts": ["NVIDIA-RTX-PRO-6000-Blackwell-Workstation-Edition"]}},
        kind="LearnerReady",
        reason="Unschedulable",
        words=("node affinity/selector", "spec.learner.gpuProducts", "kubectl describe pod no-gpu-learner"),
    ),
    "no-redis": Bad(
        spec={"stream": {"redisUrl": CLOSED}},
        kind="StreamReady",
        reason="RedisUnreachable",
        words=("127.0.0.1:9", "spec.stream"),
        not_words=("hunter2",),
    ),
    "no-secret": Bad(
        spec={"stream": {"redisSecret": {"name": "mine", "key": "address"}}},
        kind="StreamReady",
        reason="RedisSecretMissing",
        words=("Secret mine", "key address", "create it in"),
    ),
}


@pytest.fixture(scope="module")
def bad_namespace(cluster: ControlPlane, redis_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """All of BAD, applied at once, with an operator that looks at them."""
    serve_crd(cluster)
    nodes = [cpu_node(pods=100), gpu_node()]
    executor = FakeExecutor(images=Images())
    with Fleet(cluster, executor, nodes, backoff=QUICK, resync=2.0), fresh_namespace(cluster) as namespace:
        folder: Path = tmp_path_factory.mktemp("operator")
        operator = Operator(cluster, folder, namespace=namespace, redis_url=redis_url, identity="one").start()
        try:
            runs = [manifest(namespace, name, **bad.spec) for name, bad in BAD.items()]
            apply(cluster, *runs)
            yield namespace
        finally:
            operator.end()


def apply(cluster: ControlPlane, *runs: dict[str, Any]) -> None:
    cluster.kubectl("apply", "-f", "-", input=json.dumps({"apiVersion": "v1", "kind": "List", "items": list(runs)}))


@pytest.mark.parametrize("name", BAD)
def test_the_condition_and_an_event_say_what_and_where_to_look(
    cluster: ControlPlane, bad_namespace: str, name: str
) -> None:
    bad = BAD[name]

    def told() -> dict[str, Any] | None:
        run = json.loads(cluster.kubectl("get", "mgr", name, "-n", bad_namespace, "-o", "json"))
        return run if condition(run, bad.kind)[1] == bad.reason else None

    run = until(told, f"{name}: {bad.kind} with the reason {bad.reason}", every=0.5)
    assert run is not None
    status, _, message = condition(run, bad.kind)
    assert status == "False"
    assert [word for word in bad.words if word not in message] == [], message
    of_run = ("--field-selector", f"involvedObject.name={name},involvedObject.kind=MobileGymRun,type=Warning")
    events = until(
        lambda: cluster.kubectl("get", "events", "-n", bad_namespace, *of_run), f"{name}: an event", every=0.5
    )
    assert bad.reason in events
    assert [word for word in bad.not_words if word in json.dumps(run["status"]) + events] == []


def test_a_manifest_that_contradicts_itself_is_not_accepted(served: ControlPlane, namespace: str) -> None:
    run = manifest(namespace, "one", workers={"replicas": 2, "min": 4, "max": 3})
    with pytest.raises(CommandError) as refused:
        apply(served, run)
    said = str(refused.value)
    assert "spec.workers" in said
    assert "min" in said
    assert "must be" in said


def test_a_typing_error_is_not_swallowed(served: ControlPlane, namespace: str) -> None:
    with pytest.raises(CommandError) as refused:
        apply(served, manifest(namespace, "one", workers={"replica": 2}))
    assert 'unknown field "replica"' in str(refused.value)
