"""A learner whose disk fills up: it says so, keeps the checkpoint before, and goes on when there is room again."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.learner.plays import Player
from tests.run_faults.story import PATIENCE, ROOT, WORDS, ask
from tests.tiny import TINY

from mobilegym.learner.checkpoint import Checkpoints
from mobilegym.pocket.model import build


def learner(folder: Path, redis_url: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "mobilegym.learner", "--run-file", str(folder / "run.yaml")]
    command += ["--run-dir", str(folder / "run"), "--redis", redis_url]
    return subprocess.Popen(command, cwd=ROOT, text=True, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL)


@pytest.mark.timeout(600)
def test_a_full_disk_costs_no_checkpoint_and_no_episode(tmp_path: Path, redis_url: str, run_name: str) -> None:
    """A limit on the size of files, set while it runs, stands in for the disk's end: writes fail alike."""
    policy = build(tmp_path / "model", 0, WORDS)
    (tmp_path / "run.yaml").write_text(TINY.replace("NAME", run_name).replace("MODEL", str(policy.folder)))
    checkpoints = Checkpoints(tmp_path / "run" / "checkpoints")
    with Player(redis_url, run_name, policy, str(tmp_path / "run" / "blobs"), 1) as player:
        process = learner(tmp_path, redis_url)
        deadline = time.monotonic() + PATIENCE
        while checkpoints.newest() is None:
            assert process.poll() is None, process.communicate()[1]
            assert time.monotonic() < deadline
            time.sleep(0.05)  # a condition of another process
        one = checkpoints.newest()
        weights = os.path.getsize(tmp_path / "model" / "model.safetensors")
        resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (weights + 100_000, weights + 100_000))
        player.hold = 99
        said = process.communicate(timeout=PATIENCE)[1]
        assert process.returncode == 1
        assert "Traceback" not in said
        assert "Earlier ones are intact" in said.splitlines()[-1]
        assert checkpoints.newest() == one
        assert not list(checkpoints.folder.glob("tmp-*"))

        process = learner(tmp_path, redis_url)
        assert process.communicate(timeout=PATIENCE)[1] is not None
        assert process.returncode == 0
    lines = [json.loads(line) for line in (tmp_path / "run" / "metrics.jsonl").read_text().splitlines()]
    assert [line["step"] for line in lines if line["kind"] == "step"] == [1, 2, 3]
    audit = ask(redis_url, run_name, lambda streams: streams.audit())
    assert audit.faults == ()
    assert audit.open == frozenset()
