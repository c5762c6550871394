"""Looking into Redis for all runs: one pipeline a Redis, every few seconds."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from redis.asyncio import Redis
from redis.exceptions import RedisError

from mobilegym.operator import glance
from mobilegym.operator.errors import ApiError
from mobilegym.operator.observed import Numbers
from mobilegym.operator.queue import backoff
from mobilegym.operator.runs import Run, Runs, key_of, stream_of
from mobilegym.operator.settings import Settings
from mobilegym.operator.store import Key
from mobilegym.operator.urls import RedisMissing, RedisUrls, address

log = logging.getLogger(__name__)

CHUNK = 200  # runs a round trip
CONNECT_SECONDS, ANSWER_SECONDS = 3.0, 8.0
LONGEST_WAIT = 60.0  # between two tries of a Redis that does not answer


@dataclass(slots=True)
class _Source:
    """One Redis."""

    client: Any
    url: str
    failures: int = 0
    next_try: float = 0.0
    error: str = ""


class NumbersTable:
    """`changed` is told of a run whose numbers matter: soon where the learner moved, else now and then."""

    def __init__(self, runs: Runs, urls: RedisUrls, settings: Settings, clock: Callable[[], float] = time.time) -> None:
        self._runs = runs
        self._urls = urls
        self._settings = settings
        self._clock = clock
        self._numbers: dict[str, Numbers] = {}  # by uid
        self._url_of: dict[str, str] = {}  # by uid: also after the run is gone
        self._told: dict[str, float] = {}
        self._sources: dict[str, _Source] = {}
        self.changed: Callable[[Key], None] = lambda key: None

    def of(self, run: Run) -> Numbers | None:
        return self._numbers.get(run["metadata"]["uid"])

    def source(self, run: Run) -> Any | None:
        """A client of the Redis that the run used last."""
        url = self._url_of.get(run["metadata"]["uid"])
        return self.client(url) if url else None

    def client(self, url: str) -> Any:
        return self._source(url).client

    def forget(self, uid: str) -> None:
        for table in (self._numbers, self._url_of, self._told):
            table.pop(uid, None)

    async def run(self) -> None:
        """Until cancelled."""
        while True:
            started = time.monotonic()
            await self.look()
            await asyncio.sleep(max(0.2, self._settings.numbers_seconds - (time.monotonic() - started)))

    async def close(self) -> None:
        for source in self._sources.values():
            with contextlib.suppress(RedisError, OSError):
                await source.client.aclose()
        self._sources.clear()

    async def look(self) -> None:
        """Once, at every Redis whose turn it is."""
        by_url: dict[str, list[Run]] = {}
        for run in self._runs:
            url = await self._url(run)
            if url:
                by_url.setdefault(url, []).append(run)
        used = {*by_url, *self._url_of.values()}
        for url in [url for url in self._sources if url not in used]:
            await self._sources.pop(url).client.aclose()
        await asyncio.gather(*(self._look_at(self._source(url), runs) for url, runs in by_url.items()))

    async def _url(self, run: Run) -> str:
        uid = run["metadata"]["uid"]
        try:
            urls = await self._urls.of(run)
        except (ApiError, RedisMissing) as error:
            log.warning("Redis of %s unknown: %s", key_of(run), error)
            return self._url_of.get(uid, "")
        if urls is None:
            self._numbers.pop(uid, None)
            return ""
        self._url_of[uid] = urls["operator"]
        return urls["operator"]

    def _source(self, url: str) -> _Source:
        if url not in self._sources:
            client = Redis.from_url(
                url,
                protocol=2,
                socket_connect_timeout=CONNECT_SECONDS,
                socket_timeout=ANSWER_SECONDS,
                max_connections=4,
            )
            self._sources[url] = _Source(client, url)
        return self._sources[url]

    async def _look_at(self, source: _Source, runs: Sequence[Run]) -> None:
        if self._clock() < source.next_try:
            self._unanswered(source, runs)
            return
        try:
            for start in range(0, len(runs), CHUNK):
                await self._chunk(source, runs[start : start + CHUNK])
        except (RedisError, OSError, TimeoutError, ValueError) as error:
            source.failures += 1
            source.next_try = self._clock() + backoff(source.failures, self._settings.numbers_seconds, LONGEST_WAIT)
            source.error = words(source.url, error)
            log.warning("%s", source.error)
            self._unanswered(source, runs)
        else:
            if source.failures:
                log.info("Redis at %s answers again", address(source.url))
            source.failures, source.error = 0, ""

    async def _chunk(self, source: _Source, runs: Sequence[Run]) -> None:
        script = source.client.register_script(glance.SCRIPT)
        async with source.client.pipeline(transaction=False) as pipe:
            for run in runs:
                await script(keys=glance.keys_of(stream_of(run)), args=list(glance.ARGS), client=pipe)
            async with asyncio.timeout(2 * ANSWER_SECONDS):
                answers = await pipe.execute()
        now = self._clock()
        for run, answer in zip(runs, answers, strict=True):
            self._set(run, glance.numbers_of(answer, now, self.of(run)))

    def _unanswered(self, source: _Source, runs: Sequence[Run]) -> None:
        for run in runs:
            before = self.of(run) or Numbers(at=self._clock())
            self._set(run, replace(before, error=source.error, workers={}))

    def _set(self, run: Run, new: Numbers) -> None:
        uid = run["metadata"]["uid"]
        old, now = self._numbers.get(uid), self._clock()
        self._numbers[uid] = new
        moved = old is None or matter(old) != matter(new)
        seldom = old is not None and replace(old, at=0) != replace(new, at=0)
        if moved or (seldom and now - self._told.get(uid, 0.0) >= self._settings.status_seconds):
            self._told[uid] = now
            self.changed(key_of(run))


def matter(numbers: Numbers) -> tuple[object, ...]:
    """What is worth a look at once."""
    detail = numbers.learner.detail if numbers.learner else {}
    return (bool(numbers.error), numbers.learner is None, detail.get("phase"), detail.get("step"))


def words(url: str, error: BaseException) -> str:
    """Without the password, also where the error repeats it."""
    said = str(error) or type(error).__name__
    secret = url.partition("://")[2].rpartition("@")[0].partition(":")[2]
    return f"Redis at {address(url)} does not answer: {said.replace(secret, '***') if secret else said}"
