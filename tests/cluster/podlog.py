"""All that becomes of a namespace's pods while a test goes on."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator

from tests.cluster.pods import is_ready

from mobilegym.operator import names
from mobilegym.operator.api import Api, Object
from mobilegym.operator.errors import ApiError
from mobilegym.operator.kinds import POD


class PodLog:
    """`made`: name by uid of every pod that was ever seen. `most`: of each part, alive at once. `least`: ready workers,
    since the first of them all were listed."""

    def __init__(self) -> None:
        self.made: dict[str, str] = {}
        self.most: dict[str, int] = {names.WORKER: 0, names.LEARNER: 0}
        self.least: int | None = None
        self._alive: dict[str, str] = {}  # part by uid
        self._ready: set[str] = set()  # uids of workers

    async def run(self, api: Api, namespace: str) -> None:
        """Until cancelled; an API server that is away is waited for."""
        while True:
            with contextlib.suppress(ApiError):
                async for page in api.pages(POD, namespace):
                    version = page.version
                    for pod in page.items:
                        self.saw(pod)
                self.least = len(self._ready) if self.least is None else self.least
                async with contextlib.aclosing(api.watch(POD, namespace, version)) as watch:
                    async for change in watch:
                        if change.type == "DELETED":
                            self._gone(change.object["metadata"]["uid"])
                        elif change.type != "BOOKMARK":
                            self.saw(change.object)
            await asyncio.sleep(0.1)

    def saw(self, pod: Object) -> None:
        meta, phase = pod["metadata"], pod.get("status", {}).get("phase", "Pending")
        uid, part = meta["uid"], meta["labels"][names.PART]
        self.made[uid] = meta["name"]
        if "deletionTimestamp" in meta or phase in ("Succeeded", "Failed"):
            self._gone(uid)
            return
        self._alive[uid] = part
        self.most[part] = max(self.most[part], list(self._alive.values()).count(part))
        if part == names.WORKER and is_ready(pod):
            self._ready.add(uid)
        else:
            self._unready(uid)

    def _gone(self, uid: str) -> None:
        self._alive.pop(uid, None)
        self._unready(uid)

    def _unready(self, uid: str) -> None:
        self._ready.discard(uid)
        if self.least is not None:
            self.least = min(self.least, len(self._ready))

    def names(self) -> list[str]:
        """Of all that were made, one that was made twice named twice."""
        return sorted(self.made.values())


@contextlib.asynccontextmanager
async def logged(api: Api, namespace: str) -> AsyncIterator[PodLog]:
    log = PodLog()
    task = asyncio.create_task(log.run(api, namespace))
    try:
        yield log
        assert not task.done(), task
    finally:
        task.cancel()
        await asyncio.wait([task])
