"""A version reaches the stream and the engine, also one that is down at first."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import torch
from aiohttp import web
from tests.conftest import free_port
from tests.learner.world import tiny_policy

from mobilegym.learner.inbox import Stopped
from mobilegym.learner.publish import REFUSALS, Publisher, WeightsNotTaken
from mobilegym.policy.engine import Engine
from mobilegym.policy.metrics import Metrics
from mobilegym.policy.model import Policy, load_policy
from mobilegym.policy.server import build_app
from mobilegym.protocol.streams import MemoryStreams


@pytest.fixture
def policy(tmp_path: Path) -> Policy:
    return tiny_policy(tmp_path / "model")


@asynccontextmanager
async def serving(folder: Path, port: int) -> AsyncIterator[Engine]:
    engine = Engine(load_policy(folder), Metrics())
    runner = web.AppRunner(build_app(engine))
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", port).start()
    try:
        yield engine
    finally:
        await runner.cleanup()


async def test_the_engine_gets_the_weights_and_runs_on(tmp_path: Path, policy: Policy) -> None:
    streams, port = MemoryStreams("r"), free_port()
    async with serving(tmp_path / "model", port) as engine:
        publisher = Publisher(policy, tmp_path / "policy", streams, f"http://127.0.0.1:{port}")
        with torch.no_grad():
            policy.model.get_input_embeddings().weight.add_(1.0)
        version = publisher.save(3)
        await publisher.publish(version, lambda: False)
        assert engine.version == 3
        assert not engine.paused
        assert torch.equal(
            engine.policy.model.get_input_embeddings().weight, policy.model.get_input_embeddings().weight
        )
    assert await streams.policy() == version


async def test_an_engine_that_is_down_is_waited_for(tmp_path: Path, policy: Policy) -> None:
    streams, port = MemoryStreams("r"), free_port()
    publisher = Publisher(policy, tmp_path / "policy", streams, f"http://127.0.0.1:{port}")
    publishing = asyncio.create_task(publisher.publish(publisher.save(1), lambda: False))
    found = await streams.wait_policy(0, 5)  # on the stream at once: an engine that starts finds it there
    assert found is not None
    assert not publishing.done()
    async with serving(tmp_path / "model", port) as engine:
        await publishing
        assert engine.version == 1


async def test_a_stop_ends_the_waiting(tmp_path: Path, policy: Policy) -> None:
    publisher = Publisher(policy, tmp_path / "policy", MemoryStreams("r"), f"http://127.0.0.1:{free_port()}")
    asked = iter([False, True])
    with pytest.raises(Stopped):
        await publisher.publish(publisher.save(1), lambda: next(asked))


async def test_an_engine_that_refuses_a_version_is_not_asked_for_ever(tmp_path: Path, policy: Policy) -> None:
    streams, port = MemoryStreams("r"), free_port()
    async with serving(tmp_path / "model", port) as engine:
        publisher = Publisher(policy, tmp_path / "policy", streams, f"http://127.0.0.1:{port}", retry_seconds=0.0)
        version = publisher.save(1)
        (tmp_path / "policy" / "v000001" / "model.safetensors").write_bytes(b"another one's")
        with pytest.raises(WeightsNotTaken, match=f"did not take version 1 .* {REFUSALS} times: does it see"):
            await publisher.publish(version, lambda: False)
        assert not engine.paused
        assert engine.version == 0


def test_saved_folders_are_whole_policies_and_old_ones_go(tmp_path: Path, policy: Policy) -> None:
    publisher = Publisher(policy, tmp_path / "policy", MemoryStreams("r"), None)
    for version in range(6):
        last = publisher.save(version)
    assert sorted(p.name for p in (tmp_path / "policy").iterdir()) == ["v000003", "v000004", "v000005"]
    assert load_policy(last.path).suppressed == policy.suppressed
