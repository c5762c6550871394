"""The operator as a whole: watches always, writes where it leads."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import logging
import random
import time
from collections.abc import Awaitable
from typing import Any

from redis.exceptions import RedisError

from mobilegym.operator.advice import Adviser
from mobilegym.operator.api import Api
from mobilegym.operator.carry import Carrier
from mobilegym.operator.census import Census
from mobilegym.operator.children import Children
from mobilegym.operator.decide import plan, refused_schema
from mobilegym.operator.errors import ApiError
from mobilegym.operator.lease import Lease
from mobilegym.operator.metrics import Metrics
from mobilegym.operator.notes import Notes
from mobilegym.operator.numbers import NumbersTable
from mobilegym.operator.queue import Queue
from mobilegym.operator.reconcile import Advise, Decide, Reconciler, RefuseSchema
from mobilegym.operator.refusals import Refusals
from mobilegym.operator.runs import Run, Runs, key_of
from mobilegym.operator.schema import NoCrd, Schema
from mobilegym.operator.settings import Settings
from mobilegym.operator.statuses import Statuses
from mobilegym.operator.store import Key
from mobilegym.operator.sweep import expire, sweep
from mobilegym.operator.urls import RedisMissing, RedisUrls
from mobilegym.operator.watch import FIRST_WAIT, LONGEST_WAIT, Informer
from mobilegym.operator.workers import work

log = logging.getLogger(__name__)

SWEEP_SECONDS = 3600.0
CENSUS_EVERY = 4  # resyncs
FIRST_NUMBERS_SECONDS = 15.0  # that a new leader waits for Redis before it looks at runs
DEAF_SECONDS = 420.0  # without a sign of life from a watch or the resync: the process is to be restarted
MISSED_COUNTS = 3  # that found what the runs' watch did not bring, since it brought something


class Controller:
    """`client` is a kubernetes.aio ApiClient. `own_schema` None leaves the CRD unchecked."""

    def __init__(
        self,
        client: Any,
        settings: Settings,
        *,
        decide: Decide = plan,
        refuse_schema: RefuseSchema = refused_schema,
        advise: Advise | None = None,
        own_schema: str | None = None,
    ) -> None:
        self.settings = settings
        self.metrics = Metrics()
        self.queue: Queue[Key] = Queue()
        self.runs = Runs()
        self.api = Api(client, writes=settings.writes, fence=lambda: self.lease.leads)
        self.api.meter = self.metrics
        self.lease = Lease(self.api, settings.namespace, settings.identity, seconds=settings.lease_seconds)
        self.schema = Schema(self.api, own_schema)
        self.census = Census(self.api, self.runs, settings.watch)
        self.urls = RedisUrls(self.api, settings.redis)
        self.numbers = NumbersTable(self.runs, self.urls, settings)
        self.children = Children(self._changed)
        self.notes = Notes(self.api, settings.identity)
        self._adviser = Adviser() if advise is None else None
        self._reconcile = self._reconciler(decide, refuse_schema, advise or self._adviser)
        self.informers = [
            Informer(self.api, kind, store, namespace=settings.watch, restarted=self.metrics.restarted)
            for kind in self.children.kinds
            if (store := self.children.store(kind.kind)) is not None
        ]
        self._listed = asyncio.Event()
        self._resynced = time.monotonic()
        self._expiring: set[asyncio.Task[None]] = set()
        self.runs.changed = self.numbers.changed = self._changed
        self.runs.gone = self._gone
        self.metrics.show_runs(lambda: self.runs if self.lease.leads else (), self.numbers.of)

    def _reconciler(self, decide: Decide, refuse_schema: RefuseSchema, advise: Advise | None) -> Reconciler:
        refusals = Refusals()
        statuses = Statuses(self.api, self.runs, self.settings.status_seconds)
        carrier = Carrier(
            api=self.api,
            runs=self.runs,
            children=self.children,
            statuses=statuses,
            refusals=refusals,
            notes=self.notes,
        )
        return Reconciler(
            settings=self.settings,
            runs=self.runs,
            children=self.children,
            numbers=self.numbers,
            urls=self.urls,
            refusals=refusals,
            schema=self.schema,
            carrier=carrier,
            decide=decide,
            refuse_schema=refuse_schema,
            advise=advise,
        )

    # -- life --

    async def run(self) -> None:
        """Until cancelled; then the Lease is given back first."""
        try:
            async with asyncio.TaskGroup() as group:
                for informer in self.informers:
                    group.create_task(informer.run())
                group.create_task(self._list())
                group.create_task(self.lease.run())
                group.create_task(self._lead())
        finally:
            await self.numbers.close()

    async def release(self) -> None:
        """Stop writing, and let a successor begin."""
        await self.lease.release()

    async def _list(self) -> None:
        """The runs, once in full; from then on kopf's events keep them."""
        wait = FIRST_WAIT
        while not self._listed.is_set():
            try:
                await self.census.first()
                self._listed.set()
            except ApiError as error:
                log.warning("runs: %s", error)
                await asyncio.sleep(wait)
                wait = min(LONGEST_WAIT, wait * 2)

    @property
    def synced(self) -> bool:
        return self._listed.is_set() and all(informer.synced.is_set() for informer in self.informers)

    async def _lead(self) -> None:
        for ready in (self._listed, *(informer.synced for informer in self.informers)):
            await ready.wait()
        while True:
            await self.lease.wait(True)
            self.metrics.leader.set(1)
            await _while(self._work(), self.lease.wait(False))
            self.metrics.leader.set(0)
            self.queue.clear()

    async def _work(self) -> None:
        await self._check()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(FIRST_NUMBERS_SECONDS):
                await self.numbers.look()
        self._add_all()
        async with asyncio.TaskGroup() as group:
            group.create_task(work(self.queue, self._reconcile, self.settings.writes, self.metrics))
            group.create_task(self.numbers.run())
            group.create_task(self._resync())
            group.create_task(self._sweep())

    # -- what happens --

    def event(self, type: str | None, run: Run) -> None:
        """Of the runs' watch. `type` is None in the list that comes first."""
        self.census.missed = 0
        if type == "DELETED":
            self.runs.lost(run)
        else:
            self.runs.saw(run)

    def _changed(self, key: Key) -> None:
        if self.lease.leads:
            self.queue.add(key)
            self.metrics.depth.set(len(self.queue))

    def _gone(self, run: Run) -> None:
        uid, client = run["metadata"]["uid"], self.numbers.source(run)
        self.notes.forget(uid)
        self.numbers.forget(uid)
        if self._adviser is not None:
            self._adviser.forget(uid)
        if client is not None and self.lease.leads:
            task = asyncio.get_running_loop().create_task(_expire(client, run))
            self._expiring.add(task)
            task.add_done_callback(self._expiring.discard)

    # -- what is done now and then --

    async def _resync(self) -> None:
        """All runs are looked at anew, spread over the time until the next resync."""
        self._resynced = time.monotonic()
        for turn in itertools.count(1):
            await asyncio.sleep(self.settings.resync_seconds * random.uniform(0.8, 1.2))
            await self._check()
            if turn % CENSUS_EVERY == 0:
                await self._logged("counting runs", self.census.count())
            for key in self.runs.present():
                self.queue.later(key, random.uniform(0, self.settings.resync_seconds / 2))
            self._resynced = time.monotonic()

    async def _check(self) -> None:
        try:
            if await self.schema.check():
                self._add_all()
        except (ApiError, NoCrd) as error:
            log.warning("schema: %s", error)

    async def _sweep(self) -> None:
        while True:
            await self._logged("sweeping Redis", self._sweep_once())
            await asyncio.sleep(SWEEP_SECONDS * random.uniform(0.9, 1.1))

    async def _sweep_once(self) -> None:
        urls = self.urls.own()
        if urls is not None:
            await sweep(self.numbers.client(urls["operator"]), self.census.count, self.settings.watch)

    async def _logged(self, what: str, doing: Awaitable[object]) -> None:
        try:
            await doing
        except (ApiError, RedisError, RedisMissing, OSError) as error:
            log.warning("%s: %s", what, error)

    def _add_all(self) -> None:
        """Behind those that have changed: after an outage, an edit does not wait for a look at all the others."""
        for key in self.runs.present():
            self.queue.add(key, soon=False)

    # -- health --

    def ailment(self) -> str:
        """Why this process should be restarted, in words; empty where it should not."""
        for informer in self.informers:
            if informer.age > DEAF_SECONDS:
                return f"the watch of {informer.kind.plural} has been silent for {informer.age:.0f} s"
        if self.census.missed >= MISSED_COUNTS:
            return "the watch of runs has missed changes"
        silent = time.monotonic() - self._resynced
        if self.lease.leads and self.synced and silent > max(DEAF_SECONDS, 4 * self.settings.resync_seconds):
            return f"no resync for {silent:.0f} s"
        return ""


async def _while(work: Awaitable[None], over: Awaitable[None]) -> None:
    """Works until `over` comes. An error in the work is raised."""
    tasks = [asyncio.ensure_future(work), asyncio.ensure_future(over)]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        done = await asyncio.gather(*tasks, return_exceptions=True)
    for result in done:
        if isinstance(result, Exception):
            raise result


async def _expire(client: Any, run: Run) -> None:
    try:
        await expire(client, run)
    except (RedisError, OSError) as error:
        log.warning("streams of %s not given an expiry, the sweep will: %s", key_of(run), error)
