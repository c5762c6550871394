"""A run's trajectories on disk: `<run>/trajectories/*.msgpack`, a file a learner step, messages one after another."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from mobilegym.protocol.messages import Trajectory

_decoder = msgspec.msgpack.Decoder(list[Trajectory])


def write_trajectories(run_dir: Path, name: str, trajectories: Sequence[Trajectory]) -> Path:
    """Writes `<run>/trajectories/<name>.msgpack` whole or not at all."""
    folder = run_dir / "trajectories"
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"{name}.msgpack"
    aside = folder / f".{name}.tmp"
    aside.write_bytes(msgspec.msgpack.encode(list(trajectories)))
    aside.replace(file)
    return file


def read_trajectories(run_dir: Path) -> Iterator[Trajectory]:
    """All of a run, in order of file name."""
    for file in sorted((run_dir / "trajectories").glob("*.msgpack")):
        yield from _decoder.decode(file.read_bytes())
