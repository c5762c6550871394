"""Pods of the harness's own tests."""

from __future__ import annotations

import json
from typing import Any

from tools.kube.cluster import Cluster
from tools.kube.wait import until

Json = dict[str, Any]
IMAGE = "mobilegym/worker:test"


def make_pod(name: str, *args: str, container: Json | None = None, **spec: Any) -> Json:
    """A pod of one container `main`; `spec` adds to the pod's, `container` to the container's."""
    main = {"name": "main", "image": IMAGE, "args": list(args)} | (container or {})
    defaults = {"restartPolicy": "Never", "automountServiceAccountToken": False, "terminationGracePeriodSeconds": 5}
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": name, "labels": {"app": name}},
        "spec": defaults | {"containers": [main]} | spec,
    }


def apply(cluster: Cluster, namespace: str, *objects: Json) -> None:
    cluster.kubectl(
        "apply",
        "-n",
        namespace,
        "-f",
        "-",
        input=json.dumps({"kind": "List", "apiVersion": "v1", "items": list(objects)}),
    )


def read(cluster: Cluster, namespace: str, kind: str, name: str) -> Json:
    """The object, or {} when it is not there."""
    found = cluster.kubectl("get", kind, name, "-n", namespace, "-o", "json", "--ignore-not-found")
    return json.loads(found) if found.strip() else {}


def main_state(pod: Json) -> Json:
    statuses = pod.get("status", {}).get("containerStatuses") or [{"state": {}}]
    state: Json = statuses[0]["state"]
    return state


def is_ready(pod: Json) -> bool:
    conditions = pod.get("status", {}).get("conditions", ())
    return any(one["type"] == "Ready" and one["status"] == "True" for one in conditions)


def wait_ready(cluster: Cluster, namespace: str, name: str) -> Json:
    return wait_pod(cluster, namespace, name, is_ready, "ready")


def wait_phase(cluster: Cluster, namespace: str, name: str, phase: str) -> Json:
    return wait_pod(cluster, namespace, name, lambda pod: pod.get("status", {}).get("phase") == phase, phase)


def wait_pod(cluster: Cluster, namespace: str, name: str, holds: Any, what: str) -> Json:
    def look() -> Json | None:
        pod = read(cluster, namespace, "pod", name)
        return pod if pod and holds(pod) else None

    try:
        found = until(look, f"pod {name}: {what}")
    except TimeoutError as error:
        raise TimeoutError(
            f"{error}; {json.dumps(read(cluster, namespace, 'pod', name).get('status'), indent=1)}"
        ) from None
    assert found is not None
    return found
