from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import Callable

from tests.conftest import free_port

from mobilegym.policy.model import Policy, weights_digest
from mobilegym.protocol.messages import PolicyVersion, Sampling
from mobilegym.protocol.streams import RedisStreams
from mobilegym.worker.engine_client import EngineClient


async def test_the_process_serves_the_runs_newest_version_and_ends_on_sigterm(
    policy: Policy, png: Callable[..., bytes], redis_url: str, run_name: str
) -> None:
    async with RedisStreams(redis_url, run_name) as streams:
        await streams.publish_policy(
            PolicyVersion(version=3, path=str(policy.folder), digest=weights_digest(policy.folder))
        )
    port = free_port()
    command = [sys.executable, "-m", "mobilegym.policy", "--model", str(policy.folder), "--port", str(port)]
    process = await asyncio.create_subprocess_exec(*command, "--redis", redis_url, "--run", run_name)
    try:
        async with EngineClient(f"http://127.0.0.1:{port}") as client:
            await client.wait_ready(60)
            said = await client.complete([{"role": "user", "content": "Open"}], png(), Sampling(max_tokens=3), seed=1)
        assert said.version == 3
        process.send_signal(signal.SIGTERM)
        assert await asyncio.wait_for(process.wait(), 20) == 0
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
