"""A learner that is stopped in any way ends where it would have ended, and every episode is trained exactly once."""

from __future__ import annotations

import asyncio
import itertools
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file
from tests.learner.plays import Player
from tests.learner.world import tiny_policy

from mobilegym.learner.checkpoint import Checkpoints
from mobilegym.learner.ledger import LedgerLine, read_lines
from mobilegym.policy.model import Policy
from mobilegym.protocol.streams import Audit, RedisStreams

ROOT = Path(__file__).parents[2]
LEARNING_RATE = 1e-3  # as in the manifest below
MANIFEST = """\
apiVersion: mobilegym.io/v1alpha1
kind: MobileGymRun
metadata: {{name: {name}}}
spec:
  model: {{preset: pocket, path: {model}}}
  algorithm:
    totalSteps: {steps}
    promptsPerStep: 2
    groupSize: 4
    updatesPerStep: 2
    staleness: {staleness}
    learningRate: 1e-3
    klCoefficient: 0.01
    maxTokens: 4
    evalEvery: 2
    evalEpisodes: 3
    trainVision: {vision}
  learner:
    ranks: {ranks}
    checkpoint: {{interval: {interval}, keepLast: 2}}
"""


@dataclass
class Run:
    """One run in a folder of its own, with a stub worker."""

    name: str
    folder: Path
    redis: str
    player: Player

    def learner(self) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "mobilegym.learner", "--run-file", str(self.folder / "run.yaml")]
        command += ["--run-dir", str(self.folder / "run"), "--redis", self.redis]
        with (self.folder / "learner.log").open("ab") as log:
            return subprocess.Popen(command, cwd=ROOT, stdout=log, stderr=subprocess.STDOUT, env=environment())

    def finish(self, process: subprocess.Popen[bytes]) -> int:
        status = process.wait(600)
        assert status in (0, 75), self.log()
        return status

    def wait(self, what: Callable[[], bool], process: subprocess.Popen[bytes]) -> None:
        deadline = time.monotonic() + 600
        while not what():
            assert process.poll() is None, self.log()
            assert time.monotonic() < deadline, self.log()
            time.sleep(0.02)  # until a file says so: the learner is another process

    def log(self) -> str:
        return (self.folder / "learner.log").read_text()[-6000:]

    def metrics(self, kind: str) -> list[dict[str, float]]:
        file = self.folder / "run" / "metrics.jsonl"
        lines = file.read_text().splitlines() if file.exists() else []
        return [line for line in map(json.loads, lines) if line["kind"] == kind]

    def weights(self) -> dict[str, torch.Tensor]:
        newest = Checkpoints(self.folder / "run" / "checkpoints").newest()
        assert newest is not None
        weights: dict[str, torch.Tensor] = load_file(newest / "model" / "model.safetensors")
        return weights

    def ledger(self) -> list[LedgerLine]:
        return read_lines(self.folder / "run" / "ledger.jsonl")

    def audit(self) -> Audit:
        async def ask() -> Audit:
            async with RedisStreams(self.redis, self.name) as streams:
                return await streams.audit()

        return asyncio.run(ask())


def environment() -> dict[str, str]:
    return os.environ | {"OMP_NUM_THREADS": "1", "PYTHONPATH": str(ROOT)}


Start = Callable[..., Run]


@pytest.fixture(scope="module")
def policy(tmp_path_factory: pytest.TempPathFactory) -> Policy:
    return tiny_policy(tmp_path_factory.mktemp("model"))


@pytest.fixture
def start(tmp_path: Path, redis_url: str, run_name: str, policy: Policy) -> Iterator[Start]:
    """Sets up a run whose worker plays the batches below `hold`."""
    players = ExitStack()
    databases = itertools.count(1)

    def begin(suffix: str, *, hold: int = 99, **over: object) -> Run:
        # Episodes' ids hold the run's name, and the stub plays by id: runs to compare need the same name.
        folder = tmp_path / suffix
        folder.mkdir()
        url = redis_url.removesuffix("/0") + f"/{next(databases)}"
        player = players.enter_context(Player(url, run_name, policy, str(folder / "run" / "blobs"), hold))
        fields = {"steps": 5, "staleness": 1, "vision": "false", "ranks": 1, "interval": 2} | over
        (folder / "run.yaml").write_text(MANIFEST.format(name=run_name, model=policy.folder, **fields))
        return Run(name=run_name, folder=folder, redis=url, player=player)

    with players:
        yield begin


@contextmanager
def running(run: Run) -> Iterator[subprocess.Popen[bytes]]:
    process = run.learner()
    try:
        yield process
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()


def assert_same(one: dict[str, torch.Tensor], other: dict[str, torch.Tensor]) -> None:
    assert one.keys() == other.keys()
    assert all(torch.equal(one[name], other[name]) for name in one)


pytestmark = pytest.mark.timeout(2400)  # whole processes start, some of them twice


def test_five_steps_are_three_a_kill_and_two_more(start: Start, policy: Policy) -> None:
    straight = start("straight")
    with running(straight) as process:
        assert straight.finish(process) == 0

    broken = start("broken", hold=3)
    with running(broken) as process:
        broken.wait(lambda: len(broken.metrics("step")) == 3, process)
        process.kill()
        process.wait()
    broken.player.hold = 99
    with running(broken) as process:
        assert broken.finish(process) == 0

    assert "resuming from" in broken.log()
    assert_same(straight.weights(), broken.weights())
    untrained = load_file(policy.folder / "model.safetensors")
    assert not all(torch.equal(value, straight.weights()[name]) for name, value in untrained.items())
    assert [(line.step, line.kind, line.trained) for line in straight.ledger()] == [
        (line.step, line.kind, line.trained) for line in broken.ledger()
    ]
    for run in (straight, broken):
        assert [line["step"] for line in run.metrics("step")] == [1, 2, 3, 4, 5]
        assert [line["version"] for line in run.metrics("eval")] == [0, 2, 4, 5]
        audit = run.audit()
        assert not audit.faults
        assert not audit.open
        assert len(audit.issued) == 5 * 8 + 4 * 3
    first = straight.metrics("step")[0]
    assert first["ratio_max"] >= 1.0
    assert first["optimizer_steps"] == 2


def test_sigterm_saves_and_exits_75_then_resumes(start: Start) -> None:
    run = start("run", hold=1, staleness=0, steps=2, interval=100)
    with running(run) as process:
        run.wait(lambda: len(run.metrics("step")) == 1, process)
        process.send_signal(signal.SIGTERM)
        assert run.finish(process) == 75
    assert Checkpoints(run.folder / "run" / "checkpoints").newest() is not None
    run.player.hold = 99
    with running(run) as process:
        assert run.finish(process) == 0
    assert [line["step"] for line in run.metrics("step")] == [1, 2]
    assert not run.audit().faults
    assert not run.audit().open


def test_two_ranks_end_like_one(start: Start) -> None:
    one, two = start("one", ranks=1, steps=2, staleness=0), start("two", ranks=2, steps=2, staleness=0)
    for run in (one, two):
        with running(run) as process:
            assert run.finish(process) == 0
    left, right = one.weights(), two.weights()
    gaps = torch.cat([(left[name] - right[name]).abs().flatten() for name in left])
    assert float((gaps < 1e-6).double().mean()) > 0.99
    # Adam divides by the gradient's own size: where that is rounding noise, so is the step, up to the learning rate.
    assert float(gaps.max()) < LEARNING_RATE
