"""Watching through what happens to API servers."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest
from tests.operator.machine import eventually, listed
from tools.kube.controlplane import ControlPlane

from mobilegym.operator import api as api_module
from mobilegym.operator import names
from mobilegym.operator.api import Api
from mobilegym.operator.kinds import CONFIG_MAP
from mobilegym.operator.store import Key, Store
from mobilegym.operator.watch import Informer


def config(name: str, value: str = "", *, ours: bool = True) -> dict[str, Any]:
    labels = names.labels("run") if ours else {"app.kubernetes.io/managed-by": "Helm", names.RUN: "run"}
    return {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": name, "labels": labels},
        "data": {"value": value},
    }


def value_of(obj: Any) -> str:
    return str(obj["data"]["value"])


class Seen:
    """A store with its informer at work."""

    def __init__(self, admin: Api, namespace: str) -> None:
        self.namespace = namespace
        self.restarts: list[str] = []
        self.store: Store[str] = Store(value_of)
        self.informer = Informer(admin, CONFIG_MAP, self.store, namespace=namespace, restarted=self.restarts.append)
        self.task = asyncio.create_task(self.informer.run())

    def value(self, name: str) -> str | None:
        entry = self.store.get(Key(self.namespace, "run"), name)
        return entry.value if entry else None


@pytest.fixture
async def seen(admin: Api, namespace: str) -> AsyncIterator[Seen]:
    found = Seen(admin, namespace)
    yield found
    found.task.cancel()
    await asyncio.wait([found.task])


async def test_lists_page_by_page_then_follows(admin: Api, namespace: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(api_module, "PAGE", 3)
    for number in range(10):
        await admin.create(CONFIG_MAP, namespace, config(f"c-{number}", str(number)))
    await admin.create(CONFIG_MAP, namespace, config("other", ours=False))
    seen = Seen(admin, namespace)
    await asyncio.wait_for(seen.informer.synced.wait(), 20)
    assert len(seen.store) == 10
    made = await admin.create(CONFIG_MAP, namespace, config("late", "new"))
    await eventually(lambda: seen.value("late") == "new", "what was made after the list")
    await admin.delete(CONFIG_MAP, namespace, "late", uid=made["metadata"]["uid"])
    await eventually(lambda: seen.value("late") is None, "what was deleted is gone")
    seen.task.cancel()
    await asyncio.wait([seen.task])


async def test_goes_on_after_the_api_server_was_killed(
    served: ControlPlane, seen: Seen, admin: Api, namespace: str
) -> None:
    await admin.create(CONFIG_MAP, namespace, config("before", "1"))
    await eventually(lambda: seen.value("before") == "1", "the first object")
    served.apiserver.kill()
    await eventually(lambda: seen.restarts, "the watch notices")
    served.apiserver.start()
    await asyncio.to_thread(served.wait_ready)
    await admin.create(CONFIG_MAP, namespace, config("after", "2"))
    await eventually(lambda: seen.value("after") == "2", "what was made after the restart")
    assert seen.value("before") == "1"
    assert seen.informer.age < 60


async def test_lists_again_where_the_history_is_gone(
    admin: Api, namespace: str, seen: Seen, monkeypatch: pytest.MonkeyPatch
) -> None:
    await admin.create(CONFIG_MAP, namespace, config("kept", "1"))
    doomed = await admin.create(CONFIG_MAP, namespace, config("doomed", "1"))
    await eventually(lambda: seen.value("doomed") == "1", "both objects")
    seen.task.cancel()
    await asyncio.wait([seen.task])
    await admin.delete(CONFIG_MAP, namespace, "doomed", uid=doomed["metadata"]["uid"])
    first = Api.watch
    asked: list[str] = []

    def forgetful(self: Api, kind: Any, where: Any, version: str, selector: str = "") -> Any:
        asked.append(version)
        return first(self, kind, where, "1" if len(asked) == 1 else version, selector)

    monkeypatch.setattr(Api, "watch", forgetful)
    seen.task = asyncio.create_task(seen.informer.run())
    made = await admin.create(CONFIG_MAP, namespace, config("later", "1"))
    assert made["metadata"]["name"] == "later"
    await eventually(lambda: seen.value("later") == "1", "changes after the second list")
    assert seen.restarts, "the API server said 410"
    assert seen.value("doomed") is None
    assert seen.value("kept") == "1"
    assert len(await listed(admin, CONFIG_MAP, namespace)) == 2
