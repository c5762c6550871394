"""Real parts for tests, started and stopped by fixtures."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import time
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

import pytest
import redis

pytest_plugins = ["tests.kube_fixtures"]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def missing(what: str) -> NoReturn:
    """A real part is not here: fail in CI, skip elsewhere."""
    if os.environ.get("CI") == "true":
        pytest.fail(f"{what} is needed in CI")
    pytest.skip(f"{what} is not installed")


@pytest.fixture(scope="session")
def redis_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A real Redis on a free loopback port, shared by the session: take your own run name."""
    binary = shutil.which("redis-server")
    if binary is None:
        missing("redis-server")
    assert binary is not None
    folder: Path = tmp_path_factory.mktemp("redis")
    port = free_port()
    command = [binary, "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--dir", str(folder)]
    with (folder / "log").open("wb") as log:
        server = subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT)
    url = f"redis://127.0.0.1:{port}/0"
    client = redis.Redis.from_url(url)
    deadline = time.monotonic() + 20
    while True:
        try:
            client.ping()
            break
        except redis.ConnectionError:
            assert server.poll() is None, (folder / "log").read_text()
            assert time.monotonic() < deadline, "redis-server does not answer after 20 s"
            time.sleep(0.02)
    client.close()
    yield url
    server.terminate()
    server.wait(20)


@pytest.fixture
def run_name() -> str:
    return f"run-{uuid.uuid4().hex[:8]}"
