"""Kubernetes events on a run: one for each thing that is told, counted when told again."""

from __future__ import annotations

import hashlib
import logging
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from mobilegym.operator import names
from mobilegym.operator.api import Api
from mobilegym.operator.errors import ApiError, Exists, NotFound
from mobilegym.operator.kinds import EVENT
from mobilegym.operator.plan import Note
from mobilegym.operator.runs import Run

log = logging.getLogger(__name__)

SAME_SECONDS = 3600.0  # for which the same words are the same event; about as long as the API server keeps one
COUNT_SECONDS = 60.0  # between two writes of a count
BURST, REFILL_SECONDS = 25, 60.0  # events of one run
LONGEST = 1024  # characters of an event's message


@dataclass(slots=True)
class _Told:
    first: float
    count: int
    written: float


@dataclass(slots=True)
class _Bucket:
    left: float
    at: float


class Notes:
    """An event that cannot be written is logged and dropped."""

    def __init__(self, api: Api, identity: str, clock: Callable[[], float] = time.time) -> None:
        self._api = api
        self._identity = identity
        self._clock = clock
        self._told: dict[str, dict[str, _Told]] = {}  # by the run's uid, by event name
        self._buckets: dict[str, _Bucket] = {}

    async def tell(self, run: Run, note: Note) -> None:
        uid, now = run["metadata"]["uid"], self._clock()
        name = event_name(run, note)
        told = self._told.setdefault(uid, {})
        for old in [n for n, t in told.items() if now - t.first > SAME_SECONDS]:
            del told[old]
        known = told.get(name)
        if known is not None:
            known.count += 1
            if now - known.written < COUNT_SECONDS:
                return
        if not self._may(uid, now):
            return
        try:
            told[name] = await (self._count(run, name, known, now) if known else self._create(run, name, note, now))
        except ApiError as error:
            log.warning("event %s not written: %s", note.reason, error)

    def forget(self, uid: str) -> None:
        self._told.pop(uid, None)
        self._buckets.pop(uid, None)

    def _may(self, uid: str, now: float) -> bool:
        bucket = self._buckets.setdefault(uid, _Bucket(BURST, now))
        bucket.left = min(BURST, bucket.left + (now - bucket.at) / REFILL_SECONDS)
        bucket.at = now
        if bucket.left < 1:
            return False
        bucket.left -= 1
        return True

    async def _create(self, run: Run, name: str, note: Note, now: float) -> _Told:
        namespace = run["metadata"]["namespace"]
        try:
            await self._api.create(EVENT, namespace, event(run, name, note, now, self._identity))
            return _Told(now, 1, now)
        except Exists:  # told by a former life of this process
            before = await self._api.get(EVENT, namespace, name)
            return await self._count(run, name, _Told(now, int(before.get("count") or 1) + 1, 0.0), now)

    async def _count(self, run: Run, name: str, told: _Told, now: float) -> _Told:
        body = {"count": told.count, "lastTimestamp": _stamp(now)}
        try:
            await self._api.merge(EVENT, run["metadata"]["namespace"], name, body)
        except NotFound:  # the API server no longer keeps it
            return _Told(now - SAME_SECONDS, told.count, now)
        return _Told(told.first, told.count, now)


def event_name(run: Run, note: Note) -> str:
    """The same words about the same run make the same name."""
    told = "\x00".join((run["metadata"]["uid"], note.type, note.reason, note.message))
    return f"{run['metadata']['name']}.{hashlib.sha256(told.encode()).hexdigest()[:16]}"


def event(run: Run, name: str, note: Note, now: float, identity: str) -> dict[str, Any]:
    meta = run["metadata"]
    return {
        "apiVersion": "v1",
        "kind": "Event",
        "metadata": {"name": name, "namespace": meta["namespace"], "labels": names.labels(meta["name"])},
        "involvedObject": {
            "apiVersion": f"{names.GROUP}/{names.VERSION}",
            "kind": names.KIND,
            "name": meta["name"],
            "namespace": meta["namespace"],
            "uid": meta["uid"],
            "resourceVersion": meta.get("resourceVersion", ""),
        },
        "type": note.type,
        "reason": note.reason,
        "message": note.message[:LONGEST],
        "count": 1,
        "firstTimestamp": _stamp(now),
        "lastTimestamp": _stamp(now),
        "source": {"component": names.MANAGER},
        "reportingComponent": names.MANAGER,
        "reportingInstance": identity,
    }


def _stamp(unix: float) -> str:
    return datetime.fromtimestamp(unix, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
