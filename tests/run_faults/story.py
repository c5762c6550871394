"""A run in a folder of its own, as `mobilegym run` starts it, with eyes on its processes and its streams."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

import psutil
from tests.conftest import free_port

from mobilegym.protocol.errors import StreamError, StreamUnavailable
from mobilegym.protocol.streams import Audit, RedisStreams, Streams

ROOT = Path(__file__).parents[2]
WORDS = ("turn", "the", "alarm", "on", "off", "for", "set", "open", "note")
MARKS = {
    "redis": "redis-server",
    "engine": "mobilegym.policy",
    "learner": "mobilegym.learner",
    "worker-0": "worker-0",
    "browser": "--remote-debugging-port",
}
MARK = "MOBILEGYM_STORY"  # in the environment of every process of the run
PATIENCE = 240.0  # seconds that anything may take on a busy machine

T = TypeVar("T")


class Run:
    """`name` is the run's; `folder` is given with --dir and gets the terminal's output beside it."""

    def __init__(self, name: str, folder: Path, manifest: Path) -> None:
        self.name = name
        self.folder = folder
        self.manifest = manifest
        self.terminal = folder.with_suffix(".terminal")
        self.process: subprocess.Popen[bytes] | None = None

    def start(self, *options: str) -> None:
        command = [sys.executable, "-m", "mobilegym.cli.main", "run", "-f", str(self.manifest)]
        command += ["--dir", str(self.folder), *options]
        with self.terminal.open("ab") as out:
            environment = os.environ | {MARK: str(self.folder)}
            self.process = subprocess.Popen(command, cwd=ROOT, stdout=out, stderr=subprocess.STDOUT, env=environment)
        self.until(lambda: self.state().get("phase") == "running", "running")

    def state(self) -> dict[str, object]:
        file = self.folder / "state.json"
        found: dict[str, object] = json.loads(file.read_text()) if file.exists() else {}
        return found

    def steps(self) -> list[int]:
        return [line["step"] for line in self.lines() if line["kind"] == "step"]

    def lines(self) -> list[dict[str, Any]]:
        file = self.folder / "metrics.jsonl"
        return [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []

    def pid(self, part: str) -> int | None:
        """Of the part's own process; a browser's helpers and a zombie are none."""
        assert self.process is not None
        for child in psutil.Process(self.process.pid).children(recursive=True):
            with suppress(psutil.NoSuchProcess):
                command = child.cmdline()
                if any(MARKS[part] in word for word in command) and not any("--type=" in word for word in command):
                    return int(child.pid)
        return None

    def kill(self, part: str) -> None:
        """SIGKILL, then waits for another process in its place, and for the end of what the old one had started."""
        found: list[int] = []

        def other(old: int | None) -> bool:
            pid = self.pid(part)
            found[:] = [pid] if pid is not None and pid != old else []
            return bool(found)

        self.until(lambda: other(None), f"{part} is there")
        old = psutil.Process(found[0])
        helpers = old.children(recursive=True)
        os.kill(old.pid, signal.SIGKILL)
        self.until(lambda: other(old.pid), f"{part} is there again")
        self.until(lambda: not any(helper.is_running() for helper in helpers), f"what {part} had started has ended")

    def finished(self) -> int:
        """Trajectories that workers have pushed."""

        async def count(streams: Streams) -> int:
            c = await streams.counters()
            return c.trained + c.pending + c.depth

        with suppress(StreamError):
            return self.ask(count)
        return -1

    def ask(self, question: Callable[[Streams], Awaitable[T]]) -> T:
        url = self.state().get("redis")
        if url is None:
            raise StreamUnavailable("the run has not said where its Redis is, or it has ended")
        return ask(str(url), self.name, question)

    def progress(self, episodes: int = 2) -> None:
        """Waits for so many more episodes."""
        now = -1

        def known() -> bool:
            nonlocal now
            now = self.finished()
            return now >= 0

        self.until(known, "the stream answers")
        self.until(lambda: self.finished() >= now + episodes, f"{episodes} episodes after {now}")

    def until(self, condition: Callable[[], object], what: str) -> None:
        """Fails with the logs where the run ends first, or after PATIENCE."""
        assert self.process is not None
        deadline = time.monotonic() + PATIENCE
        while not condition():
            assert self.process.poll() is None, f"the run ended before: {what}\n{self.words()}"
            assert time.monotonic() < deadline, f"not so after {PATIENCE:g} s: {what}\n{self.words()}"
            time.sleep(0.01)  # a condition of other processes

    def wait(self) -> int:
        assert self.process is not None
        return self.process.wait(PATIENCE)

    def words(self) -> str:
        """What the terminal and the logs say last."""
        files = [self.terminal, *sorted((self.folder / "logs").glob("*.log"))]
        return "\n".join(f"== {file.name}\n{file.read_text(errors='replace')[-1500:]}" for file in files)

    def left(self) -> list[str]:
        """Processes of the run that still live."""
        found = []
        for process in psutil.process_iter(["environ", "cmdline", "status"]):
            mine = (process.info["environ"] or {}).get(MARK) == str(self.folder)
            if mine and process.info["status"] != psutil.STATUS_ZOMBIE:
                found.append(f"{process.pid}: {' '.join(process.info['cmdline'] or [])[:120]}")
        return found

    def audit(self) -> Audit:
        """From the data that the run's own Redis left, served by another one."""
        port = free_port()
        binary = shutil.which("redis-server")
        assert binary is not None
        command = [binary, "--port", str(port), "--bind", "127.0.0.1", "--appendonly", "yes", "--save", ""]
        with (self.folder.with_suffix(".redis")).open("wb") as log:
            server = subprocess.Popen([*command, "--dir", str(self.folder / "redis")], stdout=log, stderr=log)
        try:
            return ask(f"redis://127.0.0.1:{port}/0", self.name, lambda streams: streams.audit())
        finally:
            server.terminate()
            server.wait(30)


def ask(url: str, run: str, question: Callable[[Streams], Awaitable[T]]) -> T:
    async def asked() -> T:
        async with RedisStreams(url, run) as streams:
            return await question(streams)

    return asyncio.run(asked())
