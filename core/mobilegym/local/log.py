"""Where a child's output goes."""

from __future__ import annotations

import os
import threading
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import BinaryIO

TAIL = 20  # lines that an error shows


class Log(ABC):
    where: str  # for a person to look

    @abstractmethod
    def open(self) -> AbstractContextManager[int]:
        """A context with the file descriptor that a child gets as its stdout and stderr."""

    @abstractmethod
    def tail(self) -> str:
        """The last lines."""


class FileLog(Log):
    """Appends to a file."""

    def __init__(self, path: Path) -> None:
        self.where = str(path)
        self._path = path

    @contextmanager
    def open(self) -> Iterator[int]:
        with self._path.open("ab") as file:
            yield file.fileno()

    def tail(self) -> str:
        if not self._path.exists():
            return ""
        with self._path.open("rb") as file:
            file.seek(max(0, self._path.stat().st_size - 64_000))
            return "\n".join(file.read().decode(errors="replace").splitlines()[-TAIL:])


class PrefixedLog(Log):
    """Passes each line on to `out`, with the child's name before it."""

    where = "above"

    def __init__(self, name: str, out: BinaryIO) -> None:
        self._prefix, self._out = f"{name} | ".encode(), out
        self._last: deque[bytes] = deque(maxlen=TAIL)
        self._readers: list[threading.Thread] = []

    @contextmanager
    def open(self) -> Iterator[int]:
        read, write = os.pipe()
        reader = threading.Thread(target=self._pass_on, args=(read,), name="log", daemon=True)
        self._readers.append(reader)
        reader.start()
        try:
            yield write
        finally:
            os.close(write)  # the child has its own

    def tail(self) -> str:
        return b"".join(self._last).decode(errors="replace").rstrip("\n")

    def finish(self, seconds: float = 5.0) -> None:
        """Waits for what the children have written, not for who still holds their output open."""
        for reader in self._readers:
            reader.join(seconds)

    def _pass_on(self, read: int) -> None:
        with os.fdopen(read, "rb") as lines:
            for line in lines:
                self._last.append(line)
                self._out.write(self._prefix + line.rstrip(b"\n") + b"\n")  # one write: children do not mix
                self._out.flush()
