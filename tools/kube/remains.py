"""Processes that a container left behind."""

from __future__ import annotations

import os
import signal
from contextlib import suppress
from pathlib import Path

MARK = "MOBILEGYM_CONTAINER"  # in the environment of every process of a container


def kill_marked(mark: str) -> None:
    """SIGKILL to every process with this mark, also one that left the container's process group."""
    wanted = f"{MARK}={mark}".encode()
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit() and wanted in _environment(folder):
            with suppress(ProcessLookupError, PermissionError):
                os.kill(int(folder.name), signal.SIGKILL)


def _environment(folder: Path) -> list[bytes]:
    try:
        return (folder / "environ").read_bytes().split(b"\0")
    except OSError:  # ended meanwhile, or another user's
        return []
