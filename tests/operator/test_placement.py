"""Where a real scheduler puts a learner."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from tests.cluster.pods import apply, read
from tests.operator.contexts import context
from tools.kube.controlplane import ControlPlane
from tools.kube.fake import FakeExecutor
from tools.kube.fleet import Fleet
from tools.kube.node import gpu_node
from tools.kube.wait import until

from mobilegym.operator.resources import learner_pod, worker_pod
from mobilegym.run.learner import RTX_PRO_6000

SPEC = {"learner": {"gpus": 3, "checkpoint": {"ephemeral": True}}}
FITTING = [gpu_node(f"fits-{index}", product=product) for index, product in enumerate(RTX_PRO_6000)]
OTHERS = [
    gpu_node("shared", product=f"{RTX_PRO_6000[0]}-SHARED"),
    gpu_node("small", gpus=2),
    gpu_node("another", product="NVIDIA-H200"),
]


@pytest.fixture
def nodes(cluster: ControlPlane) -> Iterator[Fleet]:
    with Fleet(cluster, FakeExecutor(), [*OTHERS, *FITTING]) as fleet:
        yield fleet


@pytest.mark.parametrize(
    ("given", "seconds"),
    [
        ([], [60, 60]),
        ([{"key": "phones", "effect": "NoSchedule"}], [60, 60]),
        ([{"key": "node.kubernetes.io/unreachable", "effect": "NoExecute"}], [60]),
        ([{}], []),
        ([{"effect": "NoExecute"}], []),
    ],
    ids=["nothing", "another taint", "one of the two", "every taint", "every taint that evicts"],
)
def test_a_silent_node_is_left_after_a_minute_unless_the_user_says_otherwise(
    given: list[dict[str, str]], seconds: list[int]
) -> None:
    pod = worker_pod(context({"workers": {"placement": {"tolerations": given}}}), 0)
    found = [t["tolerationSeconds"] for t in pod["spec"].get("tolerations", ()) if "tolerationSeconds" in t]
    assert found == seconds
    assert len(pod["spec"].get("tolerations", ())) == len(given) + len(seconds)


def pod_of(name: str, namespace: str) -> dict[str, Any]:
    pod = learner_pod(context(SPEC, name=name, namespace=namespace))
    del pod["metadata"]["ownerReferences"]  # the run is not there
    return pod


def test_a_learner_gets_a_node_of_its_own_with_whole_gpus_of_its_product(
    cluster: ControlPlane, namespace: str, nodes: Fleet
) -> None:
    runs = [f"run-{index}" for index in range(len(FITTING) + 1)]
    for run in runs:
        cluster.kubectl("-n", namespace, "create", "serviceaccount", f"{run}-pods")
    apply(cluster, namespace, *(pod_of(run, namespace) for run in runs))

    def placed() -> list[str] | None:
        """The nodes, once all but one pod have one and that one was tried."""
        pods = [read(cluster, namespace, "pod", f"{run}-learner") for run in runs]
        found = [one["spec"].get("nodeName", "") for one in pods]
        tried = all(one["status"].get("conditions") for one in pods)
        return found if tried and found.count("") <= 1 else None

    found = until(placed, "a node for every learner but one")
    assert sorted(found or []) == ["", *(node.name for node in FITTING)]
