"""The run's folder: one writer at a time, enough room."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
from pathlib import Path
from typing import Self

from mobilegym.local.errors import FolderBusy, FolderTaken, NoSpace, NothingToResume
from mobilegym.run.manifest import MobileGymRun

JPEG_BYTES_PER_PIXEL = 0.12
SCREEN_PIXELS = 360 * 800
EPISODE_STEPS = 20  # where the manifest does not cap them
STATES_PER_WEIGHT_BYTE = 7  # fp32 master weights and two moments beside bf16 weights, the larger case
SPARE = 512 << 20  # logs, Redis, trajectories


class RunFolder:
    """Paths of one run, and the lock on them. Children inherit the lock, so it lasts until the last one is gone."""

    def __init__(self, root: Path) -> None:
        self.root = root.absolute()
        self.logs = self.root / "logs"
        self.redis = self.root / "redis"
        self.run_file = self.root / "run.yaml"
        self.metrics = self.root / "metrics.jsonl"
        self.curve = self.root / "curve.png"
        self.blobs = self.root / "blobs"
        self.trajectories = self.root / "trajectories"
        self._state = self.root / "state.json"
        self._lock_file = self.root / "lock"
        self.lock: int | None = None  # file descriptor

    def __enter__(self) -> Self:
        """Take the lock. Raises FolderBusy."""
        self.root.mkdir(parents=True, exist_ok=True)
        lock = os.open(self._lock_file, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            holder = os.read(lock, 32).decode().strip() or "unknown"
            os.close(lock)
            raise FolderBusy(
                f"{self.root} is in use by process {holder}, or by a child of it that is still stopping: "
                "wait, stop it, or give another folder with --dir"
            ) from error
        os.ftruncate(lock, 0)
        os.write(lock, f"{os.getpid()}\n".encode())
        self.lock = lock
        self.logs.mkdir(exist_ok=True)
        self.redis.mkdir(exist_ok=True)
        return self

    def __exit__(self, *_: object) -> None:
        if self.lock is not None:
            os.close(self.lock)
            self.lock = None

    @property
    def holds_run(self) -> bool:
        return self.run_file.exists()

    def prepare(self, manifest: str, *, resume: bool) -> None:
        """Put the manifest there. Raises FolderTaken or NothingToResume."""
        if resume and not self.holds_run:
            raise NothingToResume(f"{self.root} holds no run: leave --resume out to start one there")
        if self.holds_run and not resume:
            raise FolderTaken(f"{self.root} holds an earlier run: --resume continues it, --dir takes another folder")
        aside = self.run_file.with_suffix(".aside")
        aside.write_text(manifest, encoding="utf-8")
        aside.replace(self.run_file)

    def write_state(self, phase: str, **detail: object) -> None:
        aside = self._state.with_suffix(".aside")
        aside.write_text(json.dumps({"phase": phase, **detail}, indent=2) + "\n")
        aside.replace(self._state)

    def require_space(self, need: int) -> None:
        """Raises NoSpace."""
        free = shutil.disk_usage(self.root).free
        if free < need:
            raise NoSpace(
                f"{self.root} has {free / 1e9:.1f} GB free, the run may need {need / 1e9:.1f}: free some, or lower "
                "spec.learner.checkpoint.keepLast or spec.model.imageScale, or give a larger disk with --dir"
            )


def space_needed(run: MobileGymRun, weights: int) -> int:
    """Bytes that a run may come to hold; `weights` is the size of the model's weights in bytes."""
    spec = run.spec
    states = weights * STATES_PER_WEIGHT_BYTE * (spec.learner.checkpoint.keep_last + 1)
    pictures = spec.algorithm.total_steps * spec.algorithm.episodes_per_step
    pictures *= spec.algorithm.episode_steps or EPISODE_STEPS
    picture = SCREEN_PIXELS * spec.model.scale**2 * JPEG_BYTES_PER_PIXEL
    return round(states + pictures * picture + SPARE)


def default_folder(base: Path, name: str, *, resume: bool) -> Path:
    """`base/name`, or where that holds an earlier run `base/name-2`, `-3`, ...; the last one taken for a resume."""
    taken: Path | None = None
    number = 1
    while True:
        folder = base / (name if number == 1 else f"{name}-{number}")
        if not RunFolder(folder).holds_run:
            return taken if resume and taken is not None else folder
        taken = folder
        number += 1
