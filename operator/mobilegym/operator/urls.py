"""Which Redis a run uses: the one it names, else the operator's own."""

from __future__ import annotations

import base64
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from urllib.parse import urlsplit

from mobilegym.operator.api import Api
from mobilegym.operator.errors import NotFound
from mobilegym.operator.kinds import SECRET
from mobilegym.operator.runs import Run

ROLES = ("operator", "worker", "learner")
FOUND_SECONDS, MISSING_SECONDS = 60.0, 10.0  # for which a Secret's content is believed

Urls = Mapping[str, str]  # by role


class RedisMissing(Exception):
    """The folder with the operator's own Redis URLs does not hold them."""


class RedisUrls:
    """URLs hold passwords: they are never logged."""

    def __init__(self, api: Api, folder: Path | None, clock: Callable[[], float] = time.monotonic) -> None:
        self._api = api
        self._folder = folder
        self._clock = clock
        self._secrets: dict[tuple[str, str, str], tuple[float, Urls | None]] = {}

    async def of(self, run: Run) -> Urls | None:
        """By role; None where the run's Secret, or the operator's own Redis, is not there. Raises ApiError."""
        stream = (run.get("spec") or {}).get("stream") or {}
        if stream.get("redisUrl"):
            return dict.fromkeys(ROLES, stream["redisUrl"])
        if stream.get("redisSecret"):
            secret = stream["redisSecret"]
            return await self._secret(run["metadata"]["namespace"], secret["name"], secret.get("key") or "url")
        return self.own()

    def own(self) -> Urls | None:
        """Read anew each time: passwords change."""
        if self._folder is None:
            return None
        try:
            return {role: (self._folder / role).read_text(encoding="utf-8").strip() for role in ROLES}
        except OSError as error:
            raise RedisMissing(f"{self._folder} must hold the files {', '.join(ROLES)}: {error}") from error

    async def _secret(self, namespace: str, name: str, key: str) -> Urls | None:
        until, urls = self._secrets.get((namespace, name, key), (0.0, None))
        if until > self._clock():
            return urls
        try:
            data = (await self._api.get(SECRET, namespace, name)).get("data") or {}
        except NotFound:
            data = {}
        url = base64.b64decode(data[key]).decode().strip() if key in data else ""
        urls = dict.fromkeys(ROLES, url) if url else None
        until = self._clock() + (FOUND_SECONDS if urls else MISSING_SECONDS)
        self._secrets[(namespace, name, key)] = (until, urls)
        return urls


def address(url: str) -> str:
    """The URL without user and password, for people to read."""
    parts = urlsplit(url)
    return f"{parts.hostname}:{parts.port or 6379}" if parts.hostname else parts.path
