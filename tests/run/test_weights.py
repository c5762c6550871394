"""Where the first weights are looked for."""

from __future__ import annotations

from pathlib import Path

import pytest

from mobilegym.run.model import ModelSpec, Preset
from mobilegym.run.weights import POCKET_VARIABLE, WeightsMissing, pocket_folder, weights_folder


def test_a_path_overrules_the_preset(tmp_path: Path) -> None:
    (tmp_path / "model.safetensors").touch()
    assert weights_folder(ModelSpec(preset=Preset.POCKET, path=str(tmp_path))) == tmp_path


def test_the_variable_names_the_pocket_policy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(POCKET_VARIABLE, str(tmp_path))
    with pytest.raises(WeightsMissing, match="run `mobilegym pocket`"):
        weights_folder(ModelSpec(preset=Preset.POCKET))
    (tmp_path / "model.safetensors").touch()
    assert weights_folder(ModelSpec(preset=Preset.POCKET)) == tmp_path


def test_the_pocket_policy_lies_beside_its_code(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(POCKET_VARIABLE, raising=False)
    assert pocket_folder().parts[-2:] == ("pocket", "weights")


def test_a_folder_without_weights_is_refused(tmp_path: Path) -> None:
    with pytest.raises(WeightsMissing, match=r"holds no \*\.safetensors: set spec\.model\.path"):
        weights_folder(ModelSpec(path=str(tmp_path), dialect="compact"))
