"""A checkpoint is whole or it is not there."""

from __future__ import annotations

import errno
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from mobilegym.learner import checkpoint as ck
from mobilegym.learner.checkpoint import CheckpointError, Checkpoints
from mobilegym.learner.ledger import Ledger, LedgerLine, read_lines


def write(checkpoints: Checkpoints, step: int, text: str = "weights") -> Path:
    folder = checkpoints.begin(step)
    (folder / "model").mkdir()
    (folder / "model" / "w").write_text(text)
    ck.write_state(folder, {"version": step})
    return checkpoints.seal(step)


def test_the_newest_complete_one_is_used(tmp_path: Path) -> None:
    checkpoints = Checkpoints(tmp_path, keep_last=5)
    assert checkpoints.newest() is None
    write(checkpoints, 1)
    two = write(checkpoints, 2)
    assert checkpoints.newest() == two
    assert (tmp_path / "latest").read_text() == "step-000002"
    (checkpoints.begin(3) / "half").write_text("killed while writing")
    assert checkpoints.newest() == two
    assert ck.read_state(two) == {"version": 2}


@pytest.mark.parametrize("fault", ["no seal", "torn seal", "changed", "missing file"])
def test_a_damaged_one_is_passed_over(tmp_path: Path, fault: str) -> None:
    checkpoints = Checkpoints(tmp_path, keep_last=5)
    one, two = write(checkpoints, 1), write(checkpoints, 2)
    match fault:
        case "no seal":
            (two / ck.SEAL).unlink()
        case "torn seal":
            (two / ck.SEAL).write_text('{"dig')
        case "changed":
            (two / "model" / "w").write_text("weightz")
        case "missing file":
            (two / "model" / "w").unlink()
    assert checkpoints.newest() == one
    again = write(checkpoints, 2)
    assert checkpoints.newest() == again


def test_a_complete_one_is_never_overwritten(tmp_path: Path) -> None:
    checkpoints = Checkpoints(tmp_path, keep_last=5)
    first, second = write(checkpoints, 2, "a"), write(checkpoints, 2, "b")
    assert ck.is_complete(first)
    assert checkpoints.newest() == second
    assert write(checkpoints, 3) == checkpoints.newest()


def test_old_ones_go(tmp_path: Path) -> None:
    checkpoints = Checkpoints(tmp_path, keep_last=2)
    for step in range(1, 6):
        write(checkpoints, step)
    assert sorted(p.name for p in tmp_path.glob("step-*")) == ["step-000004", "step-000005"]


KILLED = """
import os, sys
from pathlib import Path
from mobilegym.learner import checkpoint as ck
sync = ck._sync
def die(path):
    if path.name == sys.argv[2]:
        os._exit(9)
    sync(path)
ck._sync = die
checkpoints = ck.Checkpoints(Path(sys.argv[1]), keep_last=1)
folder = checkpoints.begin(2)
(folder / "w").write_text("new")
checkpoints.seal(2)
"""


@pytest.mark.parametrize("where", ["w", "tmp-000002"])
def test_a_kill_at_any_sync_leaves_the_one_before(tmp_path: Path, where: str) -> None:
    checkpoints = Checkpoints(tmp_path, keep_last=1)
    one = write(checkpoints, 1)
    assert subprocess.run([sys.executable, "-c", KILLED, str(tmp_path), where], check=False).returncode == 9
    assert checkpoints.newest() == one
    assert write(checkpoints, 2) == checkpoints.newest()


FULL = """
import resource, signal, sys
from pathlib import Path
import torch
from mobilegym.learner import checkpoint as ck
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
checkpoints = ck.Checkpoints(Path(sys.argv[1]))
folder = checkpoints.begin(2)
resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, 50_000))
try:
    with ck.named_errors(folder):
        if sys.argv[2] == "torch":
            torch.save(torch.zeros(100_000), folder / "big")
        else:
            (folder / "big").write_bytes(bytes(400_000))
except ck.CheckpointError as error:
    checkpoints.abandon(2)
    print(error)
    sys.exit(7)
"""


@pytest.mark.parametrize("writer", ["torch", "plain"])
def test_a_full_disk_is_a_clear_error_and_harms_nothing(tmp_path: Path, writer: str) -> None:
    """The size limit of a process stands in for the disk's end: writes fail alike."""
    assert resource.RLIMIT_FSIZE
    checkpoints = Checkpoints(tmp_path)
    one = write(checkpoints, 1)
    done = subprocess.run(
        [sys.executable, "-c", FULL, str(tmp_path), writer], check=False, capture_output=True, text=True
    )
    assert done.returncode == 7, done.stderr
    assert "Earlier ones are intact" in done.stdout
    assert checkpoints.newest() == one
    assert not list(tmp_path.glob("tmp-*"))


def test_no_space_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(CheckpointError, match="free space"), ck.named_errors(tmp_path):
        raise OSError(errno.ENOSPC, "No space left on device")


def test_the_ledger_survives_a_torn_line(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "ledger.jsonl")
    first = LedgerLine(step=1, trained=("a", "b"), discarded={"c": "poison"})
    ledger.append(first)
    with ledger.path.open("ab") as file:
        file.write(b'{"step": 2, "trai')
    assert read_lines(ledger.path) == [first]
    assert Ledger(ledger.path).settled == {"a", "b", "c"}
    ledger.append(LedgerLine(step=2))
    ledger.restore([first])
    assert Ledger(ledger.path).lines == [first]
