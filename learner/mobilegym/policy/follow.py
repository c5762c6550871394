"""Keeps an engine at the policy version that the run's stream names."""

from __future__ import annotations

import asyncio
import logging
from pathlib import Path

from mobilegym.policy.engine import Engine
from mobilegym.policy.errors import WeightsRefused
from mobilegym.protocol.errors import ProtocolError
from mobilegym.protocol.messages import PolicyVersion
from mobilegym.protocol.streams import Streams, persist

log = logging.getLogger(__name__)
WAIT_SECONDS = 5.0


async def adopt(engine: Engine, found: PolicyVersion) -> None:
    """Loads a published version unless it is being served already. Raises WeightsRefused."""
    if found.version == engine.version:
        return
    await engine.update_weights(Path(found.path.removeprefix("file://")), found.version, found.digest)
    log.info("serving policy version %d from %s", found.version, found.path)


async def catch_up(engine: Engine, streams: Streams) -> None:
    """Called before serving: a restarted engine must not answer with the weights it was built from."""
    found = await persist(streams.policy)
    if found is not None:
        await adopt(engine, found)


async def follow(engine: Engine, streams: Streams) -> None:
    """Adopts versions as they are published, until cancelled. A version that cannot be loaded is logged and counted."""
    refused = -1
    while True:
        try:
            found = await streams.wait_policy(max(engine.version, refused), WAIT_SECONDS)
            if found is not None:
                refused = found.version
                await adopt(engine, found)
        except WeightsRefused as error:
            engine.metrics.errors.labels(error.code).inc()
            log.error("%s", error)
        except ProtocolError as error:
            engine.metrics.errors.labels("stream").inc()
            log.warning("cannot follow the policy stream, trying again: %s", error)
            await asyncio.sleep(1.0)
