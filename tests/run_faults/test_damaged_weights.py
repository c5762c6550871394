"""Weights that cannot be loaded end the engine with 2: the executor then does not try again."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from tests.run_faults.story import PATIENCE, WORDS

from mobilegym.pocket.model import build


@pytest.mark.parametrize("damage", ["truncated", "no config"])
def test_damaged_weights_are_named_and_not_tried_again(tmp_path: Path, damage: str) -> None:
    build(tmp_path, 0, WORDS)
    if damage == "truncated":
        weights = tmp_path / "model.safetensors"
        weights.write_bytes(weights.read_bytes()[:100_000])
    else:
        (tmp_path / "config.json").unlink()
    command = [sys.executable, "-m", "mobilegym.policy", "--model", str(tmp_path), "--port", "1"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert done.returncode == 2, done.stderr
    assert "cannot be loaded as a Qwen3-VL checkpoint" in done.stderr
    assert "Traceback" not in done.stderr
