"""A namespace that allows fewer pods than the run wants."""

from __future__ import annotations

from tests.cluster.conftest import NewOperator
from tests.cluster.runs import condition, make, pods_of, throughout, wait_run, wait_workers
from tools.kube.controlplane import ControlPlane
from tools.kube.fleet import Fleet

from mobilegym.operator.api import Api

WATCHED_SECONDS = 15.0
MOST_TRIES = 8  # in that time: at 0, 1, 3, 7, 15 seconds, a quarter less by chance, and the round that found the limit


async def test_a_used_up_quota_is_told_and_asked_seldom_and_when_it_is_raised_the_fleet_comes_up(
    served: ControlPlane, namespace: str, admin: Api, fake_nodes: Fleet, new_operator: NewOperator
) -> None:
    served.kubectl("create", "quota", "few", "--hard=pods=2", "-n", namespace)
    operator = new_operator().start().wait_leads()
    await make(admin, namespace, workers={"replicas": 4})
    run = await wait_run(
        admin, namespace, "one", lambda run: condition(run, "WorkersReady")[1] == "QuotaExceeded", "QuotaExceeded"
    )
    status, _, message = condition(run, "WorkersReady")
    assert status == "False"
    assert "exceeded quota: few" in message
    assert "kubectl describe quota" in message
    assert len(await pods_of(admin, namespace)) == 2
    await throughout(
        WATCHED_SECONDS, lambda: operator.refusals(kind="Pod") <= MOST_TRIES, "the API server is asked too often"
    )
    assert operator.refusals(kind="Pod") >= 2
    assert operator.reconciles("error") == 0
    served.kubectl("patch", "quota", "few", "-n", namespace, "-p", '{"spec": {"hard": {"pods": "20"}}}')
    await wait_workers(admin, namespace, 4)
    run = await wait_run(
        admin, namespace, "one", lambda run: condition(run, "WorkersReady")[0] == "True", "the condition to be lifted"
    )
    assert condition(run, "WorkersReady")[1] == "AllReady"
