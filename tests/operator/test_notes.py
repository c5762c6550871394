"""Events: the same words are one event, and no run can flood."""

from __future__ import annotations

from typing import Any

from tests.operator.machine import listed, manifest
from tools.kube.controlplane import ControlPlane

from mobilegym.operator.api import Api
from mobilegym.operator.kinds import EVENT, RUN
from mobilegym.operator.notes import BURST, Notes
from mobilegym.operator.plan import Note

QUOTA = Note(type="Warning", reason="QuotaExceeded", message="no room for another worker")


class Clock:
    now = 1_800_000_000.0

    def __call__(self) -> float:
        return self.now


async def events(admin: Api, namespace: str) -> list[dict[str, Any]]:
    return await listed(admin, EVENT, namespace)


async def test_the_same_words_are_counted(served: ControlPlane, namespace: str, admin: Api) -> None:
    run, clock = await admin.create(RUN, namespace, manifest(namespace, "one")), Clock()
    notes = Notes(admin, "me", clock)
    for _ in range(5):
        await notes.tell(run, QUOTA)
    (event,) = await events(admin, namespace)
    assert (event["type"], event["reason"], event["message"]) == (QUOTA.type, QUOTA.reason, QUOTA.message)
    assert event["involvedObject"]["uid"] == run["metadata"]["uid"]
    assert event["count"] == 1
    clock.now += 61
    await notes.tell(run, QUOTA)
    (event,) = await events(admin, namespace)
    assert event["count"] == 6


async def test_a_new_process_counts_on(served: ControlPlane, namespace: str, admin: Api) -> None:
    run = await admin.create(RUN, namespace, manifest(namespace, "one"))
    await Notes(admin, "first").tell(run, QUOTA)
    await Notes(admin, "second").tell(run, QUOTA)
    (event,) = await events(admin, namespace)
    assert event["count"] == 2


async def test_other_words_are_another_event_until_there_are_too_many(
    served: ControlPlane, namespace: str, admin: Api
) -> None:
    run, clock = await admin.create(RUN, namespace, manifest(namespace, "one")), Clock()
    notes = Notes(admin, "me", clock)
    for number in range(BURST + 10):
        await notes.tell(run, Note(type="Normal", reason="Step", message=f"step {number}"))
    assert len(await events(admin, namespace)) == BURST
    clock.now += 60
    await notes.tell(run, Note(type="Normal", reason="Step", message="a minute later"))
    assert len(await events(admin, namespace)) == BURST + 1


async def test_an_event_that_cannot_be_written_is_dropped(served: ControlPlane, namespace: str, admin: Api) -> None:
    run = await admin.create(RUN, namespace, manifest(namespace, "one"))
    elsewhere = {**run, "metadata": {**run["metadata"], "namespace": "no-such-namespace"}}
    await Notes(admin, "me").tell(elsewhere, QUOTA)
    assert await events(admin, namespace) == []
