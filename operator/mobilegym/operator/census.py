"""Counting the runs by a list of their names: finds what a silent watch has missed."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable

from mobilegym.operator.api import NAMES_ONLY, Api
from mobilegym.operator.errors import NotFound
from mobilegym.operator.kinds import RUN
from mobilegym.operator.runs import Runs, key_of, stream_of, version_of
from mobilegym.operator.store import Key

log = logging.getLogger(__name__)


PATIENCE = 10.0  # seconds that a change may take to come by the watch


class Census:
    """`missed` is how many counts found changes that the watch did not bring, since it brought one."""

    def __init__(
        self,
        api: Api,
        runs: Runs,
        namespace: str | None,
        *,
        patience: float = PATIENCE,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._api = api
        self._runs = runs
        self._namespace = namespace
        self._clock = clock
        self._late: dict[Key, float] = {}  # since when the watch owes a change
        self.patience = patience
        self.missed = 0

    async def first(self) -> None:
        """Everything, in full: what is known when this returns is complete."""
        async for page in self._api.pages(RUN, self._namespace):
            for run in page.items:
                self._runs.saw(run)

    async def count(self) -> set[str]:
        """Streams of all runs there are. What the watch has missed is fetched."""
        known = {run["metadata"]["uid"]: run for run in self._runs}
        owed: set[Key] = set()
        uids, streams, version = set(), set(), 0
        async for page in self._api.pages(RUN, self._namespace, accept=NAMES_ONLY):
            version = int(page.version)
            for item in page.items:
                key = key_of(item)
                uids.add(item["metadata"]["uid"])
                streams.add(stream_of(item))
                seen = self._runs.get(key)
                if seen is None or version_of(seen) < version_of(item):
                    owed.add(key)
        for uid, run in known.items():
            if uid not in uids and version_of(run) <= version:
                self._runs.lost(run)
        await self._fetch(owed)
        return streams

    async def _fetch(self, owed: set[Key]) -> None:
        """What has been owed for too long."""
        now = self._clock()
        self._late = {key: self._late.get(key, now) for key in owed}
        missed = [key for key, since in self._late.items() if now - since >= self.patience]
        self.missed += bool(missed)
        for key in missed:
            log.warning("%s changed and the watch did not say so", key)
            del self._late[key]
            try:
                self._runs.saw(await self._api.get(RUN, *key))
            except NotFound:
                continue
