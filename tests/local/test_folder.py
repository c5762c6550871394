"""The run's folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from mobilegym.local.errors import FolderBusy, FolderTaken, NoSpace, NothingToResume
from mobilegym.local.folder import RunFolder, default_folder, space_needed
from mobilegym.run.load import load_run

EXAMPLES = Path(__file__).parents[2] / "examples"


def test_a_folder_has_one_user(tmp_path: Path) -> None:
    with RunFolder(tmp_path), pytest.raises(FolderBusy, match="in use by process"), RunFolder(tmp_path):
        pass
    with RunFolder(tmp_path):
        pass


def test_a_folder_holds_one_run(tmp_path: Path) -> None:
    with RunFolder(tmp_path) as folder:
        with pytest.raises(NothingToResume, match="leave --resume out"):
            folder.prepare("a: 1", resume=True)
        folder.prepare("a: 1", resume=False)
        with pytest.raises(FolderTaken, match="--resume continues it"):
            folder.prepare("a: 2", resume=False)
        folder.prepare("a: 2", resume=True)
        assert folder.run_file.read_text() == "a: 2"


def test_without_a_folder_an_earlier_run_is_left_alone(tmp_path: Path) -> None:
    assert default_folder(tmp_path, "pocket", resume=False) == tmp_path / "pocket"
    for name in ("pocket", "pocket-2"):
        with RunFolder(tmp_path / name) as folder:
            folder.prepare("a: 1", resume=False)
    assert default_folder(tmp_path, "pocket", resume=False) == tmp_path / "pocket-3"
    assert default_folder(tmp_path, "pocket", resume=True) == tmp_path / "pocket-2"


def test_a_disk_too_small_is_said_with_numbers(tmp_path: Path) -> None:
    with RunFolder(tmp_path) as folder, pytest.raises(NoSpace, match=r"GB free, the run may need 1000\.0: "):
        folder.require_space(10**12)


def test_space_grows_with_pictures_and_checkpoints() -> None:
    pocket, large = (load_run(EXAMPLES / f"{name}.yaml") for name in ("pocket", "qwen3-vl-4b"))
    assert space_needed(pocket, 7_000_000) < 2e9
    assert space_needed(large, 8_880_000_000) > 3e11
