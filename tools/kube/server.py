"""One server process that can be stopped, killed, and started again with the same command."""

from __future__ import annotations

import signal
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

# The kernel ends a server when the thread that started it ends (prctl(2), PR_SET_PDEATHSIG). This one lives as long as
# the process does, whoever calls.
_spawner = ThreadPoolExecutor(1, "spawner")


class Server:
    def __init__(self, name: str, command: list[str], *, log: Path, folder: Path) -> None:
        self.name = name
        self.log = log
        self._command = ["setpriv", "--pdeathsig", "KILL", "--", *command]
        self._folder = folder
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def alive(self) -> bool:
        return self._process is not None and self._process.poll() is None

    @property
    def pid(self) -> int:
        assert self._process is not None, f"{self.name} was not started"
        return self._process.pid

    def start(self) -> None:
        if not self.alive:
            self._process = _spawner.submit(self._spawn).result()

    def stop(self, seconds: float = 10.0) -> None:
        """SIGTERM, then SIGKILL after `seconds`."""
        if self._process is None:
            return
        self._process.terminate()
        try:
            self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.kill()

    def kill(self) -> None:
        """SIGKILL, as a crash."""
        if self._process is not None:
            self._process.send_signal(signal.SIGKILL)
            self._process.wait()

    def tail(self, characters: int = 2000) -> str:
        return self.log.read_text(errors="replace")[-characters:] if self.log.exists() else ""

    def _spawn(self) -> subprocess.Popen[bytes]:
        with self.log.open("ab") as log:
            return subprocess.Popen(
                self._command,
                cwd=self._folder,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                process_group=0,  # Ctrl-C in the terminal reaches this program alone, which stops them in order
            )
