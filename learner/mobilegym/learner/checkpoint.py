"""Checkpoints: written aside, synced, renamed, sealed with a digest; `latest` is moved last.

checkpoints/step-000005/   model/ (Hugging Face folder)  deepspeed/ (optimizer, exact weights)
                           state.json  ledger.jsonl  rng-0.pt ...  COMPLETE
checkpoints/latest         the newest one's name
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
import random
import shutil
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors import SafetensorError

from mobilegym.learner.errors import SetupError

SEAL = "COMPLETE"
PREFIX = "step-"
WRITE_FAILURES = ("inline_container", "iostream", "I/O error", "os error", "write", "writing")


class CheckpointError(Exception):
    """A checkpoint could not be written or read; earlier ones are as they were."""


class NoCheckpoint(CheckpointError, SetupError):
    """There must be one, and there is none."""


class Checkpoints:
    """The checkpoints of one run. On several ranks `write` is called by all, with the same folder."""

    def __init__(self, folder: Path, keep_last: int = 2) -> None:
        self.folder = folder
        self._keep = keep_last

    def newest(self) -> Path | None:
        """The newest complete one: a folder without its seal, or that does not match it, is passed over."""
        for path in sorted(self.folder.glob(f"{PREFIX}*"), reverse=True):
            if is_complete(path):
                return path
        return None

    def aside(self, step: int) -> Path:
        return self.folder / f"tmp-{step:06d}"

    def begin(self, step: int) -> Path:
        """An empty folder to write to."""
        with named_errors(self.folder):
            for left in self.folder.glob("tmp-*"):
                shutil.rmtree(left)
            self.aside(step).mkdir(parents=True)
        return self.aside(step)

    def seal(self, step: int) -> Path:
        """Makes what was written aside the newest checkpoint, then drops old ones."""
        aside = self.aside(step)
        with named_errors(self.folder):
            digest = digest_of(aside)
            _sync_tree(aside)
            final = self._free_name(step)
            aside.rename(final)
            _write_synced(final / SEAL, json.dumps({"digest": digest}))
            _sync(self.folder)
            _write_synced(self.folder / "latest.tmp", final.name)
            (self.folder / "latest.tmp").rename(self.folder / "latest")
            _sync(self.folder)
        for old in sorted(self.folder.glob(f"{PREFIX}*"))[: -self._keep]:
            shutil.rmtree(old, ignore_errors=True)
        return final

    def _free_name(self, step: int) -> Path:
        """A complete checkpoint is never overwritten: a second one of the same step sorts after the first."""
        name, again = self.folder / f"{PREFIX}{step:06d}", 0
        while name.exists() and is_complete(name):
            again += 1
            name = self.folder / f"{PREFIX}{step:06d}.{again}"
        if name.exists():
            shutil.rmtree(name)
        return name

    def abandon(self, step: int) -> None:
        shutil.rmtree(self.aside(step), ignore_errors=True)


def is_complete(path: Path) -> bool:
    try:
        return bool(json.loads((path / SEAL).read_text())["digest"] == digest_of(path))
    except (OSError, ValueError, KeyError, TypeError):
        return False


def digest_of(folder: Path) -> str:
    """sha256 over names and contents of all files but the seal."""
    files = sorted(p for p in folder.rglob("*") if p.is_file() and p.name != SEAL)

    def one(path: Path) -> str:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()

    with ThreadPoolExecutor(4) as pool:
        lines = [f"{p.relative_to(folder)}\x00{d}\n" for p, d in zip(files, pool.map(one, files), strict=True)]
    return hashlib.sha256("".join(lines).encode()).hexdigest()


@contextmanager
def named_errors(folder: Path) -> Iterator[None]:
    """Disk trouble as one error that says what to do."""
    try:
        yield
    except OSError as error:
        full = error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
        remedy = "free space there, or lower learner.checkpoint.keepLast" if full else "see that it can be written"
        raise CheckpointError(f"checkpoint in {folder} failed: {error}; {remedy}. Earlier ones are intact") from error
    except (RuntimeError, SafetensorError) as error:  # how the writers of torch and safetensors report a full disk
        what = str(error).splitlines()[0]
        if not any(sign in what for sign in WRITE_FAILURES):
            raise
        raise CheckpointError(
            f"checkpoint in {folder} failed: {what}; is the disk full? Earlier ones are intact"
        ) from error


def write_state(folder: Path, state: dict[str, Any]) -> None:
    (folder / "state.json").write_text(json.dumps(state, indent=1))


def read_state(folder: Path) -> dict[str, Any]:
    state: dict[str, Any] = json.loads((folder / "state.json").read_text())
    return state


def save_rng(folder: Path, rank: int) -> None:
    numpy_state = np.random.get_state(legacy=True)
    torch.save({"torch": torch.get_rng_state(), "numpy": numpy_state, "python": random.getstate()}, _rng(folder, rank))


def load_rng(folder: Path, rank: int) -> None:
    # The folder's digest was verified, and numpy's state is no tensor.
    states = torch.load(_rng(folder, rank), weights_only=False)
    torch.set_rng_state(states["torch"])
    np.random.set_state(states["numpy"])
    random.setstate(states["python"])


def _rng(folder: Path, rank: int) -> Path:
    return folder / f"rng-{rank}.pt"


def _write_synced(path: Path, text: str) -> None:
    with path.open("w") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _sync_tree(folder: Path) -> None:
    for path in [*folder.rglob("*"), folder]:
        _sync(path)
