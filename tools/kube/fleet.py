"""Nodes for a control plane: their kubelets in one thread with an event loop of its own."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Coroutine, Sequence
from concurrent.futures import Future
from contextlib import suppress
from typing import Any, TypeVar

import aiohttp
from tools.kube.addresses import PodAddresses
from tools.kube.api import Api, ApiError
from tools.kube.backoff import Backoff
from tools.kube.controlplane import ControlPlane
from tools.kube.executor import Executor, Surroundings
from tools.kube.heartbeat import Heartbeat
from tools.kube.kubelet import Kubelet
from tools.kube.logserver import LogServer
from tools.kube.node import Node
from tools.kube.services import Services
from tools.kube.volumes import Provisioner

log = logging.getLogger(__name__)
Result = TypeVar("Result")
CLOSING_SECONDS = 0.1  # aborted connections close in later turns of the loop


class Fleet:
    """Use as a context manager, or `start` and `stop`. Nodes may come and go in between."""

    def __init__(
        self,
        plane: ControlPlane,
        executor: Executor,
        nodes: Sequence[Node],
        *,
        backoff: Backoff | None = None,
        resync: float = 10.0,
    ) -> None:
        self.plane, self.executor = plane, executor
        self.kubelets: dict[str, Kubelet] = {}
        self._nodes = nodes
        self._backoff, self._resync = backoff or Backoff(), resync
        self._addresses = PodAddresses(plane.span.pods)
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="fleet", daemon=True)
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._logserver: LogServer | None = None

    def __enter__(self) -> Fleet:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def start(self) -> None:
        plane = self.plane
        self._thread.start()
        self._heartbeat = Heartbeat(port=plane.port, token=plane.token, authority=plane.authority)
        self._heartbeat.start()
        self._call(self._open())
        for node in self._nodes:
            self.add(node)

    def add(self, node: Node) -> None:
        """Registers a node and runs the pods bound to it."""
        self._call(self._add(node))

    def lose(self, name: str) -> None:
        """The node is unplugged: its pods' processes are killed, its heartbeat ends, its object stays."""
        self._call(self._lose(name))

    def stop(self) -> None:
        """Kills all pods' processes and removes the nodes."""
        self._heartbeat.stop()
        for kubelet in self.kubelets.values():
            self._call(self._end(kubelet))
        if self.plane.apiserver.alive:
            self._call(self._forget(), 300)
        self._call(self._close())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)
        self._loop.close()

    async def _open(self) -> None:
        plane = self.plane
        self._api = await Api(url=plane.url, token=plane.token, authority=plane.authority).__aenter__()
        provisioner = Provisioner(self._api, plane.folder / "volumes")
        await provisioner.register()
        self._run("provisioner", provisioner.run())
        services = Services(self._api, apiserver=plane.port)
        await self.executor.open(
            Surroundings(api=self._api, url=plane.url, authority=plane.authority, services=services)
        )
        if self.executor.real:
            self._run("services", services.run())
        if self.executor.logs is not None:
            self._logserver = LogServer(self.executor.logs, self._writes)
            await self._logserver.start(plane.folder / "sa.crt", plane.folder / "sa.key")

    async def _close(self) -> None:
        for name in list(self._tasks):
            await self._cancel(name)
        if self._logserver is not None:
            await self._logserver.stop()
        await self._api.__aexit__(None, None, None)
        await self._loop.shutdown_asyncgens()
        await self._loop.shutdown_default_executor()
        await asyncio.sleep(CLOSING_SECONDS)

    async def _add(self, node: Node) -> None:
        kubelet = Kubelet(
            node,
            api=self._api,
            executor=self.executor,
            addresses=self._addresses,
            backoff=self._backoff,
            resync=self._resync,
            port=self._logserver.port if self._logserver else 0,
        )
        await kubelet.register()
        self.kubelets[node.name] = kubelet
        self._heartbeat.add(node)
        self._run(node.name, kubelet.run())

    async def _lose(self, name: str) -> None:
        kubelet = self.kubelets.pop(name)
        self._heartbeat.remove(kubelet.node)
        await self._end(kubelet)

    async def _end(self, kubelet: Kubelet) -> None:
        await self._cancel(kubelet.node.name)
        await kubelet.stop()

    def _run(self, name: str, work: Coroutine[Any, Any, None]) -> None:
        self._tasks[name] = asyncio.create_task(work, name=name)
        self._tasks[name].add_done_callback(_report)

    async def _cancel(self, name: str) -> None:
        task = self._tasks.pop(name)
        task.cancel()
        await asyncio.wait((task,))

    def _writes(self, namespace: str, name: str, container: str) -> bool:
        """Whether a container may still write to its log."""
        pods = (pod for kubelet in self.kubelets.values() for pod in kubelet.pods.values())
        return any((pod.key.namespace, pod.key.name) == (namespace, name) and not pod.finished for pod in pods)

    async def _forget(self) -> None:
        """Removes the nodes and their pods from the API server."""
        keys = [pod.key.path for kubelet in self.kubelets.values() for pod in kubelet.pods.values()]
        paths = [f"/api/v1/nodes/{name}" for name in self.kubelets] + keys
        limit = asyncio.Semaphore(32)

        async def forget(path: str) -> None:
            async with limit:
                with suppress(ApiError, aiohttp.ClientError):
                    await self._api.delete(path, {"gracePeriodSeconds": 0})

        await asyncio.gather(*map(forget, paths))

    def _call(self, work: Coroutine[Any, Any, Result], seconds: float = 60.0) -> Result:
        """Runs on the fleet's loop, from any other thread."""
        future: Future[Result] = asyncio.run_coroutine_threadsafe(work, self._loop)
        return future.result(seconds)


def _report(task: asyncio.Task[None]) -> None:
    if not task.cancelled() and (error := task.exception()):
        log.error("%s ended", task.get_name(), exc_info=error)
