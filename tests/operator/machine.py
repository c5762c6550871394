"""An operator at work in a test's own loop, with a decision small enough to be read here."""

from __future__ import annotations

import asyncio
import contextlib
import json
import uuid
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest
from tools.kube.controlplane import ControlPlane

from mobilegym.operator import names
from mobilegym.operator.api import Api
from mobilegym.operator.connect import connect
from mobilegym.operator.controller import Controller
from mobilegym.operator.crd import crd
from mobilegym.operator.handlers import listen
from mobilegym.operator.kinds import CONFIG_MAP, POD, RUN, SECRET, Kind
from mobilegym.operator.observed import Observed
from mobilegym.operator.plan import Plan
from mobilegym.operator.settings import Settings

Object = dict[str, Any]


async def eventually(look: Callable[[], Any], what: str, seconds: float = 45.0) -> Any:
    """The first true value that `look`, which may be async, returns. Fails with what was waited for."""
    seen: Any = None
    try:
        async with asyncio.timeout(seconds):
            while True:
                seen = look()
                if asyncio.iscoroutine(seen):
                    seen = await seen
                if seen:
                    return seen
                await asyncio.sleep(0.05)
    except TimeoutError:
        pytest.fail(f"waited {seconds:g} s for {what}; seen last: {seen!r}")


def manifest(namespace: str, name: str, **spec: Any) -> Object:
    return {
        "apiVersion": RUN.api,
        "kind": RUN.kind,
        "metadata": {"name": name, "namespace": namespace},
        "spec": {"model": {"preset": "pocket"}} | spec,
    }


def child(observed: Observed, kind: Kind, name: str, **rest: Any) -> Object:
    """An object of the run, with all that the machinery asks of one."""
    meta = observed.run["metadata"]
    part = {names.PART: names.WORKER, names.INDEX: name.rpartition("-")[2]} if kind is POD else {}
    return {
        "apiVersion": kind.api,
        "kind": kind.kind,
        "metadata": {
            "name": name,
            "namespace": meta["namespace"],
            "labels": names.labels(meta["name"]) | part,
            "annotations": {names.HASH: "1"},
            "ownerReferences": [
                {
                    "apiVersion": RUN.api,
                    "kind": RUN.kind,
                    "name": meta["name"],
                    "uid": meta["uid"],
                    "controller": True,
                    "blockOwnerDeletion": False,
                }
            ],
        },
        **rest,
    }


def worker(observed: Observed, index: int) -> Object:
    container = {"name": names.WORKER, "image": "mobilegym/worker", "resources": {"requests": {"cpu": "1m"}}}
    name = names.worker_name(observed.run["metadata"]["name"], index)
    return child(observed, POD, name, spec={"containers": [container], "terminationGracePeriodSeconds": 0})


def small_plan(observed: Observed, settings: Settings) -> Plan:
    """As many workers as asked for, a ConfigMap, a Secret, and a status that counts."""
    name, wanted = observed.run["metadata"]["name"], int(observed.run["spec"]["workers"]["replicas"])
    there = {pod.index: pod for pod in observed.pods}
    pods = [worker(observed, index) for index in range(wanted) if index not in there]
    config = child(observed, CONFIG_MAP, names.config_name(name), data={"run.yaml": "{}"})
    secret = child(observed, SECRET, names.secret_name(name), stringData={"worker": "redis://x"})
    phase = "Pending" if observed.refusal else "Running" if len(there) >= wanted else "Starting"
    status = {"phase": phase, "workers": {"desired": wanted, "ready": sum(pod.ready for pod in observed.pods)}}
    return Plan(apply=(config, secret, *pods), status=status)


@contextlib.asynccontextmanager
async def operating(
    cluster: ControlPlane, namespace: str, *, kopf: bool = True, **more: Any
) -> AsyncIterator[Controller]:
    """One operator of the namespace. Keywords of Controller, and those of Settings."""
    own: dict[str, Any] = {"decide": small_plan}
    own |= {name: more.pop(name) for name in ("decide", "own_schema", "refuse_schema", "advise") if name in more}
    settings = Settings(
        **{"namespace": namespace, "watch": namespace, "identity": f"operator-{uuid.uuid4().hex[:6]}"} | more
    )
    controller = Controller(await connect(), settings, **own)
    stop, ready = asyncio.Event(), asyncio.Event()
    work = asyncio.create_task(controller.run())
    tasks = [work]
    if kopf:
        tasks.append(asyncio.create_task(listen(controller.event, namespace=namespace, stop=stop, ready=ready)))
    try:
        yield controller
        assert not any(task.done() for task in tasks), [task for task in tasks if task.done()]
    finally:
        await controller.release()
        stop.set()
        work.cancel()
        await asyncio.wait(tasks, timeout=20)
        await controller.api.close()


def writes(controller: Controller, kind: str | None = None, verb: str | None = None) -> float:
    """To the API server so far; the Lease aside."""
    return sum(
        sample.value
        for metric in controller.metrics.writes.collect()
        for sample in metric.samples
        if sample.name.endswith("_total")
        and kind in (None, sample.labels["kind"])
        and verb in (None, sample.labels["verb"])
    )


def reconciles(controller: Controller, outcome: str = "ok") -> float:
    return float(
        controller.metrics.registry.get_sample_value("mobilegym_operator_reconciles_total", {"outcome": outcome}) or 0
    )


def refused(controller: Controller, kind: str) -> float:
    """Writes that the API server would not do."""
    labels = {"kind": kind}
    return float(controller.metrics.registry.get_sample_value("mobilegym_operator_refusals_total", labels) or 0)


def serve_crd(cluster: ControlPlane) -> None:
    cluster.kubectl("apply", "--server-side", "--force-conflicts", "-f", "-", input=json.dumps(crd()))
    cluster.kubectl("wait", "--for=condition=Established", f"crd/{names.PLURAL}.{names.GROUP}", "--timeout=30s")


async def listed(api: Api, kind: Kind, namespace: str) -> list[Object]:
    return [
        obj
        async for page in api.pages(kind, namespace, f"app.kubernetes.io/managed-by={names.MANAGER}")
        for obj in page.items
    ]
