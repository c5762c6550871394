"""The operator's two HTTP doors: /metrics, and /healthz with /readyz."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from aiohttp import web
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

from mobilegym.operator.controller import Controller

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


async def serve(controller: Controller, host: str, metrics_port: int, probe_port: int) -> web.AppRunner:
    """Started; clean it up. Both may be one port."""
    app = web.Application()
    app.router.add_get("/metrics", _metrics(controller))
    app.router.add_get("/healthz", _probe(controller.ailment))
    app.router.add_get("/readyz", _probe(lambda: "" if controller.synced else "the first lists are not complete"))
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    for port in sorted({metrics_port, probe_port}):
        await web.TCPSite(runner, host, port).start()
    return runner


def _metrics(controller: Controller) -> Handler:
    async def answer(request: web.Request) -> web.Response:
        body = generate_latest(controller.metrics.registry)
        return web.Response(body=body, headers={"Content-Type": CONTENT_TYPE_LATEST})

    return answer


def _probe(ailment: Callable[[], str]) -> Handler:
    async def answer(request: web.Request) -> web.Response:
        found = ailment()
        return web.Response(status=503 if found else 200, text=(found or "ok") + "\n")

    return answer
