"""One operator and many runs, on a real API server with nodes that run nothing.

    python -m bench.scale [runs ...]

Every run wants a learner and 4 workers. Nodes and pods are those of tools/kube with the fake executor: a pod is ready
at once. Control plane, nodes, Redis and this program share the machine with the operator, whose process is measured.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import subprocess
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import aiohttp
import psutil
import redis
from tools.kube.addresses import free_port
from tools.kube.api import Api, ApiError, Json
from tools.kube.controlplane import ControlPlane
from tools.kube.fake import FakeExecutor
from tools.kube.fleet import Fleet
from tools.kube.node import Node
from tools.kube.operators import Operator
from tools.kube.wait import until

from bench.figure import Figure
from mobilegym.operator.crd import crd
from mobilegym.operator.runs import stream_of
from mobilegym.protocol.codec import encode
from mobilegym.protocol.messages import Heartbeat
from mobilegym.protocol.streams.keys import Keys

SIZES = (100, 1000)
WORKERS, NAMESPACES, NODES, PODS_A_NODE = 4, 20, 20, 300
RUNS = "/apis/mobilegym.io/v1alpha1/mobilegymruns"
AWAY_SECONDS, OBSERVED_SECONDS, TOLD_SECONDS = 10.0, 30.0, 5.0
NOTE = "fake executor"

LITTLE = {"requests": {"cpu": "10m", "memory": "16Mi", "ephemeral-storage": "1Mi"}}
SPEC: Json = {
    "model": {"preset": "pocket"},
    "workers": {"replicas": WORKERS, "resources": LITTLE},
    "learner": {"checkpoint": {"ephemeral": True}, "resources": LITTLE},
}


def nodes(count: int = NODES) -> list[Node]:
    return [Node(name=f"scale-{n}", cpu="1000", memory="10Ti", pods=PODS_A_NODE) for n in range(count)]


def manifests(count: int, namespaces: Sequence[str]) -> list[Json]:
    return [
        {
            "apiVersion": "mobilegym.io/v1alpha1",
            "kind": "MobileGymRun",
            "metadata": {"name": f"run-{n}", "namespace": namespaces[n % len(namespaces)]},
            "spec": SPEC,
        }
        for n in range(count)
    ]


def path_of(run: Json) -> str:
    """Of the collection that it is in."""
    return f"/apis/mobilegym.io/v1alpha1/namespaces/{run['metadata']['namespace']}/mobilegymruns"


def is_right(run: Json) -> bool:
    """The status says what is so: it trains with all its workers."""
    status = run.get("status") or {}
    return status.get("phase") == "Running" and status["workers"]["ready"] == run["spec"]["workers"]["replicas"]


async def make(api: Api, wanted: Sequence[Json], at_once: int = 20) -> list[Json]:
    limit = asyncio.Semaphore(at_once)

    async def one(run: Json) -> Json:
        async with limit:
            return await api.post(path_of(run), run)

    return await asyncio.gather(*map(one, wanted))


async def until_right(api: Api, uids: set[str], seconds: float) -> None:
    """Raises TimeoutError, which says how many were."""
    right: set[str] = set()
    try:
        async with asyncio.timeout(seconds):
            runs, version = await api.list(RUNS)
            right |= {run["metadata"]["uid"] for run in runs if is_right(run)}
            while not uids <= right:
                async for kind, run in api.watch(RUNS, version):
                    version = run["metadata"]["resourceVersion"]
                    if kind != "BOOKMARK":
                        (right.add if is_right(run) else right.discard)(run["metadata"]["uid"])
                    if uids <= right:
                        return
    except TimeoutError:
        raise TimeoutError(f"{len(uids & right)} of {len(uids)} runs are right after {seconds:g} s") from None


@dataclass(frozen=True, kw_only=True)
class Process:
    """CPU seconds so far, and the most memory so far in MB."""

    cpu: float
    memory: float

    @classmethod
    def of(cls, operator: Operator) -> Process:
        times = psutil.Process(operator.process.pid).cpu_times()
        status = Path(f"/proc/{operator.process.pid}/status").read_text()
        peak = next(line for line in status.splitlines() if line.startswith("VmHWM:"))
        return cls(cpu=times.user + times.system, memory=int(peak.split()[1]) * 1024 / 1e6)


def until_quiet(operator: Operator, runs: int, seconds: float = 300.0) -> None:
    """Every run was looked at and none waits."""
    depth = "mobilegym_operator_queue_depth"
    until(
        lambda: operator.reconciles() >= runs and not operator.metric(depth),
        "the operator to be quiet",
        seconds=seconds,
    )


@dataclass(kw_only=True)
class Scene:
    """A cluster with nodes, an operator for all namespaces, and its Redis. `stack` ends them."""

    plane: ControlPlane
    folder: Path
    redis_url: str
    api: Api
    count: int
    namespaces: Sequence[str]
    turn: int = 0

    def operator(self) -> Operator:
        self.turn += 1
        identity = f"operator-{self.turn}"
        made = Operator(
            self.plane, self.folder, namespace="default", redis_url=self.redis_url, identity=identity, everywhere=True
        )
        return made.start()

    def say(self, name: str, unit: str, value: float, note: str = "") -> None:
        Figure.of(f"{self.count} runs: {name}", unit, [value], f"{NOTE}; {note}" if note else NOTE).say()


async def all_figures(scene: Scene) -> None:
    operator = scene.operator()
    try:
        runs = await coming_up(scene, operator)
        await at_rest(scene, operator)
        await training(scene, operator, runs)
        await after_an_outage(scene, operator, runs)
        operator.stop()
        operator = await cold_start(scene)
    finally:
        operator.end()


async def coming_up(scene: Scene, operator: Operator) -> list[Json]:
    await asyncio.to_thread(operator.wait_leads)
    before, began = Process.of(operator), time.monotonic()
    runs = await make(scene.api, manifests(scene.count, scene.namespaces))
    made = time.monotonic() - began
    await until_right(scene.api, {run["metadata"]["uid"] for run in runs}, 900)
    seconds, after = time.monotonic() - began, Process.of(operator)
    pods = scene.count * (WORKERS + 1)
    scene.say("all statuses right", "s", seconds, f"{pods:,} pods; making the runs took {made:.0f} s of it")
    scene.say("CPU of the operator until then", "s", after.cpu - before.cpu)
    scene.say("writes of the operator until then", "1/run", operator.writes() / scene.count)
    scene.say("memory of the operator", "MB", after.memory, "most so far")
    return runs


async def at_rest(scene: Scene, operator: Operator) -> None:
    await asyncio.sleep(15)  # statuses that were held back
    writes, cpu = await _over(operator, OBSERVED_SECONDS)
    scene.say("writes while nothing happens", "1/run/10s", writes / scene.count * 10 / OBSERVED_SECONDS)
    scene.say("CPU while nothing happens", "cores", cpu / OBSERVED_SECONDS)


async def training(scene: Scene, operator: Operator, runs: Sequence[Json]) -> None:
    """All learners and workers tell of themselves every 5 s, and take a step every 10 s."""
    telling = asyncio.create_task(_tell(scene.redis_url, runs))
    try:
        await asyncio.sleep(15)
        writes, cpu = await _over(operator, OBSERVED_SECONDS)
    finally:
        telling.cancel()
        await asyncio.wait([telling])
    scene.say("writes while all train", "1/run/10s", writes / scene.count * 10 / OBSERVED_SECONDS, "a step every 10 s")
    scene.say("CPU while all train", "cores", cpu / OBSERVED_SECONDS)
    scene.say("memory of the operator, training", "MB", Process.of(operator).memory, "most so far")


async def _over(operator: Operator, seconds: float) -> tuple[float, float]:
    writes, cpu = operator.writes(), Process.of(operator).cpu
    await asyncio.sleep(seconds)
    return operator.writes() - writes, Process.of(operator).cpu - cpu


async def _tell(url: str, runs: Sequence[Json]) -> None:
    client = redis.Redis.from_url(url)
    step = 0
    while True:
        began = time.monotonic()
        step += 1
        await asyncio.to_thread(_beats, client, runs, step // 2)
        await asyncio.sleep(max(0.0, TOLD_SECONDS - (time.monotonic() - began)))


def _beats(client: redis.Redis, runs: Sequence[Json], step: int) -> None:
    for start in range(0, len(runs), 100):
        pipe = client.pipeline(transaction=False)
        for run in runs[start : start + 100]:
            keys, name, now = Keys.of(stream_of(run)), run["metadata"]["name"], time.time()
            detail = {"phase": "training", "step": step, "version": step, "success": 0.5, "reward": 0.5}
            beats = [Heartbeat(who="learner", role="learner", at=now, detail=detail)]
            beats += [
                Heartbeat(who=f"{name}-worker-{n}", role="worker", at=now, detail={"busy": 2}) for n in range(WORKERS)
            ]
            pipe.hset(keys.beats, mapping={beat.who: encode(beat) for beat in beats})
            pipe.zadd(keys.beat_expiry, {beat.who: (now + 3600) * 1000 for beat in beats})  # none expires meanwhile
        pipe.execute()


async def after_an_outage(scene: Scene, operator: Operator, runs: Sequence[Json]) -> None:
    before = await _pods(scene)
    scene.plane.apiserver.kill()
    await asyncio.sleep(AWAY_SECONDS)
    scene.plane.apiserver.start()
    await asyncio.to_thread(scene.plane.wait_ready)
    began, run = time.monotonic(), runs[0]
    await scene.api.patch(f"{path_of(run)}/run-0", {"spec": {"workers": {"replicas": WORKERS + 1}}})
    await _there(scene.api, f"/api/v1/namespaces/{run['metadata']['namespace']}/pods/run-0-worker-{WORKERS}")
    note = f"until a run that is scaled then has its pod; away for {AWAY_SECONDS:g} s"
    scene.say("recovery after the API server was away", "s", time.monotonic() - began, note)
    scene.say("pods lost by that", "count", len(before - await _pods(scene)))
    scene.say("memory of the operator, after that", "MB", Process.of(operator).memory, "most so far")
    await asyncio.sleep(20)


async def _pods(scene: Scene) -> set[str]:
    pods, _ = await scene.api.list("/api/v1/pods", labelSelector="app.kubernetes.io/managed-by=mobilegym-operator")
    return {pod["metadata"]["uid"] for pod in pods}


async def _there(api: Api, path: str, seconds: float = 120.0) -> None:
    async with asyncio.timeout(seconds):
        while True:
            with contextlib.suppress(ApiError, aiohttp.ClientError):
                await api.get(path)
                return
            await asyncio.sleep(0.1)


async def cold_start(scene: Scene) -> Operator:
    """Over all the runs; Redis has their last heartbeats."""
    began, operator = time.monotonic(), scene.operator()
    await asyncio.to_thread(until_quiet, operator, scene.count)
    seconds, process = time.monotonic() - began, Process.of(operator)
    scene.say("cold start until every run was looked at", "s", seconds)
    scene.say("CPU of a cold start", "s", process.cpu)
    scene.say("writes of a cold start", "count", operator.writes())
    scene.say("memory of the operator, cold start", "MB", process.memory, "most so far")
    return operator


# -- set-up --


@contextlib.contextmanager
def redis_server(folder: Path) -> Iterator[str]:
    port = free_port()
    command = ["redis-server", "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--dir", str(folder)]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    client = redis.Redis(port=port)
    try:
        until(lambda: _answers(client.ping), "redis-server", seconds=20)
        yield f"redis://127.0.0.1:{port}/0"
    finally:
        client.close()
        server.terminate()
        server.wait(20)


def _answers(ask: Callable[[], Any]) -> bool:
    try:
        return bool(ask())
    except redis.ConnectionError:
        return False


@contextlib.asynccontextmanager
async def scene(count: int, folder: Path) -> AsyncIterator[Scene]:
    plane = ControlPlane(folder / "kube", node_grace=300)
    with contextlib.ExitStack() as stack:
        stack.callback(plane.stop)
        plane.start()
        url = stack.enter_context(redis_server(folder))
        stack.enter_context(Fleet(plane, FakeExecutor(), nodes(), resync=20.0))
        names = [f"scale-{n}" for n in range(NAMESPACES)]
        async with Api(url=plane.url, token=plane.token, authority=plane.authority) as api:
            await api.post("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", crd())
            for name in names:
                await api.post("/api/v1/namespaces", {"metadata": {"name": name}})
            yield Scene(plane=plane, folder=folder, redis_url=url, api=api, count=count, namespaces=names)


async def measure(count: int) -> None:
    with tempfile.TemporaryDirectory(prefix="scale-") as folder:
        async with scene(count, Path(folder)) as there:
            await all_figures(there)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.scale", description=__doc__)
    parser.add_argument("runs", nargs="*", type=int, default=SIZES)
    for count in parser.parse_args().runs:
        asyncio.run(measure(count))


if __name__ == "__main__":
    main()
