"""One look at a run: what is observed goes into the decision, and its plan is carried out."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

from mobilegym.operator.carry import Carrier
from mobilegym.operator.children import Children
from mobilegym.operator.numbers import NumbersTable
from mobilegym.operator.observed import Advice, Observed
from mobilegym.operator.plan import Plan
from mobilegym.operator.refusals import Refusals
from mobilegym.operator.runs import Run, Runs
from mobilegym.operator.schema import Schema
from mobilegym.operator.settings import Settings
from mobilegym.operator.store import Key
from mobilegym.operator.urls import RedisUrls

Decide = Callable[[Observed, Settings], Plan]
RefuseSchema = Callable[[Run, float], Plan]  # for a CRD that this operator does not know
Advise = Callable[[Observed], Advice]  # the autoscaler, with its memory


class Reconciler:
    """Level-triggered: nothing is known of what led to the look. Called for one key at a time."""

    def __init__(
        self,
        *,
        settings: Settings,
        runs: Runs,
        children: Children,
        numbers: NumbersTable,
        urls: RedisUrls,
        refusals: Refusals,
        schema: Schema,
        carrier: Carrier,
        decide: Decide,
        refuse_schema: RefuseSchema,
        advise: Advise | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._settings = settings
        self._runs = runs
        self._children = children
        self._numbers = numbers
        self._urls = urls
        self._refusals = refusals
        self._schema = schema
        self._carrier = carrier
        self._decide = decide
        self._refuse_schema = refuse_schema
        self._advise = advise
        self._clock = clock

    async def __call__(self, key: Key) -> float | None:
        """Seconds after which to come again, where there is such a time. Raises ApiError."""
        run = self._runs.get(key)
        if run is None:
            self._carrier.forget(key)
            return None
        if not self._schema.known:
            return await self._carrier.carry(key, run, self._refuse_schema(run, self._clock()))
        return await self._carrier.carry(key, run, self._decide(await self.observe(key, run), self._settings))

    async def observe(self, key: Key, run: Run) -> Observed:
        uid = run["metadata"]["uid"]
        urls = await self._urls.of(run)  # first: what follows is seen at one moment
        observed = Observed(
            run=run,
            pods=tuple(self._children.pods.of(key, uid)),
            children=self._children.of(key, uid),
            numbers=self._numbers.of(run),
            refusal=self._refusals.last(key),
            redis_urls=urls,
            now=self._clock(),
        )
        return observed if self._advise is None else replace(observed, advice=self._advise(observed))
