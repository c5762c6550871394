"""The kubelet of one node: runs the pods bound to it, writes their statuses, honours their deletion."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine
from typing import Any

import aiohttp
from tools.kube.addresses import PodAddresses
from tools.kube.api import STRATEGIC, Api, ApiError, Json
from tools.kube.backoff import Backoff
from tools.kube.executor import Executor
from tools.kube.follow import Change, Changed, Listed, follow
from tools.kube.node import HOST, Node
from tools.kube.pod import Key, Pod
from tools.kube.status import Phase
from tools.kube.writer import StatusWriter

log = logging.getLogger(__name__)


class Kubelet:
    def __init__(
        self,
        node: Node,
        *,
        api: Api,
        executor: Executor,
        addresses: PodAddresses,
        backoff: Backoff,
        port: int = 0,
        resync: float = 10.0,
    ) -> None:
        """`port` serves logs; every `resync` seconds all statuses are compared with the API server's."""
        self.node = node
        self.pods: dict[str, Pod] = {}  # by uid
        self._api, self._executor, self._addresses, self._backoff = api, executor, addresses, backoff
        self._port, self._resync_seconds = port, resync
        self._writer = StatusWriter(api)
        self._tasks: set[asyncio.Task[None]] = set()
        self._ending: set[str] = set()

    async def register(self) -> None:
        """Makes the Node and its Lease, or takes over those that are there."""
        await _make(self._api, "/api/v1/nodes", self.node.manifest())
        await _make(self._api, "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases", self.node.lease())
        status = {"status": self.node.status(self._port)}
        await self._api.patch(f"/api/v1/nodes/{self.node.name}/status", status, kind=STRATEGIC)

    async def run(self) -> None:
        async with asyncio.TaskGroup() as group:
            group.create_task(self._writer.run())
            group.create_task(self._resync())
            async for event in follow(self._api, "/api/v1/pods", fieldSelector=f"spec.nodeName={self.node.name}"):
                match event:
                    case Listed(items=items):
                        gone = self.pods.keys() - {item["metadata"]["uid"] for item in items}
                        for uid in gone:
                            self._vanished(self.pods[uid])
                        for item in items:
                            self._seen(item)
                    case Changed(change=Change.DELETED, item=item):
                        if pod := self.pods.get(item["metadata"]["uid"]):
                            self._vanished(pod)
                    case Changed(item=item):
                        self._seen(item)

    async def stop(self) -> None:
        """Kills every pod's processes; the API server is not told. To be called when `run` has ended."""
        pods = list(self.pods.values())
        for pod in pods:
            pod.hasten(0)
        await asyncio.gather(*(pod.terminate() for pod in pods))
        await asyncio.gather(*(self._executor.release(pod.sandbox) for pod in pods))
        for task in self._tasks:
            task.cancel()

    def _seen(self, item: Json) -> None:
        item["metadata"].pop("managedFields", None)
        pod = self.pods.get(item["metadata"]["uid"])
        if pod is None:
            pod = self._admit(item)
        if pod is not None:
            pod.observed = item.get("status", {})
            pod.sandbox.pod = item
            if "deletionTimestamp" in item["metadata"]:
                self._end(pod, item["metadata"].get("deletionGracePeriodSeconds", 30))

    def _admit(self, item: Json) -> Pod | None:
        if Phase(item["status"].get("phase", "Pending")).terminal:
            if "deletionTimestamp" in item["metadata"]:
                self._spawn(self._remove(Key.of(item)), item["metadata"]["name"])
            return None
        pod = Pod(
            item,
            address=self._addresses.take(),
            host=HOST,
            executor=self._executor,
            backoff=self._backoff,
            changed=self._writer.put,
        )
        self.pods[pod.key.uid] = pod
        if "deletionTimestamp" not in item["metadata"]:
            pod.begin().add_done_callback(_report)
        return pod

    def _vanished(self, pod: Pod) -> None:
        """Its object is gone: it is killed at once."""
        self._end(pod, 0)

    def _end(self, pod: Pod, grace: float) -> None:
        """Ends it, or shortens the grace of an end under way."""
        pod.hasten(grace)
        if pod.key.uid not in self._ending:
            self._ending.add(pod.key.uid)
            self._spawn(self._delete(pod), pod.key.name)

    async def _delete(self, pod: Pod) -> None:
        await pod.terminate()
        await self._writer.flush(pod)
        await self._executor.release(pod.sandbox)
        self._addresses.give_back(pod.sandbox.address)
        await self._remove(pod.key)
        self.pods.pop(pod.key.uid, None)
        self._ending.discard(pod.key.uid)

    async def _remove(self, key: Key) -> None:
        """The last deletion, with no grace: the object goes."""
        body = {"gracePeriodSeconds": 0, "preconditions": {"uid": key.uid}}
        while True:
            try:
                await self._api.delete(key.path, body)
                return
            except ApiError as error:
                if error.not_found or error.conflict:
                    return
                log.warning("deletion of %s: %s", key.name, error)
            except (aiohttp.ClientError, TimeoutError) as error:
                log.debug("deletion of %s: %r", key.name, error)
            await asyncio.sleep(0.5)

    async def _resync(self) -> None:
        while True:
            await asyncio.sleep(self._resync_seconds)
            for pod in list(self.pods.values()):
                if pod.written is not None and not holds(pod.observed, pod.written):
                    self._writer.rewrite(pod)

    def _spawn(self, work: Coroutine[Any, Any, None], name: str) -> None:
        task = asyncio.get_running_loop().create_task(work, name=name)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        task.add_done_callback(_report)


def holds(observed: Json, written: Json) -> bool:
    """Whether a status in the API server says what was written."""
    conditions = {one["type"]: one["status"] for one in observed.get("conditions", ())}
    return (
        observed.get("phase") == written["phase"]
        and observed.get("podIP") == written["podIP"]
        and all(conditions.get(one["type"]) == one["status"] for one in written["conditions"])
        and _brief(observed) == _brief(written)
    )


def _brief(status: Json) -> list[tuple[str, int, bool, list[str]]]:
    """Per container: name, restarts, readiness, and the kind of its state."""
    return [
        (one["name"], one["restartCount"], one["ready"], list(one["state"]))
        for one in status.get("containerStatuses", ())
    ]


async def _make(api: Api, path: str, manifest: Json) -> None:
    try:
        await api.post(path, manifest)
    except ApiError as error:
        if not error.conflict:
            raise


def _report(task: asyncio.Task[None]) -> None:
    if not task.cancelled() and (error := task.exception()):
        log.error("the kubelet failed on %s", task.get_name(), exc_info=error)
