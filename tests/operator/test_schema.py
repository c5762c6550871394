"""A CRD that this operator does not know: runs are left alone, and told so."""

from __future__ import annotations

from tests.operator.machine import eventually, listed, manifest, operating, writes
from tools.kube.controlplane import ControlPlane
from tools.kube.fleet import Fleet

from mobilegym.operator.api import Api
from mobilegym.operator.crd import schema_hash
from mobilegym.operator.kinds import CRD, POD, RUN
from mobilegym.operator.schema import CRD_NAME, own_hash


def test_the_operators_own_schema_is_the_crds() -> None:
    assert own_hash() == schema_hash()


async def test_runs_under_an_unknown_schema_are_not_touched(
    served: ControlPlane, namespace: str, admin: Api, fake_nodes: Fleet
) -> None:
    async with operating(served, namespace, own_schema="another", resync_seconds=0.5) as operator:
        await admin.create(RUN, namespace, manifest(namespace, "one"))

        async def reason() -> str:
            conditions = ((await admin.get(RUN, namespace, "one")).get("status") or {}).get("conditions") or ()
            return next((str(c["reason"]) for c in conditions if c["type"] == "Validated"), "")

        await eventually(lambda: reason(), "the condition")
        assert await reason() == "UnknownSchema"
        assert writes(operator) == writes(operator, "MobileGymRun", "status") + writes(operator, "Event")
        assert await listed(admin, POD, namespace) == []
        assert not operator.schema.known


async def test_a_schema_that_is_known_again_sets_the_runs_going(
    served: ControlPlane, namespace: str, admin: Api, fake_nodes: Fleet
) -> None:
    note = {"metadata": {"annotations": {"mobilegym.io/schema-hash": "newer"}}}
    before = {"metadata": {"annotations": {"mobilegym.io/schema-hash": schema_hash()}}}
    await admin._call("patch", "PATCH", CRD.path(None, CRD_NAME), {}, note, content="application/merge-patch+json")
    try:
        async with operating(served, namespace, own_schema=schema_hash(), resync_seconds=0.5) as operator:
            await admin.create(RUN, namespace, manifest(namespace, "one"))
            await eventually(lambda: not operator.schema.known, "the operator sees a CRD it does not know")
            path = CRD.path(None, CRD_NAME)
            await admin._call("patch", "PATCH", path, {}, before, content="application/merge-patch+json")
            await eventually(lambda: listed(admin, POD, namespace), "a worker")
    finally:
        path = CRD.path(None, CRD_NAME)
        await admin._call("patch", "PATCH", path, {}, before, content="application/merge-patch+json")
