from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
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


MANIFEST = """\
apiVersion: mobilegym.io/v1alpha1
kind: MobileGymRun
metadata: {name: run, annotations: {mobilegym.io/stream: NAME}}
spec:
  model: {preset: pocket, path: MODEL}
"""


async def test_a_manifest_stands_for_model_and_run(
    policy: Policy, tmp_path: Path, redis_url: str, run_name: str
) -> None:
    digest = weights_digest(policy.folder)
    async with RedisStreams(redis_url, run_name) as streams:
        await streams.publish_policy(PolicyVersion(version=7, path=str(policy.folder), digest=digest))
    (tmp_path / "run.yaml").write_text(MANIFEST.replace("NAME", run_name).replace("MODEL", str(policy.folder)))
    (tmp_path / "secret").write_text(redis_url)
    port = free_port()
    command = [sys.executable, "-m", "mobilegym.policy", "--run-file", str(tmp_path / "run.yaml")]
    command += ["--run-dir", str(tmp_path), "--redis", f"@{tmp_path / 'secret'}", "--host", "127.1.0.9"]
    process = await asyncio.create_subprocess_exec(*command, "--port", str(port))
    try:
        async with EngineClient(f"http://127.1.0.9:{port}") as client:
            await client.wait_ready(60, "/healthz")
            assert await client.version() == 7
        process.send_signal(signal.SIGTERM)
        assert await asyncio.wait_for(process.wait(), 20) == 0
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (["--run-file", "/nowhere/run.yaml"], "cannot be read"),
        (["--redis", "@/nowhere/redis"], "--redis: /nowhere/redis cannot be read"),
        ([], "no weights: give --model or --run-file"),
    ],
)
async def test_a_wrong_set_up_is_told_with_exit_2(given: list[str], words: str) -> None:
    command = [sys.executable, "-m", "mobilegym.policy", "--port", "1", *given]
    process = await asyncio.create_subprocess_exec(*command, stderr=asyncio.subprocess.PIPE)
    said = (await asyncio.wait_for(process.communicate(), 60))[1].decode()
    assert process.returncode == 2
    assert words in said
    assert "Traceback" not in said
