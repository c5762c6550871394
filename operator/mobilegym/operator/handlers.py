"""kopf's part: it watches the runs and tells the controller. No finalizer, no annotation, no event of its own."""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import Callable, Iterator
from itertools import chain, repeat
from typing import Any

import kopf

from mobilegym.operator import names
from mobilegym.operator.runs import Run

Listener = Callable[[str | None, Run], None]

EXIT_SECONDS = 25.0
FIRST_WAITS, LONGEST_WAIT = (0.5, 1.0), 3.0  # seconds between two tries of a request


class Patience:
    """Waits without end: kopf would end the operator after the last one."""

    def __iter__(self) -> Iterator[float]:
        return (wait * random.uniform(0.7, 1.0) for wait in chain(FIRST_WAITS, repeat(LONGEST_WAIT)))


async def listen(listener: Listener, *, namespace: str | None, stop: asyncio.Event, ready: asyncio.Event) -> None:
    """Until `stop`. The listener is told of every run in the beginning, then of every change."""
    for name in ("kopf", "kopf.objects", "kopf.activities"):
        logging.getLogger(name).setLevel(logging.WARNING)
    await kopf.operator(
        registry=registry(listener),
        settings=settings(),
        standalone=True,
        clusterwide=namespace is None,
        namespaces=() if namespace is None else (namespace,),
        stop_flag=stop,
        ready_flag=ready,
    )


def registry(listener: Listener) -> kopf.OperatorRegistry:
    handlers = kopf.OperatorRegistry()

    @kopf.on.login(registry=handlers)
    def login(**context: Any) -> kopf.ConnectionInfo | None:
        return kopf.login_with_service_account(**context) or kopf.login_with_kubeconfig(**context)

    @kopf.on.event(names.GROUP, names.VERSION, names.PLURAL, registry=handlers)
    async def seen(event: Any, **_: Any) -> None:
        listener(event["type"], event["object"])

    return handlers


def settings() -> kopf.OperatorSettings:
    found = kopf.OperatorSettings()
    found.watching.server_timeout = 300
    found.watching.client_timeout = 330
    found.watching.connect_timeout = 5
    found.networking.connect_timeout = 5
    found.networking.request_timeout = 30
    found.networking.error_backoffs = Patience()
    found.networking.enforce_retry_after = True
    found.queueing.worker_limit = 200
    found.posting.enabled = False
    found.scanning.disabled = True
    found.process.ultimate_exiting_timeout = EXIT_SECONDS
    return found
