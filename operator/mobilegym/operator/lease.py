"""Which of several operators writes: the holder of a Lease."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import random
import time
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from mobilegym.operator import names
from mobilegym.operator.api import Api
from mobilegym.operator.errors import ApiError, NotFound
from mobilegym.operator.kinds import LEASE

log = logging.getLogger(__name__)

OTHERS_LOOK = 2.0  # seconds between two looks of one that does not lead
RETRY = 0.5  # seconds after a renewal that failed
GIVE_BACK_TRIES = 3


class Lease:
    """A holder leads for two thirds of `seconds` after its last renewal was sent; another takes over when it has seen
    no renewal for all of them. Only durations on the own clock count, so clocks need not agree."""

    def __init__(
        self,
        api: Api,
        namespace: str,
        identity: str,
        *,
        seconds: float = 15.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._api = api
        self._namespace = namespace
        self._identity = identity
        self._seconds = seconds
        self._clock = clock
        self._until = float("-inf")
        self._seen: tuple[str, float] = ("", 0.0)  # the record's version, and since when it is so
        self._released = False
        self.changed = asyncio.Condition()

    @property
    def leads(self) -> bool:
        """The fence: asked before every write."""
        return self._clock() < self._until

    async def run(self) -> None:
        """Tries to lead, and to go on leading, until cancelled or released."""
        while not self._released:
            led, failed = self.leads, False
            try:
                async with asyncio.timeout(self._seconds / 3):
                    await self._try()
            except (ApiError, TimeoutError) as error:
                log.warning("lease: %s", str(error) or "the API server is slow")
                failed = True
            await self._tell(led)
            await self._pause(failed)

    async def wait(self, leads: bool) -> None:
        """Until this process does or does not lead."""
        async with self.changed:
            await self.changed.wait_for(lambda: self.leads is leads)

    async def release(self) -> None:
        """Let a successor begin at once. Afterwards this one never leads again."""
        led, self._until, self._released = self.leads, float("-inf"), True
        await self._tell(True)
        if not led:
            return
        for _ in range(GIVE_BACK_TRIES):
            with contextlib.suppress(ApiError):  # a renewal of its own may have been on its way
                await self._give_back()
                return

    async def _give_back(self) -> None:
        lease = await self._api.get(LEASE, self._namespace, names.MANAGER)
        if lease["spec"].get("holderIdentity") == self._identity:
            lease["spec"] |= {"holderIdentity": "", "leaseDurationSeconds": 1, "renewTime": _micro(time.time())}
            await self._api.elect(LEASE, self._namespace, lease)

    async def _try(self) -> None:
        started = self._clock()
        lease = await self._record()
        spec = lease["spec"]
        if self._taken(lease):
            self._until = float("-inf") if spec.get("holderIdentity") != self._identity else self._until
            return
        if spec.get("holderIdentity") != self._identity:
            spec |= {"acquireTime": _micro(time.time()), "leaseTransitions": int(spec.get("leaseTransitions") or 0) + 1}
        spec |= {"holderIdentity": self._identity, "renewTime": _micro(time.time())}
        spec["leaseDurationSeconds"] = max(1, round(self._seconds))
        await self._api.elect(LEASE, self._namespace, lease)
        if not self._released:
            self._until = started + self._seconds * 2 / 3

    async def _record(self) -> dict[str, Any]:
        try:
            return await self._api.get(LEASE, self._namespace, names.MANAGER)
        except NotFound:
            meta = {"name": names.MANAGER, "namespace": self._namespace}
            return {"apiVersion": LEASE.api, "kind": LEASE.kind, "metadata": meta, "spec": {}}

    def _taken(self, lease: dict[str, Any]) -> bool:
        """By another one whose renewals are still seen."""
        holder = lease["spec"].get("holderIdentity")
        version = lease["metadata"].get("resourceVersion", "")
        if version != self._seen[0]:
            self._seen = (version, self._clock())
        return bool(holder) and holder != self._identity and self._clock() - self._seen[1] < self._seconds

    async def _tell(self, led: bool) -> None:
        if led != self.leads:
            log.info("%s %s", self._identity, "leads" if self.leads else "does not lead")
        async with self.changed:
            self.changed.notify_all()

    async def _pause(self, failed: bool) -> None:
        """Never past the lease's end: losing it is told at once."""
        left = self._until - self._clock() if self.leads else OTHERS_LOOK
        wait = RETRY if failed else self._seconds / 5
        await asyncio.sleep(max(0.01, min(wait, left) * random.uniform(0.8, 1.0)))


def _micro(unix: float) -> str:
    return datetime.fromtimestamp(unix, UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
