"""Services: a userland proxy from each ClusterIP to the ready pods behind it, and the names that stand for them.

TCP only. There is no resolver: `name.namespace.svc` is replaced by an address in what a container is started with.
"""

from __future__ import annotations

import asyncio
import itertools
import logging
import re
from collections.abc import AsyncIterator, Iterator

from tools.kube.api import Api, ApiError, Json
from tools.kube.follow import Change, Changed, Listed, follow
from tools.kube.tunnel import tunnel

log = logging.getLogger(__name__)

NAME = re.compile(r"(?<![\w.-])(?:([a-z0-9-]+)\.)?([a-z0-9-]+)\.([a-z0-9-]+)\.svc(?:\.cluster\.local)?(?![\w-])")
Key = tuple[str, str]  # namespace, name
Listener = tuple[str, int]


class Services:
    def __init__(self, api: Api, *, apiserver: int) -> None:
        """`apiserver`: the port on 127.0.0.1 to which the Service `default/kubernetes` leads."""
        self._api, self._apiserver = api, apiserver
        self._services: dict[Key, Json] = {}
        self._pods: dict[Key, Json] = {}
        self._listening: dict[Listener, asyncio.Server] = {}
        self._turn = itertools.count()
        self._open: set[asyncio.Task[None]] = set()

    async def run(self) -> None:
        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(_mirror(self._api, "/api/v1/pods", self._pods))
                async for _ in _mirrored(self._api, "/api/v1/services", self._services):
                    await self._listen()
        finally:
            for server in self._listening.values():
                server.close()
            for task in self._open:
                task.cancel()

    async def resolve(self, text: str) -> str:
        """The text with every name of an existing Service (or of a pod behind a headless one) replaced."""
        for match in set(NAME.findall(text)):
            pod, service, namespace = match
            address = await self._address(namespace, service, pod)
            if address:
                name = f"{pod}.{service}.{namespace}.svc" if pod else f"{service}.{namespace}.svc"
                text = re.sub(rf"(?<![\w.-]){re.escape(name)}(\.cluster\.local)?(?![\w-])", address, text)
        return text

    async def _address(self, namespace: str, service: str, pod: str) -> str | None:
        if pod:
            known = self._pods.get((namespace, pod), {}).get("status", {}).get("podIP")
            return str(known) if known else None
        try:
            found = await self._api.get(f"/api/v1/namespaces/{namespace}/services/{service}")
        except ApiError:
            return None
        address = found["spec"].get("clusterIP")
        if address and address != "None":
            return str(address)
        return next((pod["status"]["podIP"] for pod in self._behind(found)), None)

    async def _listen(self) -> None:
        """Listens on exactly the ports that there are."""
        wanted: dict[Listener, tuple[Key, Json]] = {}
        for key, service in self._services.items():
            address = service["spec"].get("clusterIP", "None")
            for port in service["spec"].get("ports", ()):
                if address != "None" and port.get("protocol", "TCP") == "TCP":
                    wanted[address, port["port"]] = key, port
        for gone in self._listening.keys() - wanted.keys():
            self._listening.pop(gone).close()
        for listener in wanted.keys() - self._listening.keys():
            try:
                self._listening[listener] = await asyncio.start_server(self._serve, *listener)
            except OSError as error:
                log.warning("service %s cannot listen: %s", "/".join(wanted[listener][0]), error)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._open.add(task)
        try:
            for address, port in self._endpoints(*writer.get_extra_info("sockname")[:2]):
                try:
                    there = await asyncio.open_connection(address, port)
                except OSError:
                    continue
                await tunnel((reader, writer), there)
                return
        except asyncio.CancelledError:
            pass  # the fleet stops
        finally:
            writer.transport.abort()
            self._open.discard(task)

    def _endpoints(self, address: str, port: int) -> list[tuple[str, int]]:
        """Where a connection may go, each time beginning with another pod."""
        service = next((one for one in self._services.values() if one["spec"].get("clusterIP") == address), None)
        if service is None:
            return []
        if service["metadata"]["name"] == "kubernetes" and service["metadata"]["namespace"] == "default":
            return [("127.0.0.1", self._apiserver)]
        target = next((one for one in service["spec"]["ports"] if one["port"] == port), None)
        if target is None:
            return []
        pods = list(self._behind(service))
        first = next(self._turn) % len(pods) if pods else 0
        wanted = target.get("targetPort", port)
        found = ((pod["status"]["podIP"], _number(pod, wanted)) for pod in pods[first:] + pods[:first])
        return [(address, number) for address, number in found if number is not None]

    def _behind(self, service: Json) -> Iterator[Json]:
        """The ready pods that the Service selects."""
        selector = service["spec"].get("selector")
        namespace = service["metadata"]["namespace"]
        every = service["spec"].get("publishNotReadyAddresses", False)
        for (where, _), pod in self._pods.items():
            labels = pod["metadata"].get("labels", {})
            if selector and where == namespace and selector.items() <= labels.items() and (every or _ready(pod)):
                yield pod


def _ready(pod: Json) -> bool:
    if "deletionTimestamp" in pod["metadata"] or "podIP" not in pod["status"]:
        return False
    return any(one["type"] == "Ready" and one["status"] == "True" for one in pod["status"].get("conditions", ()))


def _number(pod: Json, port: int | str) -> int | None:
    if isinstance(port, int):
        return port
    spec = pod["spec"]
    for container in spec["containers"] + spec.get("initContainers", []):
        for one in container.get("ports", ()):
            if one.get("name") == port:
                return int(one["containerPort"])
    return None


async def _mirrored(api: Api, path: str, into: dict[Key, Json]) -> AsyncIterator[None]:
    """Keeps `into` like the collection; yields after each change."""
    async for event in follow(api, path):
        match event:
            case Listed(items=items):
                into.clear()
                into.update({_key(item): item for item in items})
            case Changed(change=Change.DELETED, item=item):
                into.pop(_key(item), None)
            case Changed(item=item):
                into[_key(item)] = item
        yield


async def _mirror(api: Api, path: str, into: dict[Key, Json]) -> None:
    async for _ in _mirrored(api, path, into):
        pass


def _key(item: Json) -> Key:
    return item["metadata"]["namespace"], item["metadata"]["name"]
