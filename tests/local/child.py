"""A scripted child process: `child.py NAME DIARY BEHAVIOUR...`, one behaviour for each start, the last one repeated.

It writes `NAME start PID` and `NAME end REASON` lines to the diary.
"""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path


def main() -> int:
    name, diary, *behaviours = sys.argv[1:]
    book = Path(diary)
    write(book, f"{name} start {os.getpid()}")
    starts = sum(line.startswith(f"{name} start ") for line in book.read_text().splitlines())
    kind, _, argument = behaviours[min(starts, len(behaviours)) - 1].partition(":")
    code = BEHAVIOURS[kind](name, book, argument)
    write(book, f"{name} end {code}")
    return code


def write(book: Path, line: str) -> None:
    with book.open("a") as file:
        file.write(line + "\n")


def leave(name: str, book: Path, argument: str) -> int:
    print(f"{name} gives up with {argument}", flush=True)
    return int(argument)


def stay(name: str, book: Path, argument: str) -> int:
    """Until SIGTERM, then exit with the argument or 0."""
    asked = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: asked.set())
    write(book, f"{name} ready")
    while not asked.wait(0.05):
        pass
    return int(argument or 0)


def refuse(name: str, book: Path, argument: str) -> int:
    """Until SIGKILL."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    write(book, f"{name} ready")
    time.sleep(120)
    return 0


def listen(name: str, book: Path, argument: str) -> int:
    with socket.create_server(("127.0.0.1", int(argument))):
        return stay(name, book, "")


def spawn(name: str, book: Path, argument: str) -> int:
    """Leaves a grandchild in a session of its own behind."""
    grandchild = subprocess.Popen(
        [sys.executable, __file__, f"{name}-grandchild", str(book), "refuse"], start_new_session=True
    )
    stay(name, book, "")
    return 0 * grandchild.pid


def wait_for(name: str, book: Path, argument: str) -> int:
    """Until the diary has the line (as often as `*N` says), then exit 0; 2 where it does not come."""
    line, _, times = argument.partition("*")
    deadline = time.monotonic() + 30
    while sum(entry.startswith(line) for entry in book.read_text().splitlines()) < int(times or 1):
        if time.monotonic() > deadline:
            return 2
        time.sleep(0.02)
    return 0


BEHAVIOURS = {"exit": leave, "stay": stay, "refuse": refuse, "listen": listen, "spawn": spawn, "wait": wait_for}

if __name__ == "__main__":
    sys.exit(main())
