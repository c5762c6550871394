"""What an operator would serve of a run on this machine: its registry, its look into Redis, its decision."""

from __future__ import annotations

import threading
import time
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import yaml
from prometheus_client import start_http_server
from redis import Redis
from redis.exceptions import RedisError
from tools.dashboards.prometheus import NAMESPACE, free_port

from mobilegym.operator import glance, names
from mobilegym.operator.decide import plan
from mobilegym.operator.metrics import Metrics
from mobilegym.operator.observed import Numbers, Observed, Pod
from mobilegym.operator.settings import Settings

LOOK_SECONDS = 1.0
UID = "00000000-0000-0000-0000-000000000000"


class Bystander:
    """Looks at a run's Redis once a second, as the operator does, and serves what it would."""

    def __init__(self, manifest: Path, redis_url: str) -> None:
        self._run: dict[str, Any] = yaml.safe_load(manifest.read_text(encoding="utf-8"))
        meta = self._run["metadata"]
        meta |= {"namespace": NAMESPACE, "uid": UID, "generation": 1, "creationTimestamp": "2026-01-01T00:00:00Z"}
        self._name: str = meta["name"]
        self._redis = Redis.from_url(redis_url, protocol=2)
        self._settings = Settings(namespace=NAMESPACE)
        self._numbers: Numbers | None = None
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self.metrics = Metrics()
        self.metrics.leader.set(1)
        self.metrics.show_runs(lambda: [self._run], lambda _: self._numbers)
        self.port = free_port()

    def __enter__(self) -> Self:
        self._server, self._serving = start_http_server(self.port, "127.0.0.1", self.metrics.registry)
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._ended.set()
        self._thread.join()
        self._server.shutdown()
        self._server.server_close()
        self._serving.join()
        self._redis.close()

    def _watch(self) -> None:
        while not self._ended.wait(LOOK_SECONDS):
            started = time.monotonic()
            try:
                self._look()
            except (RedisError, OSError):
                self.metrics.reconciles.labels("unavailable").inc()
            else:
                self.metrics.reconciles.labels("ok").inc()
            self.metrics.seconds.observe(time.monotonic() - started)

    def _look(self) -> None:
        script = self._redis.register_script(glance.SCRIPT)
        answer: Any = script(keys=glance.keys_of(self._name), args=list(glance.ARGS))
        now = time.time()
        self._numbers = numbers = glance.numbers_of(answer, now, self._numbers)
        seen = Observed(run=self._run, pods=self._pods(numbers), numbers=numbers, redis_urls={}, now=now)
        status = plan(seen, self._settings).status
        if status is not None:
            self._run = {**self._run, "status": status}

    def _pods(self, numbers: Numbers) -> tuple[Pod, ...]:
        """Processes that beat count as ready pods."""
        wanted = [(name, names.WORKER) for name in numbers.workers]
        wanted += [(names.learner_name(self._name), names.LEARNER)] if numbers.learner else []
        return tuple(
            Pod(name=name, uid=name, part=part, index=index, phase="Running", ready=True, scheduled=True)
            for index, (name, part) in enumerate(wanted)
        )
