"""What a real API server says of the objects of a run: valid, and allowed in a namespace of restricted pods."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.operator.contexts import SHAPES, context
from tools.kube.cluster import Cluster, CommandError

from mobilegym.operator import names
from mobilegym.operator.resources import Context, children, learner_pod, worker_pod

RESTRICTED = "pod-security.kubernetes.io/enforce=restricted"
GVISOR = {
    "apiVersion": "node.k8s.io/v1",
    "kind": "RuntimeClass",
    "metadata": {"name": "gvisor"},
    "handler": "runsc",
}


@pytest.fixture
def restricted(cluster: Cluster, namespace: str) -> str:
    """A namespace for restricted pods only, with what pods refer to."""
    cluster.kubectl("label", "namespace", namespace, RESTRICTED)
    cluster.kubectl("-n", namespace, "create", "serviceaccount", names.account_name("pocket"))
    cluster.kubectl("apply", "-f", "-", input=json.dumps(GVISOR))
    return namespace


def dry_run(cluster: Cluster, objects: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What server-side apply would make of them. Raises CommandError with all that is wrong."""
    listed = json.dumps({"apiVersion": "v1", "kind": "List", "items": objects})
    how = ("--server-side", f"--field-manager={names.MANAGER}", "--dry-run=server", "--validate=strict")
    return list(json.loads(cluster.kubectl("apply", *how, "-o", "json", "-f", "-", input=listed))["items"])


def everything(of: Context) -> list[dict[str, Any]]:
    return [*children(of), worker_pod(of, 0), learner_pod(of)]


@pytest.mark.parametrize("shape", SHAPES)
def test_every_object_is_accepted_as_it_is(cluster: Cluster, restricted: str, shape: str) -> None:
    objects = everything(context(SHAPES[shape], namespace=restricted))
    made = dry_run(cluster, objects)
    assert [(one["kind"], one["metadata"]["name"]) for one in made] == [
        (one["kind"], one["metadata"]["name"]) for one in objects
    ]


def test_the_namespace_would_refuse_a_pod_that_is_not_restricted(cluster: Cluster, restricted: str) -> None:
    pod = worker_pod(context(namespace=restricted), 0)
    del pod["spec"]["containers"][0]["securityContext"]["capabilities"]
    with pytest.raises(CommandError, match="violates PodSecurity"):
        dry_run(cluster, [pod])
