"""What is deleted goes also when no operator is there."""

from __future__ import annotations

import json

import pytest
from tests.cluster.conftest import NewOperator
from tests.cluster.runs import make, wait_workers
from tools.kube.controlplane import ControlPlane
from tools.kube.fleet import Fleet
from tools.kube.wait import until

from mobilegym.operator.api import Api

GONE_SECONDS = 60.0
KINDS = "mgr,pods,configmaps,secrets,services,serviceaccounts,pvc,pdb,networkpolicies"


def left(cluster: ControlPlane, namespace: str) -> list[str]:
    own = ("-l", "app.kubernetes.io/managed-by=mobilegym-operator")
    found = cluster.kubectl("get", KINDS, "-n", namespace, *own, "-o", "name", "--ignore-not-found").split()
    return found + cluster.kubectl("get", "mgr", "-n", namespace, "-o", "name").split()


@pytest.mark.parametrize("what", ["run", "namespace"])
async def test_a_run_goes_with_all_it_had(
    served: ControlPlane, namespace: str, admin: Api, fake_nodes: Fleet, new_operator: NewOperator, what: str
) -> None:
    operator = new_operator().start().wait_leads()
    await make(admin, namespace, workers={"replicas": 2}, learner={"checkpoint": {"size": "1Gi"}})
    await wait_workers(admin, namespace, 2)
    assert len(left(served, namespace)) >= 11
    operator.kill()
    if what == "run":
        served.kubectl("delete", "mgr", "one", "-n", namespace, "--wait=false")
        until(lambda: not left(served, namespace), "the run's objects to go", seconds=GONE_SECONDS)
        return
    served.kubectl("delete", "namespace", namespace, "--wait=false")
    asked = ("get", "namespace", namespace, "-o", "json", "--ignore-not-found")
    until(
        lambda: not (said := served.kubectl(*asked)) or json.loads(said)["metadata"]["name"] != namespace,
        "the namespace to go",
        seconds=GONE_SECONDS,
    )
