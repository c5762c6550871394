"""Runs as their user sees them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from tests.operator.machine import eventually, listed, manifest

from mobilegym.operator import names
from mobilegym.operator.api import Api, Object
from mobilegym.operator.kinds import POD, RUN, SECRET, WATCHED

Holds = Callable[[Object], Any]


async def make(api: Api, namespace: str, name: str = "one", **spec: Any) -> Object:
    """A small run; `spec` on top. Checkpoints are ephemeral: claims are somebody else's test."""
    learner = {"checkpoint": {"ephemeral": True}} | spec.pop("learner", {})
    return await api.create(RUN, namespace, manifest(namespace, name, learner=learner, **spec))


async def edit(api: Api, namespace: str, name: str = "one", **spec: Any) -> Object:
    return await api.merge(RUN, namespace, name, {"spec": spec})


async def wait_run(api: Api, namespace: str, name: str, holds: Holds, what: str, seconds: float = 45.0) -> Object:
    """The run, once its present manifest is observed and `holds`."""

    async def look() -> Object | None:
        run = await api.get(RUN, namespace, name)
        seen = run.get("status", {}).get("observedGeneration") == run["metadata"]["generation"]
        return run if seen and holds(run) else None

    try:
        found: Object = await eventually(look, f"run {name}: {what}", seconds)
    except BaseException:
        print(name, (await api.get(RUN, namespace, name)).get("status"))
        raise
    return found


async def wait_up(api: Api, namespace: str, name: str = "one", seconds: float = 45.0) -> Object:
    """Running, with all its workers ready."""
    return await wait_run(api, namespace, name, is_up, "up", seconds)


def is_up(run: Object) -> bool:
    workers = run["status"]["workers"]
    return phase(run) == "Running" and workers["ready"] == workers["replicas"] == wanted(run)


def wanted(run: Object) -> int:
    return int(run["spec"]["workers"]["replicas"])


def phase(run: Object) -> str:
    return str(run.get("status", {}).get("phase", ""))


def condition(run: Object, kind: str) -> tuple[str, str, str]:
    """Status, reason, message; empty where it is not there."""
    for c in run.get("status", {}).get("conditions", ()):
        if c["type"] == kind:
            return c["status"], c["reason"], c["message"]
    return "", "", ""


async def pods_of(api: Api, namespace: str) -> dict[str, Object]:
    """By name."""
    return {pod["metadata"]["name"]: pod for pod in await listed(api, POD, namespace)}


async def wait_workers(api: Api, namespace: str, count: int, seconds: float = 45.0) -> dict[str, Object]:
    """All pods by name, once exactly so many workers, and none that ends, and the learner are ready."""

    async def look() -> dict[str, Object] | None:
        pods = await pods_of(api, namespace)
        return pods if len(pods) == count + 1 and all(map(is_ready, pods.values())) else None

    found: dict[str, Object] = await eventually(look, f"{count} ready workers and the learner", seconds)
    return found


def is_ready(pod: Object) -> bool:
    conditions = pod.get("status", {}).get("conditions", ())
    ready = any(c["type"] == "Ready" and c["status"] == "True" for c in conditions)
    return ready and "deletionTimestamp" not in pod["metadata"]


async def uids_of(api: Api, namespace: str) -> dict[str, str]:
    return {name: pod["metadata"]["uid"] for name, pod in (await pods_of(api, namespace)).items()}


async def objects_of(api: Api, namespace: str) -> dict[tuple[str, str], str]:
    """Resource versions of the runs and all that the operator has made for them, by kind and name."""
    found = {}
    for kind in (*WATCHED, SECRET, RUN):
        selector = "" if kind is RUN else f"app.kubernetes.io/managed-by={names.MANAGER}"
        async for page in api.pages(kind, namespace, selector):
            for obj in page.items:
                found[kind.kind, obj["metadata"]["name"]] = obj["metadata"]["resourceVersion"]
    return found


async def throughout(seconds: float, holds: Callable[[], Any], what: str) -> None:
    """Fails as soon as it does not hold within the time."""
    loop = asyncio.get_running_loop()
    end = loop.time() + seconds
    while loop.time() < end:
        found = holds()
        if asyncio.iscoroutine(found):
            found = await found
        assert found, what
        await asyncio.sleep(0.2)
