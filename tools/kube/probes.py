"""Startup, liveness and readiness probes of one container."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

import aiohttp
from tools.kube.api import Json
from tools.kube.container import Container
from tools.kube.executor import Executor, Sandbox


@dataclass(frozen=True, kw_only=True)
class Timing:
    """In seconds, and in answers of one kind in a row."""

    initial: float
    period: float
    timeout: float
    successes: int
    failures: int

    @staticmethod
    def of(probe: Json) -> Timing:
        return Timing(
            initial=probe.get("initialDelaySeconds", 0),
            period=probe.get("periodSeconds", 10),
            timeout=probe.get("timeoutSeconds", 1),
            successes=probe.get("successThreshold", 1),
            failures=probe.get("failureThreshold", 3),
        )


class Prober:
    """Keeps `started` and `ready` of the container's record; `run` ends when the container is to be killed."""

    def __init__(self, container: Container, sandbox: Sandbox, executor: Executor, changed: Callable[[], None]) -> None:
        self._container, self._sandbox, self._executor, self._changed = container, sandbox, executor, changed

    async def run(self) -> None:
        spec = self._container.spec
        if "startupProbe" in spec:
            self._changed()
            if not await self._passes(spec["startupProbe"]):
                return
        self._container.started = True
        self._container.ready = "readinessProbe" not in spec
        self._changed()
        readiness = asyncio.create_task(self._keep_ready(spec["readinessProbe"])) if "readinessProbe" in spec else None
        try:
            if "livenessProbe" in spec:
                await self._passes(spec["livenessProbe"], until_failure=True)
            else:
                await asyncio.Event().wait()
        finally:
            if readiness:
                readiness.cancel()

    async def _passes(self, probe: Json, *, until_failure: bool = False) -> bool:
        """True once it succeeded (never with `until_failure`), False after too many failures in a row."""
        timing = Timing.of(probe)
        await asyncio.sleep(timing.initial)
        failed = 0
        while True:
            if await self._probe(probe, timing.timeout):
                failed = 0
                if not until_failure:
                    return True
            else:
                failed += 1
                if failed >= timing.failures:
                    return False
            await asyncio.sleep(timing.period)

    async def _keep_ready(self, probe: Json) -> None:
        timing = Timing.of(probe)
        await asyncio.sleep(timing.initial)
        passed = failed = 0
        while True:
            good = await self._probe(probe, timing.timeout)
            passed, failed = (passed + 1, 0) if good else (0, failed + 1)
            ready = self._container.ready
            if passed >= timing.successes:
                ready = True
            elif failed >= timing.failures:
                ready = False
            if ready != self._container.ready:
                self._container.ready = ready
                self._changed()
            await asyncio.sleep(timing.period)

    async def _probe(self, probe: Json, timeout: float) -> bool:
        try:
            async with asyncio.timeout(timeout):
                if "exec" in probe:
                    command = probe["exec"]["command"]
                    return await self._executor.run(self._sandbox, self._container.spec, command) == 0
                if "httpGet" in probe:
                    return await self._http(probe["httpGet"])
                port = self._port(probe["tcpSocket"]["port"])
                _, writer = await asyncio.open_connection(probe["tcpSocket"].get("host") or self._sandbox.address, port)
                writer.close()
                return True
        except (OSError, TimeoutError, aiohttp.ClientError):
            return False

    async def _http(self, get: Json) -> bool:
        """Any status of 200 to 399 is a success."""
        scheme = get.get("scheme", "HTTP").lower()
        host = get.get("host") or self._sandbox.address
        url = f"{scheme}://{host}:{self._port(get['port'])}{get.get('path', '/')}"
        headers = {one["name"]: one["value"] for one in get.get("httpHeaders", ())}
        async with (
            aiohttp.ClientSession() as session,
            session.get(url, headers=headers, ssl=False, allow_redirects=False) as answer,
        ):
            return 200 <= answer.status < 400

    def _port(self, port: int | str) -> int:
        if isinstance(port, int):
            return port
        for one in self._container.spec.get("ports", ()):
            if one.get("name") == port:
                return int(one["containerPort"])
        return int(port)
