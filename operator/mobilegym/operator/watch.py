"""Watching the operator's own objects of one kind: list, then changes, for ever."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import random
import time
from collections.abc import Callable
from typing import Any

from mobilegym.operator import names
from mobilegym.operator.api import Api
from mobilegym.operator.errors import ApiError, Gone, NotFound
from mobilegym.operator.kinds import Kind
from mobilegym.operator.store import Store

log = logging.getLogger(__name__)

SELECTOR = f"app.kubernetes.io/managed-by={names.MANAGER}"
FIRST_WAIT, LONGEST_WAIT = 0.2, 3.0  # seconds between two tries: so soon an API server that is back is found


class Informer:
    """Fills a store. The selector works on the server's side: nothing else is ever sent."""

    def __init__(
        self,
        api: Api,
        kind: Kind,
        store: Store[Any],
        *,
        namespace: str | None = None,
        restarted: Callable[[str], None] = lambda kind: None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._api = api
        self.kind = kind
        self._store = store
        self._namespace = namespace
        self._restarted = restarted
        self._clock = clock
        self._active = clock()
        self.synced = asyncio.Event()

    @property
    def age(self) -> float:
        """Seconds since the server, or an attempt to reach it, gave a sign of life. Bookmarks come every minute."""
        return self._clock() - self._active

    async def run(self) -> None:
        """Until cancelled."""
        wait, version, said = FIRST_WAIT, "", ""
        while True:
            begun = self._clock()
            try:
                if not version:
                    version = await self._list()
                    wait = FIRST_WAIT
                async with contextlib.aclosing(self._api.watch(self.kind, self._namespace, version, SELECTOR)) as watch:
                    async for change in watch:
                        version = self._take(change.type, change.object)
                        wait, said = FIRST_WAIT, ""
                self._active = self._clock()
                if self._active - begun > 1.0:  # its time was over
                    continue
            except Gone as error:
                log.info("%s: listing again: %s", self.kind.plural, error)
                version = ""
            except ApiError as error:
                log.log(logging.DEBUG if str(error) == said else logging.WARNING, "%s: %s", self.kind.plural, error)
                said = str(error)
                version = "" if isinstance(error, NotFound) else version
            self._active = self._clock()
            self._restarted(self.kind.kind)
            await asyncio.sleep(wait * random.uniform(0.5, 1.0))
            wait = min(LONGEST_WAIT, wait * 2)

    async def _list(self) -> str:
        listed: set[str] = set()
        version = ""
        async for page in self._api.pages(self.kind, self._namespace, SELECTOR):
            version = page.version
            for obj in page.items:  # items of a list do not name their kind
                listed.add(obj["metadata"]["uid"])
                self._store.saw({"kind": self.kind.kind, **obj})
            self._active = self._clock()
        self._store.sweep(listed, int(version))
        self.synced.set()
        return version

    def _take(self, type: str, obj: dict[str, Any]) -> str:
        self._active = self._clock()
        if type == "DELETED":
            self._store.lost(obj)
        elif type != "BOOKMARK":
            self._store.saw(obj)
        version: str = obj["metadata"]["resourceVersion"]
        return version
