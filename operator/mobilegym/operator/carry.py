"""Carrying out a plan, in its order."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping, Sequence
from typing import Any

from mobilegym.operator.api import Api
from mobilegym.operator.byname import ByName
from mobilegym.operator.children import Children
from mobilegym.operator.creation import create_pods
from mobilegym.operator.errors import Conflict, Gone, NotFound, Refused
from mobilegym.operator.kinds import POD, RUN, kind_of
from mobilegym.operator.notes import Notes
from mobilegym.operator.plan import Plan, Ref
from mobilegym.operator.refusals import Refusals
from mobilegym.operator.runs import Run, Runs
from mobilegym.operator.statuses import Statuses
from mobilegym.operator.store import Key, hash_of

log = logging.getLogger(__name__)

DELETES_AT_ONCE = 50
AT_ONCE = 0.05  # seconds: a refusal that is news goes into the status by another look


class Carrier:
    """What is as it should be is not written. A refusal is remembered, and the rest of the plan is still done."""

    def __init__(
        self, *, api: Api, runs: Runs, children: Children, statuses: Statuses, refusals: Refusals, notes: Notes
    ) -> None:
        self._api = api
        self._runs = runs
        self._children = children
        self._statuses = statuses
        self._refusals = refusals
        self._notes = notes
        self._unwatched = ByName(api)

    def forget(self, key: Key) -> None:
        for table in (self._statuses, self._refusals, self._unwatched):
            table.forget(key)

    async def carry(self, key: Key, run: Run, plan: Plan) -> float | None:
        """Seconds after which the run must be looked at again, where there is such a time. Raises ApiError."""
        waits = [plan.again_after]
        if plan.status_first and plan.status is not None:
            await self._statuses.write(key, run, plan.status, now=True)
            run = self._runs.get(key) or run
        waits += await self._apply(key, run, plan.apply)
        await self._delete(key, plan.delete)
        held = None
        if plan.status is not None and not plan.status_first:
            held = await self._statuses.write(key, run, plan.status)
            waits.append(held)
        for note in plan.notes if held is None else ():  # they tell of what changed in a status that has to wait
            await self._notes.tell(run, note)
        if plan.replicas is not None:
            self._runs_scaled(await self._api.scale(key.namespace, key.name, plan.replicas))
        if plan.delete_run:
            await self._gone(self._api.delete(RUN, key.namespace, key.name, uid=run["metadata"]["uid"]))
        return min((wait for wait in waits if wait is not None), default=None)

    def _runs_scaled(self, answer: Mapping[str, Any]) -> None:
        log.info("scaled %s to %s", answer["metadata"]["name"], answer["spec"].get("replicas"))

    # -- apply --

    async def _apply(self, key: Key, run: Run, wanted: Sequence[dict[str, Any]]) -> list[float | None]:
        generation = int(run["metadata"].get("generation") or 0)
        others = [child for child in wanted if child["kind"] != POD.kind]
        pods = [pod for pod in wanted if pod["kind"] == POD.kind]
        waits = await asyncio.gather(*(self._child(key, child, generation) for child in others))
        return [*waits, await self._pods(key, pods, generation)]

    async def _child(self, key: Key, wanted: dict[str, Any], generation: int) -> float | None:
        kind, name = wanted["kind"], wanted["metadata"]["name"]
        gate = f"{kind}/{name}"
        store = self._children.store(kind)
        known = store.get(key, name) if store is not None else None
        if known is not None and (known.value.hash == hash_of(wanted) or known.value.terminating):
            return None
        wait = self._refusals.wait(key, gate, generation)
        if wait:
            return wait
        try:
            if store is None:
                await self._unwatched.apply(key, wanted)
            else:
                store.put(await self._api.apply(wanted))
        except NotFound as error:  # of the kind, or of the namespace
            return self._refuse(key, gate, gate, Refused(gate, "NotFound", str(error)), generation)
        except Refused as error:
            return self._refuse(key, gate, gate, error, generation)
        self._refusals.accepted(key, gate)
        return None

    async def _pods(self, key: Key, wanted: Sequence[dict[str, Any]], generation: int) -> float | None:
        store = self._children.pods
        missing = [pod for pod in wanted if store.get(key, pod["metadata"]["name"]) is None]
        if not missing:
            return None
        wait = self._refusals.wait(key, "pods", generation)
        if wait:
            return wait
        try:
            made = await create_pods(self._api, key, missing, store)
        except Refused as error:
            return self._refuse(key, "pods", error.what, error, generation)
        if made:
            self._refusals.accepted(key, "pods")
        return None

    def _refuse(self, key: Key, gate: str, what: str, error: Refused, generation: int) -> float:
        news = self._refusals.refused(key, gate, what, error, generation)
        if news:
            log.warning("%s: refused: %s", key, error)
            return AT_ONCE
        return self._refusals.wait(key, gate, generation)

    # -- delete --

    async def _delete(self, key: Key, refs: Sequence[Ref]) -> None:
        for start in range(0, len(refs), DELETES_AT_ONCE):
            results = await asyncio.gather(
                *(self._one(key, ref) for ref in refs[start : start + DELETES_AT_ONCE]), return_exceptions=True
            )
            for result in results:
                if isinstance(result, BaseException):
                    raise result

    async def _one(self, key: Key, ref: Ref) -> None:
        kind, store = kind_of(ref.kind), self._children.store(ref.kind)
        try:
            answer = await self._api.delete(kind, key.namespace, ref.name, uid=ref.uid, grace=ref.grace)
        except (NotFound, Conflict):  # gone, or a successor of its name: what was meant is no more
            if store is not None:
                store.drop(key, ref.name, ref.uid)
            return
        if store is not None:
            if "uid" in answer["metadata"]:  # the object: it goes in its grace period
                store.put({**answer, "kind": ref.kind})
            else:
                store.drop(key, ref.name, ref.uid)

    async def _gone(self, deletion: Any) -> None:
        try:
            await deletion
        except (NotFound, Conflict, Gone):
            return
