"""Status: written where it differs, at most so often, at once where the phase changes."""

from __future__ import annotations

import pytest
from tests.operator.machine import manifest
from tools.kube.controlplane import ControlPlane

from mobilegym.operator.api import Api
from mobilegym.operator.errors import Conflict
from mobilegym.operator.kinds import RUN
from mobilegym.operator.runs import Runs, key_of
from mobilegym.operator.statuses import Statuses


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


async def test_status_is_written_seldom_and_a_phase_at_once(served: ControlPlane, namespace: str, admin: Api) -> None:
    runs, clock = Runs(), Clock()
    runs.saw(await admin.create(RUN, namespace, manifest(namespace, "one")))
    key = next(iter(runs.present()))
    statuses = Statuses(admin, runs, 10.0, clock)

    async def write(phase: str, step: int, *, now: bool = False) -> float | None:
        run = runs.get(key)
        assert run is not None
        return await statuses.write(key, run, {"phase": phase, "step": step, "message": None}, now=now)

    async def written() -> object:
        return (await admin.get(RUN, namespace, "one"))["status"]

    assert await write("Starting", 0) is None
    version = (runs.get(key) or {})["metadata"]["resourceVersion"]
    assert await write("Starting", 0) is None
    assert (await admin.get(RUN, namespace, "one"))["metadata"]["resourceVersion"] == version
    clock.now += 4
    assert await write("Starting", 1) == 6
    assert await written() == {"phase": "Starting", "step": 0}
    assert await write("Running", 1) is None
    clock.now += 1
    assert await write("Running", 2) == 9
    assert await write("Running", 2, now=True) is None
    clock.now += 10
    assert await write("Running", 3) is None
    assert await written() == {"phase": "Running", "step": 3}


async def test_the_status_of_a_former_run_is_not_given_to_its_successor(
    served: ControlPlane, namespace: str, admin: Api
) -> None:
    former = await admin.create(RUN, namespace, manifest(namespace, "one"))
    await admin.delete(RUN, namespace, "one", uid=former["metadata"]["uid"])
    await admin.create(RUN, namespace, manifest(namespace, "one"))
    statuses = Statuses(admin, Runs(), 10.0)
    with pytest.raises(Conflict):
        await statuses.write(key_of(former), former, {"phase": "Failed"})
