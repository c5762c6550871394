"""A thin asyncio client of the API server: JSON in, JSON out."""

from __future__ import annotations

import ssl
from collections.abc import AsyncIterator
from types import TracebackType
from typing import Any

import aiohttp
import msgspec

Json = dict[str, Any]

MERGE = "application/merge-patch+json"
STRATEGIC = "application/strategic-merge-patch+json"
APPLY = "application/apply-patch+yaml"
PAGE = 500  # objects in one answer of a list


class ApiError(Exception):
    """The API server refused: `status` is HTTP's."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(f"{status}: {message}")
        self.status = status

    @property
    def not_found(self) -> bool:
        return self.status == 404

    @property
    def conflict(self) -> bool:
        return self.status == 409


class Api:
    """Use as `async with`. Every call raises ApiError, or aiohttp.ClientError while the API server is away."""

    def __init__(self, *, url: str, token: str, authority: bytes) -> None:
        self._url, self._token, self._authority = url, token, authority
        self._session: aiohttp.ClientSession | None = None

    async def __aenter__(self) -> Api:
        context = ssl.create_default_context(cadata=self._authority.decode())
        self._session = aiohttp.ClientSession(
            self._url,
            connector=aiohttp.TCPConnector(ssl=context, limit=0),
            headers={"Authorization": f"Bearer {self._token}"},
            timeout=aiohttp.ClientTimeout(total=30, sock_connect=5),
        )
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._session is not None
        await self._session.close()

    async def get(self, path: str, **params: str) -> Json:
        return await self._call("GET", path, params=params)

    async def post(self, path: str, body: Json) -> Json:
        return await self._call("POST", path, body=body)

    async def patch(self, path: str, body: Json, *, kind: str = MERGE, **params: str) -> Json:
        return await self._call("PATCH", path, body=body, kind=kind, params=params)

    async def delete(self, path: str, body: Json | None = None) -> Json:
        return await self._call("DELETE", path, body=body)

    async def list(self, path: str, **params: str) -> tuple[list[Json], str]:
        """All objects, read page by page, and the resource version to watch from."""
        items: list[Json] = []
        more = ""
        while True:
            page = {"limit": str(PAGE), **params} | ({"continue": more} if more else {})
            answer = await self.get(path, **page)
            items += answer["items"]
            more = answer["metadata"].get("continue", "")
            if not more:
                return items, answer["metadata"]["resourceVersion"]

    async def watch(self, path: str, version: str, **params: str) -> AsyncIterator[tuple[str, Json]]:
        """Changes after `version` as (type, object) until the API server closes the watch, after some minutes."""
        assert self._session is not None
        query = {"watch": "1", "resourceVersion": version, "allowWatchBookmarks": "true", "timeoutSeconds": "300"}
        timeout = aiohttp.ClientTimeout(total=None, sock_connect=5)
        async with self._session.get(path, params=query | params, timeout=timeout) as answer:
            if answer.status >= 400:
                raise ApiError(answer.status, await answer.text())
            async for line in _lines(answer.content):
                change = msgspec.json.decode(line)
                if change["type"] == "ERROR":
                    raise ApiError(change["object"].get("code", 500), change["object"].get("message", ""))
                yield change["type"], change["object"]

    async def _call(
        self, method: str, path: str, *, body: Json | None = None, kind: str = "", params: dict[str, str] | None = None
    ) -> Json:
        assert self._session is not None, "use the client as a context manager"
        headers = {"Content-Type": kind or "application/json"}
        data = None if body is None else msgspec.json.encode(body)
        async with self._session.request(method, path, params=params, data=data, headers=headers) as answer:
            raw = await answer.read()
            if answer.status >= 400:
                raise ApiError(answer.status, _message(raw))
            decoded: Json = msgspec.json.decode(raw)
            return decoded


async def _lines(content: aiohttp.StreamReader) -> AsyncIterator[bytes]:
    rest = b""
    async for chunk in content.iter_any():
        *lines, rest = (rest + chunk).split(b"\n")
        for line in lines:
            if line:
                yield line


def _message(raw: bytes) -> str:
    try:
        return str(msgspec.json.decode(raw).get("message", ""))
    except (msgspec.DecodeError, AttributeError):
        return raw.decode(errors="replace")[:500]
