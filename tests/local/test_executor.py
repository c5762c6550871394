"""The executor with real, tiny processes."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.local.helpers import Diary, alive, child, until

from mobilegym.local.executor import Executor, Services
from mobilegym.local.folder import RunFolder
from mobilegym.local.parts import redis_binary, redis_command
from mobilegym.local.ports import free_port
from mobilegym.local.process import Command, Role
from mobilegym.local.restart import Backoff
from mobilegym.protocol.messages import Episode
from mobilegym.protocol.streams import RedisStreams

ROOT = Path(__file__).parents[2]


@pytest.fixture
def diary(tmp_path: Path) -> Diary:
    return Diary(tmp_path)


def services(
    folder: Path, redis_url: str, name: str, *crew: Command, engine: Command | None = None, port: int = 0
) -> Services:
    return Services(
        name=name,
        logs=folder,
        redis=None,
        redis_port=None,
        redis_url=redis_url,
        engine=engine,
        engine_port=port or None,
        crew=crew,
    )


def executor(wanted: Services, said: list[str] | None = None) -> Executor:
    return Executor(wanted, backoff=Backoff(first=0.01, most=0.02), say=(said if said is not None else []).append)


async def test_a_run_is_done_when_the_learner_is(tmp_path: Path, redis_url: str, run_name: str, diary: Diary) -> None:
    port = free_port()
    wanted = services(
        tmp_path,
        redis_url,
        run_name,
        child("worker", tmp_path, "stay", name="worker-0"),
        child("worker", tmp_path, "stay", name="worker-1"),
        child("learner", tmp_path, "wait:worker-*4"),
        engine=child("engine", tmp_path, f"listen:{port}"),
        port=port,
    )
    outcome = await executor(wanted).run()
    assert (outcome.exit_code, outcome.message) == (0, "done")
    assert outcome.codes == {"engine": [0], "worker-0": [0], "worker-1": [0], "learner": [0]}
    assert diary.order("start")[0] == "engine"
    assert diary.order("end")[0] == "learner"
    assert diary.order("end")[-1] == "engine"
    assert not any(alive(pid) for pid in diary.pids())
    assert outcome.left_behind == []


async def test_what_dies_is_started_again(tmp_path: Path, redis_url: str, run_name: str, diary: Diary) -> None:
    said: list[str] = []
    wanted = services(
        tmp_path,
        redis_url,
        run_name,
        child("worker", tmp_path, "exit:1", "exit:3", "stay"),
        child("learner", tmp_path, "wait:worker ready"),
    )
    outcome = await executor(wanted, said).run()
    assert outcome.exit_code == 0
    assert outcome.restarts == {"worker": 2, "learner": 0}
    assert outcome.codes["worker"] == [1, 3, 0]
    assert said[0].startswith("worker: exit 1, starting again in")


async def test_a_killed_child_is_started_again(tmp_path: Path, redis_url: str, run_name: str, diary: Diary) -> None:
    wanted = services(
        tmp_path,
        redis_url,
        run_name,
        child("worker", tmp_path, "stay"),
        child("learner", tmp_path, "wait:worker ready*2"),
    )
    said: list[str] = []
    running = executor(wanted, said)
    task = asyncio.create_task(running.run())
    await asyncio.to_thread(until, lambda: "worker ready" in diary.lines)
    os.kill(diary.pids()[0] if diary.order("start")[0] == "worker" else diary.pids()[1], signal.SIGKILL)
    assert (await task).exit_code == 0
    assert said[0].startswith("worker: killed by signal 9")


async def test_the_limit_fails_the_run_with_the_end_of_the_log(tmp_path: Path, redis_url: str, run_name: str) -> None:
    wanted = services(
        tmp_path,
        redis_url,
        run_name,
        child("worker", tmp_path, "stay"),
        child("learner", tmp_path, "exit:1", limit=2),
    )
    outcome = await executor(wanted).run()
    assert outcome.exit_code == 1
    assert outcome.codes["learner"] == [1, 1, 1]
    assert outcome.message.startswith("learner: failed 3 times in a row, last exit 1; log: ")
    assert "| learner gives up with 1" in outcome.message
    assert outcome.codes["worker"] == [0]


async def test_preemption_does_not_count(tmp_path: Path, redis_url: str, run_name: str) -> None:
    learner = child("learner", tmp_path, "exit:75", "exit:75", "exit:75", "exit:0", limit=0)
    outcome = await executor(services(tmp_path, redis_url, run_name, learner)).run()
    assert outcome.exit_code == 0
    assert outcome.codes["learner"] == [75, 75, 75, 0]


async def test_a_program_that_is_not_there_fails_the_run(tmp_path: Path, redis_url: str, run_name: str) -> None:
    learner = child("learner", tmp_path, "exit:0")
    nowhere = Command(name=learner.name, role=learner.role, argv=("/nowhere/learner",))
    outcome = await executor(services(tmp_path, redis_url, run_name, nowhere)).run()
    assert outcome.exit_code == 1
    assert outcome.message.startswith("learner: cannot be started: ")


async def test_an_engine_that_never_listens_is_named(tmp_path: Path, redis_url: str, run_name: str) -> None:
    engine = child("engine", tmp_path, "stay")
    wanted = services(tmp_path, redis_url, run_name, engine=engine, port=free_port())
    outcome = await executor(Services(**(vars(wanted) | {"engine_seconds": 0.2}))).run()
    assert outcome.exit_code == 1
    assert outcome.message.startswith("engine: does not answer after 0.2 s")


async def test_a_run_past_its_deadline_is_stopped(tmp_path: Path, redis_url: str, run_name: str, diary: Diary) -> None:
    wanted = services(tmp_path, redis_url, run_name, child("learner", tmp_path, "stay"))
    outcome = await executor(Services(**(vars(wanted) | {"deadline": 0.5}))).run()
    assert outcome.exit_code == 1
    assert "activeDeadlineSeconds (0.5)" in outcome.message
    assert not any(alive(pid) for pid in diary.pids())


async def test_nothing_is_left_behind_by_the_stubborn(
    tmp_path: Path, redis_url: str, run_name: str, diary: Diary
) -> None:
    wanted = services(
        tmp_path,
        redis_url,
        run_name,
        child("worker", tmp_path, "refuse", name="worker-0", grace=0.1),
        child("worker", tmp_path, "spawn", name="worker-1"),
        child("learner", tmp_path, "wait:worker-*6"),
    )
    outcome = await executor(wanted).run()
    assert outcome.exit_code == 0
    assert outcome.codes["worker-0"] == [-signal.SIGKILL]
    grandchild = next(int(line.split()[2]) for line in diary.lines if line.startswith("worker-1-grandchild start"))
    assert outcome.left_behind == [grandchild]
    until(lambda: not any(alive(pid) for pid in diary.pids()))


def driven(folder: Path, redis_url: str, crew: Sequence[str]) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "tests.local.drive", str(folder), redis_url, *crew],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_stops_all_in_order(
    tmp_path: Path, redis_url: str, diary: Diary, number: signal.Signals, code: int
) -> None:
    with driven(tmp_path, redis_url, ["worker=stay", "learner=stay:75"]) as process:
        until(lambda: {"worker ready", "learner ready"} <= set(diary.lines))
        process.send_signal(number)
        assert process.wait(30) == code
        assert process.stdout is not None
        assert f"{number.name}: stopping in order" in process.stdout.read().decode()
    assert [line for line in diary.lines if " end " in line] == ["worker end 0", "learner end 75"]


def test_the_second_ctrl_c_kills(tmp_path: Path, redis_url: str, diary: Diary) -> None:
    with driven(tmp_path, redis_url, ["worker=refuse", "learner=refuse"]) as process:
        until(lambda: {"worker ready", "learner ready"} <= set(diary.lines))
        process.send_signal(signal.SIGINT)
        assert process.stdout is not None
        assert b"stopping in order" in process.stdout.readline()
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 130
    until(lambda: not any(alive(pid) for pid in diary.pids()))


def test_children_of_a_killed_executor_end_too(tmp_path: Path, redis_url: str, diary: Diary) -> None:
    with driven(tmp_path, redis_url, ["worker=stay", "learner=stay"]) as process:
        until(lambda: {"worker ready", "learner ready"} <= set(diary.lines))
        process.kill()
    until(lambda: not any(alive(pid) for pid in diary.pids()))
    assert sorted(diary.order("end")) == ["learner", "worker"]


def test_a_second_run_in_the_folder_is_refused(tmp_path: Path, redis_url: str, diary: Diary) -> None:
    with driven(tmp_path, redis_url, ["learner=stay"]) as first:
        until(lambda: "learner ready" in diary.lines)
        with driven(tmp_path, redis_url, ["learner=stay"]) as second:
            output, _ = second.communicate(timeout=30)
        assert second.returncode != 0
        assert f"is in use by process {first.pid}" in output.decode()
        first.terminate()
        assert first.wait(30) == 143


async def test_redis_of_the_run_keeps_its_data_over_a_stop(tmp_path: Path, run_name: str) -> None:
    async def once() -> int:
        with RunFolder(tmp_path) as folder:
            port = free_port()
            url = f"redis://127.0.0.1:{port}/0"
            marker = tmp_path / f"go-{port}"
            waiting = ("sh", "-c", f"until [ -e {marker} ]; do sleep 0.02; done")
            learner = Command(name="learner", role=Role.LEARNER, argv=waiting)
            wanted = Services(
                name=run_name,
                logs=folder.logs,
                redis=redis_command(redis_binary(), folder, port),
                redis_port=port,
                redis_url=url,
                engine=None,
                engine_port=None,
                crew=[learner],
                lock=folder.lock,
            )
            running = executor(wanted)
            task = asyncio.create_task(running.run())
            while "learner" not in running.keepers:
                await asyncio.sleep(0.02)
            async with RedisStreams(url, run_name) as streams:
                issued = (await streams.counters()).issued
                await streams.issue(Episode(id=str(port), run=run_name, group="g", member=0, template="t", seed=1))
            marker.touch()
            outcome = await task
            assert (outcome.exit_code, outcome.codes["redis"]) == (0, [0])
            return issued

    assert await once() == 0
    assert await once() == 1
