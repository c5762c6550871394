"""A pod's supervisor: engine and learner side by side."""

from __future__ import annotations

import asyncio
import io
import json
import os
import signal
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from pathlib import Path

import pytest
from tests.conftest import free_port
from tests.learner.plays import Player
from tests.local.helpers import Diary, alive, child, until
from tests.tiny import TINY

from mobilegym.learner.checkpoint import Checkpoints
from mobilegym.local.log import PrefixedLog
from mobilegym.local.restart import Backoff
from mobilegym.local.trainer import Trainer
from mobilegym.pocket.model import build

ROOT = Path(__file__).parents[2]


@pytest.fixture
def diary(tmp_path: Path) -> Diary:
    return Diary(tmp_path)


def trainer(folder: Path, engine: tuple[str, ...], learner: str) -> Trainer:
    commands = child("engine", folder, *engine, limit=2), child("learner", folder, learner)
    return Trainer(*commands, folder, backoff=Backoff(first=0.01))


@pytest.mark.parametrize("code", [0, 75, 2, 1])
async def test_it_ends_as_its_learner_does(tmp_path: Path, diary: Diary, code: int) -> None:
    assert await trainer(tmp_path, ("stay",), f"exit:{code}").run() == code
    assert diary.order("start").count("learner") == 1
    assert not any(alive(pid) for pid in diary.pids())


async def test_a_stop_ends_the_learner_before_the_engine(tmp_path: Path, diary: Diary) -> None:
    running = trainer(tmp_path, ("stay",), "stay:75")
    ending = asyncio.create_task(running.run())
    await asyncio.to_thread(until, lambda: len(diary.order("ready")) == 2)
    running.stop()
    assert await ending == 75
    assert diary.order("end") == ["learner", "engine"]


async def test_a_killed_learner_is_told_as_its_signal(tmp_path: Path, diary: Diary) -> None:
    ending = asyncio.create_task(trainer(tmp_path, ("stay",), "stay").run())
    await asyncio.to_thread(until, lambda: "learner" in diary.order("ready"))
    pid = next(int(line.split()[2]) for line in diary.lines if line.startswith("learner start"))
    os.kill(pid, signal.SIGKILL)
    assert await ending == 128 + signal.SIGKILL


async def test_an_engine_that_dies_is_started_again(tmp_path: Path, diary: Diary) -> None:
    running = trainer(tmp_path, ("exit:1", "exit:1", "stay"), "wait:engine ready")
    assert await running.run() == 0
    assert diary.order("start").count("engine") == 3
    assert b"mobilegym_trainer_engine_starts 3.0" in running.metrics()


@pytest.mark.parametrize(("code", "told"), [(2, 2), (1, 1)])
async def test_an_engine_that_cannot_be_kept_ends_both(tmp_path: Path, diary: Diary, code: int, told: int) -> None:
    assert await trainer(tmp_path, (f"exit:{code}",), "stay:75").run() == told
    assert diary.order("start").count("engine") == (1 if code == 2 else 3)
    assert not any(alive(pid) for pid in diary.pids())


def test_lines_of_children_are_told_apart() -> None:
    out = io.BytesIO()
    log = PrefixedLog("engine", out)
    with log.open() as write:
        subprocess.run(["sh", "-c", "echo one; printf two >&2"], stdout=write, stderr=write, check=True)
    log.finish()
    assert out.getvalue() == b"engine | one\nengine | two\n"
    assert log.tail() == "one\ntwo"


HOST = "127.1.2.3"  # a pod's address of its own


class Pod:
    """`python -m mobilegym.local.trainer` with its output and probes."""

    def __init__(self, folder: Path, secret: Path) -> None:
        self.port = free_port()
        command = [sys.executable, "-m", "mobilegym.local.trainer", "--run-file", str(folder / "run.yaml")]
        command += ["--run-dir", str(folder / "run"), "--redis", f"@{secret}", "--host", HOST]
        command += ["--engine-port", str(free_port()), "--metrics-port", str(self.port)]
        self.process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.said: list[str] = []
        assert self.process.stdout is not None
        self._reader = threading.Thread(target=self.said.extend, args=(self.process.stdout,), daemon=True)
        self._reader.start()

    def ask(self, path: str) -> tuple[int, str]:
        try:
            with urllib.request.urlopen(f"http://{HOST}:{self.port}{path}", timeout=10) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.read().decode()
        except OSError:
            return 0, ""

    def until_ready(self) -> None:
        deadline = time.monotonic() + 120
        while self.ask("/readyz")[0] != 200:
            assert self.process.poll() is None, "".join(self.said)
            assert time.monotonic() < deadline, "".join(self.said)
            time.sleep(0.05)  # a condition of other processes

    def wait(self) -> int:
        code = self.process.wait(180)
        self._reader.join(10)
        return code

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        self._reader.join(10)
        assert self.process.stdout is not None
        self.process.stdout.close()


@pytest.mark.timeout(600)
def test_a_pod_is_preempted_and_goes_on_where_it_stopped(tmp_path: Path, redis_url: str, run_name: str) -> None:
    policy = build(tmp_path / "model", 0, ("turn", "the", "alarm", "on"))
    (tmp_path / "run.yaml").write_text(TINY.replace("NAME", run_name).replace("MODEL", str(policy.folder)))
    (tmp_path / "secret").write_text(redis_url)
    with Player(redis_url, run_name, policy, str(tmp_path / "run" / "blobs"), 1) as player:
        pod = Pod(tmp_path, tmp_path / "secret")
        try:
            pod.until_ready()
            assert pod.ask("/healthz")[0] == 200
            checkpoints = Checkpoints(tmp_path / "run" / "checkpoints")
            until(checkpoints.newest, 120)
            text = pod.ask("/metrics")[1]
            assert "mobilegym_learner_policy_version 1.0" in text
            assert "mobilegym_trainer_engine_starts 1.0" in text
            pod.process.send_signal(signal.SIGTERM)
            assert pod.wait() == 75, "".join(pod.said)
            assert redis_url not in "".join(pod.said)
            assert any(line.startswith("engine | ") for line in pod.said)
            assert any(line.startswith("learner | ") for line in pod.said)
        finally:
            pod.close()
        player.hold = 99
        pod = Pod(tmp_path, tmp_path / "secret")
        try:
            assert pod.wait() == 0, "".join(pod.said)
        finally:
            pod.close()
    lines = [json.loads(line) for line in (tmp_path / "run" / "metrics.jsonl").read_text().splitlines()]
    assert [line["step"] for line in lines if line["kind"] == "step"] == [1, 2, 3]


@pytest.mark.parametrize(("redis", "words"), [("@/nowhere/redis", "cannot be read"), ("localhost", "is no URL")])
def test_a_wrong_set_up_is_told_with_exit_2(tmp_path: Path, redis: str, words: str) -> None:
    (tmp_path / "run.yaml").write_text(TINY)
    command = [sys.executable, "-m", "mobilegym.local.trainer", "--run-file", str(tmp_path / "run.yaml")]
    command += ["--run-dir", str(tmp_path / "run"), "--redis", redis]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 2
    assert words in done.stderr
