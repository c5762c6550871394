"""The API server, as far as the operator needs it: a thin client of plain dicts."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol
from urllib.parse import urlencode

import aiohttp
import msgspec

from mobilegym.operator import names
from mobilegym.operator.errors import ApiError, Fenced, Gone, Refused, Unavailable, api_error
from mobilegym.operator.kinds import RUN, Kind, kind_of

log = logging.getLogger(__name__)

Object = dict[str, Any]

TRIES = 4  # of one request that the server asks to repeat later
LONGEST_WAIT = 30.0  # seconds that such a request waits
PAGE = 500  # objects a list answers at once
WATCH_SECONDS = 300
SILENCE_SECONDS = 150.0  # bookmarks come every minute: a watch this quiet is dead

JSON = "application/json"
APPLY = "application/apply-patch+yaml"
MERGE = "application/merge-patch+json"
NAMES_ONLY = "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io"


class Meter(Protocol):
    def wrote(self, kind: str, verb: str) -> None: ...

    def refused(self, kind: str) -> None: ...


@dataclass(frozen=True, slots=True)
class Page:
    items: list[Object]
    version: str  # of the whole list


@dataclass(frozen=True, slots=True)
class Change:
    type: str  # ADDED | MODIFIED | DELETED | BOOKMARK
    object: Object


class Api:
    """`client` is a kubernetes.aio ApiClient. `fence` says, before each write, whether this process may write."""

    def __init__(self, client: Any, *, writes: int, fence: Callable[[], bool] = lambda: True) -> None:
        self._client = client
        self._writes = asyncio.Semaphore(writes)
        self.fence = fence
        self.meter: Meter | None = None

    async def close(self) -> None:
        await self._client.close()

    # -- reading --

    async def get(self, kind: Kind, namespace: str | None, name: str) -> Object:
        return await self._call(f"get {kind.kind} {name}", "GET", kind.path(namespace, name))

    async def pages(
        self, kind: Kind, namespace: str | None, selector: str = "", accept: str = JSON
    ) -> AsyncIterator[Page]:
        """A list, page by page, as of one moment. Raises Gone where it took too long: begin again."""
        query = {"limit": str(PAGE)} | ({"labelSelector": selector} if selector else {})
        while True:
            answer = await self._call(f"list {kind.plural}", "GET", kind.path(namespace), query, accept=accept)
            meta = answer["metadata"]
            yield Page(answer.get("items") or [], meta["resourceVersion"])
            if not meta.get("continue"):
                return
            query["continue"] = meta["continue"]

    async def watch(
        self, kind: Kind, namespace: str | None, version: str, selector: str = ""
    ) -> AsyncGenerator[Change, None]:
        """Changes after `version`, until the server ends the watch. Raises Gone, Unavailable."""
        query = {"watch": "true", "resourceVersion": version, "allowWatchBookmarks": "true"}
        query |= {"timeoutSeconds": str(WATCH_SECONDS)} | ({"labelSelector": selector} if selector else {})
        timeout = aiohttp.ClientTimeout(total=None, sock_connect=5, sock_read=SILENCE_SECONDS)
        what = f"watch {kind.plural}"
        try:
            response = await self._send("GET", kind.path(namespace), query, None, JSON, JSON, timeout)
            try:
                if response.status >= 400:
                    raise api_error(what, response.status, await response.read())
                async for line in _lines(response.content):
                    yield _change(what, msgspec.json.decode(line))
            finally:
                response.close()
        except (aiohttp.ClientError, OSError, TimeoutError) as error:
            raise _unreachable(what, error) from error

    # -- writing --

    async def create(self, kind: Kind, namespace: str, body: Object) -> Object:
        what = f"create {kind.kind} {body['metadata'].get('name', '')}"
        return await self._write(
            kind, "create", what, "POST", kind.path(namespace), body, {"fieldManager": names.MANAGER}
        )

    async def apply(self, body: Object) -> Object:
        """Server-side apply of a whole object, by the operator's field manager."""
        kind, meta = kind_of(body["kind"]), body["metadata"]
        path = kind.path(meta["namespace"], meta["name"])
        return await self._write(
            kind, "apply", f"apply {kind.kind} {meta['name']}", "PATCH", path, body, _owned(names.MANAGER), APPLY
        )

    async def apply_status(self, run: Mapping[str, Any], status: Mapping[str, Any]) -> Object:
        """The whole status of a run. Raises Conflict where `run` is no longer what is there."""
        meta = run["metadata"]
        body = {
            "apiVersion": RUN.api,
            "kind": RUN.kind,
            "metadata": {name: meta[name] for name in ("name", "namespace", "resourceVersion")},
            "status": status,
        }
        path = RUN.path(meta["namespace"], meta["name"], "status")
        what = f"status of {meta['name']}"
        return await self._write(RUN, "status", what, "PATCH", path, body, _owned(names.STATUS_MANAGER), APPLY)

    async def scale(self, namespace: str, name: str, replicas: int) -> Object:
        path = RUN.path(namespace, name, "scale")
        query = {"fieldManager": names.SCALE_MANAGER}
        body = {"spec": {"replicas": replicas}}
        return await self._write(RUN, "scale", f"scale {name}", "PATCH", path, body, query, MERGE)

    async def delete(self, kind: Kind, namespace: str, name: str, *, uid: str, grace: int | None = None) -> Object:
        """The object as it now goes, or a Status. Raises Conflict where the uid is another one."""
        body: Object = {"kind": "DeleteOptions", "apiVersion": "v1", "preconditions": {"uid": uid}}
        body |= {"propagationPolicy": "Background"} | ({"gracePeriodSeconds": grace} if grace is not None else {})
        return await self._write(
            kind, "delete", f"delete {kind.kind} {name}", "DELETE", kind.path(namespace, name), body
        )

    async def merge(self, kind: Kind, namespace: str, name: str, body: Object) -> Object:
        path = kind.path(namespace, name)
        return await self._write(kind, "patch", f"patch {kind.kind} {name}", "PATCH", path, body, {}, MERGE)

    async def elect(self, kind: Kind, namespace: str, body: Object) -> Object:
        """Create or, with a resourceVersion in it, replace: how a leader is found, so before any fence."""
        meta = body["metadata"]
        new = "resourceVersion" not in meta
        path = kind.path(namespace, None if new else meta["name"])
        return await self._call(f"write {kind.kind} {meta['name']}", "POST" if new else "PUT", path, {}, body)

    async def _write(
        self,
        kind: Kind,
        verb: str,
        what: str,
        method: str,
        path: str,
        body: Object,
        query: Mapping[str, str] | None = None,
        content: str = JSON,
    ) -> Object:
        try:
            async with self._writes:
                answer = await self._call(what, method, path, query, body, content=content, fence=self.fence)
        except Refused:
            if self.meter is not None:
                self.meter.refused(kind.kind)
            raise
        if self.meter is not None:
            self.meter.wrote(kind.kind, verb)
        return answer

    # -- the wire --

    async def _call(
        self,
        what: str,
        method: str,
        path: str,
        query: Mapping[str, str] | None = None,
        body: Object | None = None,
        *,
        content: str = JSON,
        accept: str = JSON,
        fence: Callable[[], bool] = lambda: True,
    ) -> Object:
        for attempt in range(1, TRIES + 1):
            if not fence():
                raise Fenced(f"{what}: another operator leads")
            try:
                return await self._once(what, method, path, query, body, content, accept)
            except Unavailable as error:
                if error.retry_after is None or attempt == TRIES:
                    raise
                await asyncio.sleep(min(max(error.retry_after, 0.1), LONGEST_WAIT))
        raise AssertionError("unreachable")

    async def _once(
        self,
        what: str,
        method: str,
        path: str,
        query: Mapping[str, str] | None,
        body: Object | None,
        content: str,
        accept: str,
    ) -> Object:
        timeout = aiohttp.ClientTimeout(total=20, sock_connect=5)
        try:
            response = await self._send(method, path, query, body, content, accept, timeout)
            async with response:
                data = await response.read()
        except (aiohttp.ClientError, OSError, TimeoutError) as error:
            raise _unreachable(what, error) from error
        if response.status >= 400:
            raise api_error(what, response.status, data, response.headers.get("Retry-After"))
        answer: Object = msgspec.json.decode(data)
        return answer

    async def _send(
        self,
        method: str,
        path: str,
        query: Mapping[str, str] | None,
        body: Object | None,
        content: str,
        accept: str,
        timeout: aiohttp.ClientTimeout,
    ) -> aiohttp.ClientResponse:
        headers = {"Accept": accept, "Content-Type": content, "User-Agent": names.MANAGER}
        await self._client.update_params_for_auth(headers, [], ["BearerToken"], path, method, body)
        url = self._client.configuration.host.rstrip("/") + path + (f"?{urlencode(query)}" if query else "")
        answer = await self._client.call_api(method, url, headers, body, _request_timeout=timeout)
        response: aiohttp.ClientResponse = answer.response
        return response


def _owned(manager: str) -> dict[str, str]:
    return {"fieldManager": manager, "force": "true"}


def _unreachable(what: str, error: BaseException) -> Unavailable:
    return Unavailable(f"{what}: the API server does not answer: {error or type(error).__name__}")


def _change(what: str, line: Object) -> Change:
    if line["type"] != "ERROR":
        return Change(line["type"], line["object"])
    status = line["object"]
    error: ApiError = api_error(what, int(status.get("code") or 500), msgspec.json.encode(status))
    raise error if isinstance(error, Gone | Unavailable) else Unavailable(str(error))


async def _lines(content: aiohttp.StreamReader) -> AsyncIterator[bytes]:
    """Lines of any length, which the reader's own `readline` bounds."""
    rest = b""
    async for chunk in content.iter_any():
        *lines, rest = (rest + chunk).split(b"\n")
        for line in lines:
            if line:
                yield line
