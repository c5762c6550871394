"""Trajectories on their way in: read, held until their batch is whole, settled once a checkpoint holds them."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Collection, Set
from functools import partial
from typing import TypeVar

from mobilegym.learner.batch import usable
from mobilegym.learner.sampler import Batch
from mobilegym.protocol.errors import StreamUnavailable
from mobilegym.protocol.messages import Trajectory
from mobilegym.protocol.streams import PATIENCE_SECONDS, Delivery, Streams, persist

log = logging.getLogger(__name__)
READ = 64
WAIT_SECONDS = 0.5  # how long one read blocks, hence how soon a stop is noticed
REISSUE_SECONDS = 30.0  # of silence, after which a batch is offered again in case the stream lost it

T = TypeVar("T")


class Stopped(Exception):
    """Asked to stop while waiting."""


class Inbox:
    """Deliveries stay pending in the stream until `settle`, so whatever is lost with this process comes again."""

    def __init__(self, streams: Streams, stopping: Callable[[], bool], clock: Callable[[], float] = time.monotonic):
        self._streams = streams
        self._stopping = stopping
        self._clock = clock
        self._held: dict[str, Delivery] = {}
        self._used: dict[str, Delivery] = {}

    async def _persist(self, call: Callable[[], Awaitable[T]]) -> T:
        """Raises StreamUnavailable, at once where a stop is asked for."""
        return await persist(call, hurry=self._stopping)

    async def recall(self, trained: Collection[str]) -> int:
        """Takes back what an earlier process read and did not settle; what its checkpoint holds is settled at once."""
        pending = await self._pending()
        await self._persist(lambda: self._streams.ack_trajectories(d for d in pending if d.trajectory.id in trained))
        back = {d.trajectory.id: d for d in pending if d.trajectory.id not in trained}
        self._held |= back
        return len(back)

    async def _pending(self) -> list[Delivery]:
        """What the stream says was read and not acknowledged."""
        found: list[Delivery] = []
        while deliveries := await self._persist(partial(self._streams.recall, found[-1].entry if found else "0", READ)):
            found += deliveries
        return found

    async def offer(self, batch: Batch) -> None:
        """Lets workers play a batch ahead of its turn; harmless when repeated."""
        await self._persist(lambda: self._streams.issue(*batch.episodes))

    async def collect(self, batch: Batch, discarded: Callable[[str, str], None]) -> list[Trajectory]:
        """Waits until every episode of the batch is delivered or in the discard ledger.

        Unusable ones are discarded here, told to `discarded` with the reason, and left out.
        Raises: Stopped; StreamUnavailable after PATIENCE_SECONDS without the stream.
        """
        wanted = batch.ids
        gone: frozenset[str] = frozenset()
        heard = lost_at = self._clock()
        issued = False
        while True:
            if self._stopping():
                raise Stopped
            try:
                if not issued:
                    await self._streams.issue(*batch.episodes)
                    issued = True
                arrived = await self._streams.consume(READ, WAIT_SECONDS)
                self._held |= {d.trajectory.id: d for d in arrived}
                open_ = wanted - self._held.keys() - self._used.keys()
                if open_ and not arrived:
                    gone = wanted & (await self._streams.discards()).keys()
                    issued = self._clock() - heard < REISSUE_SECONDS
                if arrived or not issued:
                    heard = self._clock()
                lost_at = self._clock()
            except StreamUnavailable as error:
                if self._clock() - lost_at > PATIENCE_SECONDS:
                    raise
                log.warning("%s; trying again", error)
                await asyncio.sleep(WAIT_SECONDS)
                continue
            if not open_ - gone:
                break
        return await self._take(batch, discarded)

    async def _take(self, batch: Batch, discarded: Callable[[str, str], None]) -> list[Trajectory]:
        taken = {id: self._held.pop(id) for id in sorted(batch.ids) if id in self._held}
        self._used |= taken
        ledger = await self._persist(self._streams.discards)
        refused = {id: ledger[id].reason for id in sorted(batch.ids) if id in ledger}
        found = usable([d.trajectory for id, d in taken.items() if id not in refused], evaluation=batch.evaluation)
        for id, reason in found.refused.items():
            await self._persist(partial(self._streams.discard, id, reason))
        for id, reason in (refused | found.refused).items():
            discarded(id, reason)
        return [t for members in found.groups.values() for t in members]

    async def settle(self) -> int:
        """Acknowledges everything used so far: call it only when a complete checkpoint holds it."""
        settled = await self._persist(lambda: self._streams.ack_trajectories(self._used.values()))
        self._used.clear()
        return settled

    async def abandon(self, settled: Set[str], reason: str, discarded: Callable[[str, str], None]) -> None:
        """Discards every issued episode outside `settled` (trained, scored or discarded), so that none stays open.

        Acknowledgements that a stream lost when it was killed are due again with the next `settle`.
        """
        while arrived := await self._persist(partial(self._streams.consume, READ)):
            self._held |= {d.trajectory.id: d for d in arrived}
        self._held |= {d.trajectory.id: d for d in await self._pending()}
        for id in sorted((await self._persist(self._streams.audit)).open - settled):
            await self._persist(partial(self._streams.discard, id, reason))
        for id, line in sorted((await self._persist(self._streams.discards)).items()):
            if id not in settled:
                discarded(id, line.reason)
        self._used |= self._held
        self._held.clear()
