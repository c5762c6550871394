"""The loopback server that pages are loaded from: the phone's build, from memory, and nothing else."""

from __future__ import annotations

import mimetypes

from aiohttp import web

from mobilegym.phone.build import PhoneBuild

POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self' 'unsafe-inline'",
        "img-src 'self' data:",
        "font-src 'self'",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "Cache-Control": "public, max-age=31536000, immutable",  # the path holds the build's hash
    "X-Content-Type-Options": "nosniff",
}


class PhoneServer:
    """Serves one build under `/<hash>/` on a free loopback port."""

    def __init__(self, build: PhoneBuild) -> None:
        self._build = build
        self._runner: web.AppRunner | None = None
        self.url = ""

    async def start(self) -> None:
        app = web.Application()
        app.router.add_get(f"/{self._build.hash}/{{path:.*}}", self._get)
        self._runner = web.AppRunner(app, access_log=None)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", 0, backlog=1024).start()
        port = self._runner.addresses[0][1]
        self.url = f"http://127.0.0.1:{port}/{self._build.hash}/index.html"

    async def close(self) -> None:
        if self._runner is not None:
            await self._runner.cleanup()
            self._runner = None

    async def _get(self, request: web.Request) -> web.Response:
        path = request.match_info["path"] or "index.html"
        body = self._build.files.get(path)
        if body is None:
            raise web.HTTPNotFound
        kind = "text/javascript" if path.endswith(".js") else mimetypes.guess_type(path)[0]
        return web.Response(body=body, content_type=kind or "application/octet-stream", headers=HEADERS)
