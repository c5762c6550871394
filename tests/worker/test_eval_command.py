"""`mobilegym eval` as a user calls it: the oracle, and a model behind a URL."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.conftest import free_port

from mobilegym.pocket.model import build
from mobilegym.worker.engine_client import EngineClient

GYM = [sys.executable, "-m", "mobilegym.cli.main", "eval"]


def evaluate(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*GYM, *arguments], capture_output=True, text=True, check=False, timeout=200)


async def ready(url: str) -> None:
    async with EngineClient(url) as client:
        await client.wait_ready(90)


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """An untrained policy behind the project's own engine."""
    folder: Path = tmp_path_factory.mktemp("weights")
    build(folder, seed=1, vocabulary=["Turn", "the", "alarm"])
    port = free_port()
    command = [sys.executable, "-m", "mobilegym.policy", "--model", str(folder), "--port", str(port)]
    process = subprocess.Popen(command)
    url = f"http://127.0.0.1:{port}"
    try:
        asyncio.run(ready(url))
        yield url
    finally:
        process.terminate()
        process.wait(30)


def test_the_oracle_scores_full_marks_and_every_episode_is_written(tmp_path: Path) -> None:
    out = tmp_path / "episodes.jsonl"
    chosen = ("--include", "clock.toggle-alarm", "--include", "settings.set-switch")
    done = evaluate("--agent", "oracle", *chosen, "--seeds", "2", "--phones", "2", "--json", "--out", str(out))
    assert done.returncode == 0, done.stderr
    scores = json.loads(done.stdout)
    assert scores["all"][0]["success"] == 1.0
    assert {line["name"] for line in scores["app"]} == {"clock", "settings"}
    lines = [json.loads(line) for line in out.read_text().splitlines()]
    assert len(lines) == 4
    assert all(line["success"] and line["clean"] for line in lines)


def test_a_model_needs_only_a_url(engine: str) -> None:
    speech = ("--dialect", "compact", "--image-scale", "0.5", "--max-tokens", "6", "--temperature", "1", "--steps", "4")
    done = evaluate(
        "--url", engine, *speech, "--include", "clock.toggle-alarm", "--seeds", "2", "--phones", "2", "--json"
    )
    assert done.returncode == 0, done.stderr
    score = json.loads(done.stdout)["all"][0]
    assert score["n"] == 2
    assert score["failed"] == 0


def test_a_pattern_that_matches_nothing_says_where_to_look() -> None:
    done = evaluate("--agent", "oracle", "--include", "clock.toggel-alarm")
    assert done.returncode == 2
    assert "mobilegym tasks list" in done.stderr
