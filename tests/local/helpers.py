"""Scripted children, and what they wrote."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path

from mobilegym.local.process import Command, Role

CHILD = Path(__file__).with_name("child.py")


def until(condition: Callable[[], object], seconds: float = 30.0) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, f"not so after {seconds:g} s"
        time.sleep(0.02)


def alive(pid: int) -> bool:
    """A zombie is not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


class Diary:
    """What the children wrote."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "diary"

    @property
    def lines(self) -> list[str]:
        return self.path.read_text().splitlines() if self.path.exists() else []

    def pids(self) -> list[int]:
        return [int(line.split()[2]) for line in self.lines if line.split()[1] == "start"]

    def order(self, event: str) -> list[str]:
        return [line.split()[0] for line in self.lines if line.split()[1] == event]


def child(role: str, folder: Path, *behaviours: str, name: str = "", grace: float = 10.0, limit: int = 5) -> Command:
    """A command that runs `child.py`."""
    name = name or role
    argv = (sys.executable, str(CHILD), name, str(folder / "diary"), *behaviours)
    return Command(name=name, role=Role(role), argv=argv, grace=grace, limit=limit)
