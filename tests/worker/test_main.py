"""The worker as a process: probes, signals, exit statuses."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import urllib.error
import urllib.request
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from mobilegym.protocol.ports import read_ports
from mobilegym.protocol.streams import RedisStreams

MANIFEST = """\
apiVersion: mobilegym.io/v1alpha1
kind: MobileGymRun
metadata: {name: run, annotations: {mobilegym.io/stream: STREAM}}
spec:
  model: {preset: pocket}
  workers: {phonesPerWorker: 1, drainSeconds: 1}
"""


@pytest.fixture
def manifest(tmp_path: Path, run_name: str) -> Path:
    file = tmp_path / "run.yaml"
    file.write_text(MANIFEST.replace("STREAM", run_name))
    return file


@pytest.fixture
def secret(tmp_path: Path, redis_url: str) -> Path:
    file = tmp_path / "redis"
    file.write_text(redis_url + "\n")
    return file


@asynccontextmanager
async def worker(manifest: Path, redis: str, **more: str) -> AsyncIterator[asyncio.subprocess.Process]:
    given = {"run-file": manifest, "run-dir": manifest.parent, "redis": redis, "engine": "http://127.0.0.1:1"} | more
    argv = [sys.executable, "-m", "mobilegym.worker", *(w for k, v in given.items() for w in (f"--{k}", str(v)))]
    process = await asyncio.create_subprocess_exec(*argv, stderr=asyncio.subprocess.PIPE, env=dict(os.environ))
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


async def probe(folder: Path, path: str) -> int:
    """Status; 0 where nobody listens yet."""
    port = read_ports(folder).get("worker-0")

    def ask() -> int:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=10) as answer:
                return int(answer.status)
        except urllib.error.HTTPError as error:
            error.close()
            return error.code
        except OSError:
            return 0

    return await asyncio.to_thread(ask) if port is not None else 0


async def until(folder: Path, path: str, status: int) -> None:
    async with asyncio.timeout(60):
        while await probe(folder, path) != status:
            await asyncio.sleep(0.05)


async def test_a_worker_answers_probes_and_drains_on_sigterm(
    manifest: Path, secret: Path, redis_url: str, run_name: str
) -> None:
    async with worker(manifest, f"@{secret}", blobs=f"@{secret}") as process:
        await until(manifest.parent, "/readyz", 200)
        assert await probe(manifest.parent, "/healthz") == 200
        async with RedisStreams(redis_url, run_name) as streams:
            assert await streams.tasks()
            (beat,) = await streams.heartbeats()
        assert beat.detail["phones"] == 1
        assert beat.detail["start_seconds"] > 0
        process.send_signal(signal.SIGTERM)
        assert await asyncio.wait_for(process.wait(), 30) == 0


async def test_a_signal_before_the_phones_are_open_ends_it_well(manifest: Path) -> None:
    async with worker(manifest, "redis://127.0.0.1:1/0") as process:
        await until(manifest.parent, "/readyz", 503)
        process.send_signal(signal.SIGTERM)
        assert await asyncio.wait_for(process.wait(), 30) == 0


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"redis": "@/nowhere/redis"}, "--redis: /nowhere/redis cannot be read"),
        ({"redis": "http://:s3cret@redis"}, "--redis is no URL"),
        ({"blobs": "@/nowhere/blobs"}, "--blobs: /nowhere/blobs cannot be read"),
        ({"engine": "localhost:8000"}, "write http://host:port"),
        ({"run-file": "/nowhere/run.yaml"}, "/nowhere/run.yaml: 1 problem"),
    ],
)
async def test_a_wrong_set_up_is_told_with_exit_2(manifest: Path, change: dict[str, str], words: str) -> None:
    async with worker(manifest, **({"redis": "redis://127.0.0.1:1/0"} | change)) as process:
        said = (await asyncio.wait_for(process.communicate(), 30))[1].decode()
        assert process.returncode == 2
    assert words in said
    assert "Traceback" not in said
    assert "s3cret" not in said
