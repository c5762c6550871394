"""The kubelet's port: serves containers' logs to the API server over TLS, so that `kubectl logs` works."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Callable
from pathlib import Path

from aiohttp import web
from tools.kube.addresses import free_port
from tools.kube.logs import Logs, tail
from tools.kube.node import HOST

CHUNK = 1 << 16
FOLLOW_SECONDS = 0.2  # between two looks at a file that grows


class LogServer:
    """`running(namespace, pod, container)` tells whether more may be written."""

    def __init__(self, logs: Logs, running: Callable[[str, str, str], bool]) -> None:
        self._logs, self._running = logs, running
        self.port = free_port()

    async def start(self, certificate: Path, key: Path) -> None:
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.load_cert_chain(certificate, key)
        app = web.Application()
        app.router.add_get("/containerLogs/{namespace}/{pod}/{container}", self._serve)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
        await self._runner.setup()
        await web.TCPSite(self._runner, HOST, self.port, ssl_context=context).start()

    async def stop(self) -> None:
        await self._runner.cleanup()

    async def _serve(self, request: web.Request) -> web.StreamResponse:
        names = request.match_info["namespace"], request.match_info["pod"], request.match_info["container"]
        query = request.query
        path = self._logs.latest(*names, previous=query.get("previous") == "true")
        if path is None:
            return web.Response(status=404, text=f"container {names[2]} of pod {names[1]} has no such log\n")
        offset = tail(path, int(query["tailLines"])) if "tailLines" in query else 0
        left = int(query.get("limitBytes", 1 << 62))
        answer = web.StreamResponse(headers={"Content-Type": "text/plain"})
        await answer.prepare(request)
        with path.open("rb") as log:
            log.seek(offset)
            while left > 0:
                more = query.get("follow") == "true" and self._running(*names)
                while data := log.read(min(CHUNK, left)):
                    left -= len(data)
                    await answer.write(data)
                if not more:
                    break
                await asyncio.sleep(FOLLOW_SECONDS)
        return answer
