"""Starts the ranks of a learner on one machine where torchrun did not: exit status and signals pass through.

torchrun would turn the exit status 75 (preempted) into 1, and kills its processes 30 s after a SIGTERM.
"""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from mobilegym.learner.meeting import meeting_place

PR_SET_PDEATHSIG = 1
POLL_SECONDS = 0.1


def launch(arguments: Sequence[str], ranks: int) -> int:
    """Runs `python -m mobilegym.learner` once a rank. Returns rank 0's status, or that of the first one to fail."""
    with tempfile.TemporaryDirectory(prefix="mobilegym-ranks-") as folder:
        return _run(arguments, ranks, os.environ | meeting_place(Path(folder), ranks=ranks))


def _run(arguments: Sequence[str], ranks: int, shared: dict[str, str]) -> int:
    processes = [
        subprocess.Popen(
            [sys.executable, "-m", "mobilegym.learner", *arguments],
            env=shared | {"RANK": str(rank), "LOCAL_RANK": str(rank)},
        )
        for rank in range(ranks)
    ]

    def forward(number: int, _: object) -> None:
        for process in processes:
            if process.poll() is None:
                process.send_signal(number)

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, forward)
    return _wait(processes)


def _wait(processes: Sequence[subprocess.Popen[bytes]]) -> int:
    while any(p.poll() is None for p in processes):
        failed = [p.returncode for p in processes if p.returncode not in (None, 0, 75)]
        if failed:
            for process in processes:
                process.kill()
            for process in processes:
                process.wait()
            return int(failed[0]) if failed[0] > 0 else 128 - int(failed[0])
        time.sleep(POLL_SECONDS)
    return int(processes[0].returncode)


def die_with_parent() -> None:
    """A rank whose launcher was killed must not go on alone (Linux)."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
