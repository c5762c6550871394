"""Containers' logs: one file for each run of a container, kept after the pod is gone."""

from __future__ import annotations

from pathlib import Path


class Logs:
    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def path(self, namespace: str, pod: str, uid: str, container: str, attempt: int) -> Path:
        return self._folder / namespace / f"{pod}.{uid[:8]}" / f"{container}.{attempt}.log"

    def latest(self, namespace: str, pod: str, container: str, *, previous: bool = False) -> Path | None:
        """The file of the container's last run, or of the one before it; of the newest pod of that name."""
        pods = sorted((self._folder / namespace).glob(f"{pod}.????????"), key=lambda path: path.stat().st_mtime)
        if not pods:
            return None
        runs = sorted(pods[-1].glob(f"{container}.*.log"), key=lambda path: int(path.name.rsplit(".", 2)[1]))
        index = 2 if previous else 1
        return runs[-index] if len(runs) >= index else None


def tail(path: Path, lines: int) -> int:
    """The offset at which the last `lines` lines begin."""
    if lines == 0:
        return path.stat().st_size
    data = path.read_bytes()
    at = len(data)
    for _ in range(lines + 1):
        at = data.rfind(b"\n", 0, at)
        if at < 0:
            return 0
    return at + 1
