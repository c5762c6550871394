"""What a process says of itself over HTTP: /metrics for Prometheus, /healthz and /readyz for a kubelet."""

from __future__ import annotations

import asyncio
import socket
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler
from socketserver import ThreadingTCPServer
from threading import Thread
from typing import Self

from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest

Check = Callable[[], str | None]  # None where all is well, else what is wrong, in words
TEXT = "text/plain; charset=utf-8"


class ListenError(Exception):
    """The port is taken, or the address is not this machine's."""


def fine() -> str | None:
    return None


class Pulse:
    """When something last showed that it goes on. `limit` is in seconds."""

    def __init__(self, what: str, limit: float = 60.0, clock: Callable[[], float] = time.monotonic) -> None:
        self._what, self._limit, self._clock = what, limit, clock
        self._last = clock()

    def beat(self) -> None:
        self._last = self._clock()

    async def keep(self, every: float = 1.0) -> None:
        """Beats for as long as the event loop turns, until cancelled."""
        while True:
            self.beat()
            await asyncio.sleep(every)

    def check(self) -> str | None:
        silent = self._clock() - self._last
        return f"{self._what} has stood still for {silent:.0f} s" if silent >= self._limit else None


class HealthServer:
    """Serves from a thread of its own until closed. `metrics` is a registry, or makes the text itself.

    Port 0 takes a free one; `port` is the one taken. Raises ListenError.
    """

    def __init__(
        self,
        host: str,
        port: int,
        metrics: CollectorRegistry | Callable[[], bytes],
        *,
        alive: Check = fine,
        ready: Check = fine,
    ) -> None:
        text = metrics if callable(metrics) else lambda: generate_latest(metrics)
        answers = {"/metrics": lambda: (200, text()), "/healthz": _asked(alive), "/readyz": _asked(ready)}
        try:
            self._server = _Server(host, port, answers)
        except OSError as error:
            raise ListenError(f"cannot listen on {host} port {port}: {error.strerror or error}") from error
        self.port: int = self._server.socket.getsockname()[1]
        self._thread = Thread(target=self._server.serve_forever, name="health", daemon=True)
        self._thread.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


Answer = Callable[[], tuple[int, bytes]]


def _asked(check: Check) -> Answer:
    def answer() -> tuple[int, bytes]:
        wrong = check()
        return (200, b"ok\n") if wrong is None else (503, f"{wrong}\n".encode())

    return answer


class _Server(ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True
    block_on_close = False

    def __init__(self, host: str, port: int, answers: dict[str, Answer]) -> None:
        self.address_family = socket.AF_INET6 if ":" in host else socket.AF_INET
        self.answers = answers
        super().__init__((host, port), _Handler)

    def handle_error(self, request: object, client_address: object) -> None:
        """Whoever asked has gone: nothing to be told."""


class _Handler(BaseHTTPRequestHandler):
    server: _Server
    timeout = 30  # seconds that a silent client may hold a thread

    def do_GET(self) -> None:
        path = self.path.partition("?")[0]
        answer = self.server.answers.get(path)
        try:
            status, body = answer() if answer is not None else (404, b"there are /metrics, /healthz and /readyz\n")
        except Exception as error:  # the thread's edge: a check that raises is an unhealthy one
            status, body = 500, f"{type(error).__name__}: {error}\n".encode()
        self.send_response(status)
        self.send_header("Content-Type", CONTENT_TYPE_LATEST if path == "/metrics" and status == 200 else TEXT)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Probes come every few seconds."""
