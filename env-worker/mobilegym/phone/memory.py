"""Memory of a process tree, from /proc."""

from __future__ import annotations

import os
from pathlib import Path

PAGE_KILOBYTES = os.sysconf("SC_PAGE_SIZE") // 1024


def tree(pid: int) -> list[int]:
    """The process and all its descendants that are alive."""
    found, todo = [], [pid]
    while todo:
        current = todo.pop()
        found.append(current)
        for listing in Path(f"/proc/{current}/task").glob("*/children"):
            todo.extend(int(child) for child in _read(listing).split())
    return found


def pss_megabytes(pid: int) -> float:
    """Proportional set size of the tree in MB: shared pages count by their share. 0 where it is gone."""
    return sum(_pss_kilobytes(process) for process in tree(pid)) / 1024


def own_bytes(pid: int) -> int:
    """As `pss_megabytes`, of the process without its descendants, in bytes."""
    return _pss_kilobytes(pid) * 1024


def _pss_kilobytes(process: int) -> int:
    for line in _read(Path(f"/proc/{process}/smaps_rollup")).splitlines():
        if line.startswith("Pss:"):
            return int(line.split()[1])
    return _private_kilobytes(process)


def _private_kilobytes(process: int) -> int:
    """Without what is shared: all that a sandboxed process, which hides its map, can be asked."""
    words = _read(Path(f"/proc/{process}/statm")).split()
    return (int(words[1]) - int(words[2])) * PAGE_KILOBYTES if words else 0


def _read(path: Path) -> str:
    try:
        return path.read_text()
    except (FileNotFoundError, ProcessLookupError, PermissionError):  # ended meanwhile
        return ""
