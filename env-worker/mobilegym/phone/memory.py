"""Memory of a process tree, from /proc."""

from __future__ import annotations

from pathlib import Path


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


def _pss_kilobytes(pid: int) -> int:
    for line in _read(Path(f"/proc/{pid}/smaps_rollup")).splitlines():
        if line.startswith("Pss:"):
            return int(line.split()[1])
    return 0


def _read(path: Path) -> str:
    try:
        return path.read_text()
    except (FileNotFoundError, ProcessLookupError, PermissionError):  # ended meanwhile
        return ""
