"""Where a run's processes serve their metrics: one small file a process under `<run>/ports/`."""

from __future__ import annotations

import os
from pathlib import Path


def write_port(run_dir: Path, who: str, port: int) -> None:
    """Says that `who` serves `/metrics` on this loopback port."""
    folder = run_dir / "ports"
    folder.mkdir(parents=True, exist_ok=True)
    aside = folder / f".{who}.{os.getpid()}"
    aside.write_text(f"{port}\n")
    aside.replace(folder / who)


def read_ports(run_dir: Path) -> dict[str, int]:
    """Metrics ports by process name; of processes that may have ended since."""
    folder = run_dir / "ports"
    if not folder.is_dir():
        return {}
    return {file.name: int(file.read_text()) for file in sorted(folder.iterdir()) if not file.name.startswith(".")}


def forget_port(run_dir: Path, who: str) -> None:
    """Before `who` is started: what an earlier life wrote may be another process's port now."""
    (run_dir / "ports" / who).unlink(missing_ok=True)
