from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest
import torch
from aiohttp import ClientSession, web
from tests.conftest import free_port
from tests.policy.conftest import WORDS

from mobilegym.pocket.model import build
from mobilegym.policy.engine import Engine
from mobilegym.policy.follow import catch_up
from mobilegym.policy.metrics import Metrics
from mobilegym.policy.model import Policy, load_policy, save_policy, weights_digest
from mobilegym.policy.server import build_app
from mobilegym.protocol.messages import PolicyVersion, Sampling
from mobilegym.protocol.streams import MemoryStreams
from mobilegym.worker.engine_client import EngineClient, EngineRefused, EngineUnavailable

ASK = [{"role": "user", "content": [{"type": "text", "text": "Open the Gym alarm"}, {"type": "image"}]}]
SAMPLING = Sampling(max_tokens=5)


@pytest.fixture
async def engine(policy: Policy) -> Engine:
    return Engine(load_policy(policy.folder), Metrics())


@pytest.fixture
async def client(engine: Engine) -> AsyncIterator[EngineClient]:
    runner = web.AppRunner(build_app(engine))
    await runner.setup()
    port = free_port()
    await web.TCPSite(runner, "127.0.0.1", port).start()
    async with EngineClient(f"http://127.0.0.1:{port}", deadline_seconds=20) as client:
        yield client
    await runner.cleanup()


@pytest.fixture
def newer(policy: Policy, tmp_path: Path) -> Path:
    """Another checkpoint of the same shape."""
    changed = load_policy(policy.folder)
    with torch.no_grad():
        for parameter in changed.model.parameters():
            parameter.mul_(1.5)
    save_policy(changed, tmp_path / "newer")
    return tmp_path / "newer"


async def test_a_completion_carries_the_exact_tokens(
    client: EngineClient, policy: Policy, png: Callable[..., bytes]
) -> None:
    said = await client.complete(ASK, png(), SAMPLING, seed=3)
    assert said.prompt_ids.count(policy.image_token) == 78
    assert len(said.token_ids) == len(said.logprobs) > 0
    assert said.text == policy.decode(said.token_ids)
    assert said.version == 0


async def test_a_seed_gives_the_same_completion_alone_and_in_a_crowd(
    client: EngineClient, engine: Engine, png: Callable[..., bytes]
) -> None:
    alone = await client.complete(ASK, png(), SAMPLING, seed=7)
    engine.pause()  # so that all of the crowd wait together
    crowd = [asyncio.create_task(client.complete(ASK, png(str(s)), SAMPLING, seed=s)) for s in range(6)]
    again = asyncio.create_task(client.complete(ASK, png(), SAMPLING, seed=7))
    async with asyncio.timeout(20):
        while engine.depth < 7:
            await asyncio.sleep(0.005)
    engine.resume()
    await asyncio.gather(*crowd)
    assert (await again).token_ids == alone.token_ids
    assert engine.metrics.registry.get_sample_value("mobilegym_policy_batch_requests_count") == 2


async def test_new_weights_change_the_version_and_the_samples(
    client: EngineClient, png: Callable[..., bytes], newer: Path
) -> None:
    before = await client.complete(ASK, png(), SAMPLING, seed=1)
    async with ClientSession() as session:
        body = {"path": str(newer), "version": 4, "digest": weights_digest(newer)}
        async with session.post(f"{client.url}/update_weights", json=body) as response:
            assert (await response.json())["version"] == 4
    after = await client.complete(ASK, png(), SAMPLING, seed=1)
    assert after.version == 4
    assert after.logprobs != before.logprobs


async def test_a_version_told_of_twice_is_loaded_once(engine: Engine, newer: Path) -> None:
    told = (newer, 4, weights_digest(newer))
    await asyncio.gather(engine.update_weights(*told), engine.update_weights(*told))
    assert engine.metrics.registry.get_sample_value("mobilegym_policy_weight_swaps_total") == 1
    await engine.update_weights(newer, 4)  # without a digest nobody knows
    assert engine.metrics.registry.get_sample_value("mobilegym_policy_weight_swaps_total") == 2


async def test_damaged_weights_are_refused_and_the_old_ones_stay(
    client: EngineClient, engine: Engine, newer: Path, png: Callable[..., bytes]
) -> None:
    before = await client.complete(ASK, png(), SAMPLING, seed=1)
    async with ClientSession() as session:
        body = {"path": str(newer), "version": 4, "digest": "0" * 64}
        async with session.post(f"{client.url}/update_weights", json=body) as response:
            assert response.status == 409
            assert (await response.json())["error"]["code"] == "weights_refused"
    assert (await client.complete(ASK, png(), SAMPLING, seed=1)) == before


async def test_weights_of_another_shape_are_refused(client: EngineClient, tmp_path: Path) -> None:
    other = build(tmp_path / "other", seed=1, vocabulary=[*WORDS, "more", "words"])
    async with (
        ClientSession() as session,
        session.post(f"{client.url}/update_weights", json={"path": str(other.folder), "version": 1}) as response,
    ):
        assert response.status == 409
        assert "embed_tokens" in (await response.json())["error"]["message"]


async def test_a_restarted_engine_starts_at_the_published_version(engine: Engine, newer: Path) -> None:
    streams = MemoryStreams("run")
    await streams.publish_policy(PolicyVersion(version=9, path=str(newer), digest=weights_digest(newer)))
    await catch_up(engine, streams)
    assert engine.version == 9
    await engine.close()


async def test_images_off_the_grid_are_refused(client: EngineClient, png: Callable[..., bytes]) -> None:
    with pytest.raises(EngineRefused, match="multiples of 32") as refused:
        await client.complete(ASK, png(size=(180, 400)), SAMPLING, seed=0)
    assert refused.value.code == "invalid_image"


async def test_a_long_prompt_is_refused(client: EngineClient, png: Callable[..., bytes]) -> None:
    with pytest.raises(EngineRefused, match="fewer than 512") as refused:
        await client.complete([{"role": "user", "content": "Open " * 600}], png(), SAMPLING, seed=0)
    assert refused.value.code == "context_length_exceeded"


async def test_an_unknown_model_is_refused(client: EngineClient, png: Callable[..., bytes]) -> None:
    client.model = "other"
    with pytest.raises(EngineRefused) as refused:
        await client.complete(ASK, png(), SAMPLING, seed=0)
    assert refused.value.code == "model_not_found"


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"messages": [{"role": "user", "content": "no image"}]}, "invalid_image"),
        ({"top_p": 0.9}, "invalid_request_error"),
        ({"max_tokens": 0}, "invalid_request_error"),
        ({"surprise": 1}, "invalid_request_error"),
    ],
)
async def test_refusals_have_openais_shape(client: EngineClient, change: dict[str, object], code: str) -> None:
    body = {"model": "policy", "messages": [{"role": "user", "content": "hi"}]} | change
    async with ClientSession() as session, session.post(f"{client.url}/v1/chat/completions", json=body) as response:
        assert response.status == 400
        assert (await response.json())["error"]["code"] == code


async def test_metrics_and_models_are_served(client: EngineClient, policy: Policy) -> None:
    async with ClientSession() as session:
        async with session.get(f"{client.url}/metrics") as response:
            assert "mobilegym_policy_version 0.0" in await response.text()
        async with session.get(f"{client.url}/v1/models") as response:
            assert (await response.json())["data"][0]["id"] == policy.name


async def test_an_absent_engine_is_unavailable_at_the_deadline(png: Callable[..., bytes]) -> None:
    async with EngineClient(f"http://127.0.0.1:{free_port()}", deadline_seconds=0.2) as client:
        with pytest.raises(EngineUnavailable, match="is the engine running"):
            await client.complete(ASK, png(), SAMPLING, seed=0)
