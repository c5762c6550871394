"""Counting the runs by a list of their names: finds what a silent watch has missed."""

from __future__ import annotations

import logging

from mobilegym.operator.api import NAMES_ONLY, Api
from mobilegym.operator.errors import NotFound
from mobilegym.operator.kinds import RUN
from mobilegym.operator.runs import Runs, key_of, stream_of, version_of
from mobilegym.operator.store import Key

log = logging.getLogger(__name__)


class Census:
    """`missed` is how many counts in a row found a change that the watch should have brought long before."""

    def __init__(self, api: Api, runs: Runs, namespace: str | None) -> None:
        self._api = api
        self._runs = runs
        self._namespace = namespace
        self._suspects: dict[Key, int] = {}  # version that the last count saw and the watch had not brought
        self.missed = 0

    async def first(self) -> None:
        """Everything, in full: what is known when this returns is complete."""
        async for page in self._api.pages(RUN, self._namespace):
            for run in page.items:
                self._runs.saw(run)

    async def count(self) -> set[str]:
        """Streams of all runs there are. What the watch has missed is fetched."""
        known = {run["metadata"]["uid"]: run for run in self._runs}
        suspects: dict[Key, int] = {}
        uids, streams, version = set(), set(), 0
        async for page in self._api.pages(RUN, self._namespace, accept=NAMES_ONLY):
            version = int(page.version)
            for item in page.items:
                key, uid = key_of(item), item["metadata"]["uid"]
                uids.add(uid)
                streams.add(stream_of(item))
                seen = self._runs.get(key)
                if seen is None or version_of(seen) < version_of(item):
                    suspects[key] = version_of(item)
        for uid, run in known.items():
            if uid not in uids and version_of(run) <= version:
                self._runs.lost(run)
        await self._fetch(suspects)
        return streams

    async def _fetch(self, suspects: dict[Key, int]) -> None:
        """A change that was unknown at two counts was missed, not on its way."""
        late = [key for key, version in suspects.items() if self._suspects.get(key, version + 1) <= version]
        self.missed = self.missed + 1 if late else 0
        self._suspects = suspects
        for key in late:
            log.warning("%s changed and the watch did not say so", key)
            try:
                self._runs.saw(await self._api.get(RUN, *key))
            except NotFound:
                continue
