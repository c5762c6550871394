"""Several operators of one release: one writes, another is ready to."""

from __future__ import annotations

from tests.cluster.conftest import NewOperator
from tests.cluster.runs import edit, make, uids_of, wait_workers
from tests.operator.machine import eventually
from tools.kube.controlplane import ControlPlane
from tools.kube.fleet import Fleet
from tools.kube.operators import Operator

from mobilegym.operator.api import Api
from mobilegym.operator.settings import Settings

AFTER_A_CRASH = Settings.lease_seconds + 10  # to wait out the Lease, to look every two seconds, and a slow machine
AT_ONCE = 10.0  # the same without a Lease to wait out


def pair(new_operator: NewOperator) -> tuple[Operator, Operator]:
    """The one that leads, and the other."""
    leader, other = new_operator("first").start(), new_operator("second")
    leader.wait_leads()
    return leader, other.start().wait_ready()


async def test_only_the_leader_writes_and_a_crash_is_waited_out(
    served: ControlPlane, namespace: str, admin: Api, fake_nodes: Fleet, new_operator: NewOperator
) -> None:
    leader, other = pair(new_operator)
    await make(admin, namespace, workers={"replicas": 2})
    before = await wait_workers(admin, namespace, 2)
    assert leader.writes(kind="Pod", verb="create") == 3
    assert (other.leads, other.writes(), other.health) == (False, 0, "ok")
    leader.kill()
    other.wait_leads(AFTER_A_CRASH)
    await edit(admin, namespace, workers={"replicas": 3})
    await wait_workers(admin, namespace, 3)
    assert other.writes(kind="Pod") == 1
    after = await uids_of(admin, namespace)
    assert {name: pod["metadata"]["uid"] for name, pod in before.items()}.items() <= after.items()


async def test_one_that_is_told_to_end_hands_over_at_once(
    served: ControlPlane, namespace: str, admin: Api, fake_nodes: Fleet, new_operator: NewOperator
) -> None:
    leader, other = pair(new_operator)
    await make(admin, namespace, workers={"replicas": 2})
    await wait_workers(admin, namespace, 2)
    leader.process.terminate()
    other.wait_leads(AT_ONCE)
    assert leader.process.wait(25) == 0
    assert "Traceback" not in leader.log.read_text()
    await edit(admin, namespace, workers={"replicas": 1})
    await wait_workers(admin, namespace, 1)
    assert other.writes(kind="Pod") == 1


async def test_a_leader_that_was_frozen_does_not_write_any_more(
    served: ControlPlane, namespace: str, admin: Api, fake_nodes: Fleet, new_operator: NewOperator
) -> None:
    leader, other = pair(new_operator)
    await make(admin, namespace, workers={"replicas": 2})
    await wait_workers(admin, namespace, 2)
    written = await eventually(lambda: leader.writes(), "the leader's count")
    leader.freeze()
    try:
        other.wait_leads(AFTER_A_CRASH)
        await edit(admin, namespace, workers={"replicas": 4})  # the frozen one will see it when it thaws
    finally:
        leader.thaw()
    await eventually(lambda: not leader.leads, "the thawed one to step back")
    await wait_workers(admin, namespace, 4)
    assert leader.writes() <= written + 1  # a status that was under way
    assert leader.writes(kind="Pod", verb="create") == 3
    assert other.writes(kind="Pod", verb="create") == 2
