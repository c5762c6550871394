"""Children that are not watched: compared by name before they are written, never listed."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import Any

from mobilegym.operator.api import Api
from mobilegym.operator.errors import NotFound
from mobilegym.operator.kinds import kind_of
from mobilegym.operator.store import Key, hash_of, owner_of

BELIEVED_SECONDS = 300.0  # for which one is taken to be as it was


class ByName:
    """Secrets, which the operator may not list, and what only some clusters serve."""

    def __init__(self, api: Api, clock: Callable[[], float] = time.monotonic) -> None:
        self._api = api
        self._clock = clock
        self._known: dict[
            Key, dict[tuple[str, str], tuple[str, float]]
        ] = {}  # run -> kind, name -> hash, believed until

    async def apply(self, key: Key, wanted: dict[str, Any]) -> None:
        """Writes where the cluster's differs. Raises ApiError."""
        kind, name, hash = kind_of(wanted["kind"]), wanted["metadata"]["name"], hash_of(wanted)
        known, until = self._known.get(key, {}).get((kind.kind, name), ("", 0.0))
        if known == hash and self._clock() < until:
            return
        try:
            found = await self._api.get(kind, key.namespace, name)
            same = hash_of(found) == hash and owner_of(found) == owner_of(wanted)
        except NotFound:
            same = False
        if not same:
            await self._api.apply(wanted)
        believed = self._clock() + BELIEVED_SECONDS * random.uniform(0.8, 1.2)
        self._known.setdefault(key, {})[kind.kind, name] = (hash, believed)

    def forget(self, key: Key) -> None:
        self._known.pop(key, None)
