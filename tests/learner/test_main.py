"""The learner as a process, where it cannot start."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from tests.conftest import free_port

from mobilegym.learner.__main__ import first_weights
from mobilegym.run.load import parse_run
from mobilegym.run.weights import POCKET_VARIABLE, WeightsMissing

MANIFEST = """\
apiVersion: mobilegym.io/v1alpha1
kind: MobileGymRun
metadata: {name: run}
spec:
  model: {preset: pocket}
"""
NOBODY = "redis://127.0.0.1:1/0"


@pytest.fixture
def weights(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Of the pocket preset; no model can be built of them."""
    folder = tmp_path / "weights"
    folder.mkdir()
    (folder / "model.safetensors").write_bytes(b"0")
    (folder / "config.json").write_text("{}")
    monkeypatch.setenv(POCKET_VARIABLE, str(folder))
    return folder


def learner(folder: Path, **more: str) -> subprocess.CompletedProcess[str]:
    (folder / "run.yaml").write_text(MANIFEST)
    given = {"run-file": str(folder / "run.yaml"), "run-dir": str(folder / "run"), "redis": NOBODY} | more
    command = [sys.executable, "-m", "mobilegym.learner", *(w for k, v in given.items() for w in (f"--{k}", v))]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert "Traceback" not in done.stderr
    return done


def test_first_weights_are_the_presets_own_or_those_given(weights: Path, tmp_path: Path) -> None:
    run = parse_run(MANIFEST)
    assert first_weights(run, None) == weights
    with pytest.raises(WeightsMissing, match="no weights in"):
        first_weights(run, tmp_path)
    (weights / "model.safetensors").unlink()
    with pytest.raises(WeightsMissing, match="mobilegym pocket"):
        first_weights(run, None)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"redis": "@/nowhere/redis"}, "--redis: /nowhere/redis cannot be read"),
        ({"blobs": "@/nowhere/blobs"}, "--blobs: /nowhere/blobs cannot be read"),
        ({"model": "/nowhere/model"}, "no weights in /nowhere/model"),
    ],
)
@pytest.mark.usefixtures("weights")
def test_a_wrong_set_up_is_told_with_exit_2(tmp_path: Path, change: dict[str, str], words: str) -> None:
    done = learner(tmp_path, **change)
    assert done.returncode == 2
    assert words in done.stderr


@pytest.mark.usefixtures("weights")
def test_weights_that_are_none_are_told_with_exit_2(tmp_path: Path) -> None:
    done = learner(tmp_path, **{"metrics-port": str(free_port())})
    assert done.returncode == 2, done.stderr
    assert "cannot be loaded as a Qwen3-VL checkpoint" in done.stderr
