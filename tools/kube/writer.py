"""Writes pods' statuses: the latest one of each pod, some pods at once, until it is in the API server."""

from __future__ import annotations

import asyncio
import logging

import aiohttp
from tools.kube.api import STRATEGIC, Api, ApiError
from tools.kube.pod import Pod

log = logging.getLogger(__name__)

RETRY_SECONDS = 0.5


class StatusWriter:
    def __init__(self, api: Api, *, at_once: int = 16) -> None:
        self._api, self._at_once = api, at_once
        self._ready: asyncio.Queue[Pod] = asyncio.Queue()
        self._dirty: set[Pod] = set()
        self._writing: set[Pod] = set()
        self._waiting: dict[Pod, asyncio.Future[None]] = {}

    def put(self, pod: Pod) -> None:
        """The pod's status may have changed."""
        if pod not in self._dirty:
            self._dirty.add(pod)
            if pod not in self._writing:
                self._ready.put_nowait(pod)

    async def flush(self, pod: Pod) -> None:
        """Returns when the pod's status is written, or the pod is gone."""
        if pod not in self._waiting:
            self._waiting[pod] = asyncio.get_running_loop().create_future()
        waiting = self._waiting[pod]
        self.put(pod)
        await waiting

    def rewrite(self, pod: Pod) -> None:
        """Writes although it was written: the API server has another status than ours."""
        if pod not in self._dirty and pod not in self._writing:
            pod.written = None
            self.put(pod)

    async def run(self) -> None:
        async with asyncio.TaskGroup() as group:
            for _ in range(self._at_once):
                group.create_task(self._work())

    async def _work(self) -> None:
        while True:
            pod = await self._ready.get()
            self._dirty.discard(pod)
            self._writing.add(pod)
            try:
                done = await self._write(pod)
            finally:
                self._writing.discard(pod)
            if not done:
                asyncio.get_running_loop().call_later(RETRY_SECONDS, self.put, pod)
            elif pod in self._dirty:
                self._ready.put_nowait(pod)
            elif waiting := self._waiting.pop(pod, None):
                waiting.set_result(None)

    async def _write(self, pod: Pod) -> bool:
        """False: to be tried again."""
        status = pod.status()
        if status == pod.written:
            return True
        body = {"metadata": {"uid": pod.key.uid}, "status": status}
        try:
            await self._api.patch(f"{pod.key.path}/status", body, kind=STRATEGIC)
        except ApiError as error:
            if error.not_found or error.conflict:  # gone, or another pod of that name
                return True
            log.warning("status of %s: %s", pod.key.name, error)
            return False
        except (aiohttp.ClientError, TimeoutError) as error:
            log.debug("status of %s: %r", pod.key.name, error)
            return False
        pod.written = status
        return True
