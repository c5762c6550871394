"""The operator as a process."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import aiohttp
import pytest
from tests.conftest import free_port
from tests.operator.machine import eventually, listed, manifest, serve_crd
from tools.kube.controlplane import ControlPlane
from tools.kube.fleet import Fleet

from mobilegym.operator.api import Api
from mobilegym.operator.kinds import LEASE, POD, RUN
from mobilegym.operator.schema import CRD_NAME
from mobilegym.operator.urls import ROLES

Start = Callable[..., Awaitable[Process]]


@pytest.fixture
async def start() -> AsyncIterator[Start]:
    made: list[Process] = []

    async def begin(*args: str, **environment: str) -> Process:
        command = (sys.executable, "-m", "mobilegym.operator", *args)
        process = await asyncio.create_subprocess_exec(*command, env=os.environ | environment, stderr=PIPE)
        made.append(process)
        return process

    yield begin
    for process in made:
        if process.returncode is None:
            process.kill()
        await process.wait()


@pytest.fixture
def redis_folder(tmp_path: Path, redis_url: str) -> Path:
    for role in ROLES:
        (tmp_path / role).write_text(redis_url + "\n")
    return tmp_path


async def words_of(process: Process) -> tuple[int | None, str]:
    _, said = await asyncio.wait_for(process.communicate(), 60)
    return process.returncode, said.decode()


def args(namespace: str, redis: Path, *more: str) -> tuple[str, ...]:
    return ("--namespace", namespace, "--watch", namespace, "--identity", "me", "--redis", str(redis), *more)


async def test_without_credentials_it_says_what_to_set(start: Start, tmp_path: Path) -> None:
    process = await start(*args("x", tmp_path), KUBECONFIG=str(tmp_path / "none"))
    code, said = await words_of(process)
    assert code == 2
    assert "no credentials for a cluster" in said
    assert "set KUBECONFIG, or run in a pod" in said


async def test_without_the_redis_files_it_names_them(served: ControlPlane, start: Start, tmp_path: Path) -> None:
    code, said = await words_of(await start(*args("default", tmp_path)))
    assert code == 2
    assert "must hold the files operator, worker, learner" in said


async def test_without_the_crd_it_says_so(served: ControlPlane, start: Start, redis_folder: Path) -> None:
    served.kubectl("delete", "crd", CRD_NAME)
    try:
        code, said = await words_of(await start(*args("default", redis_folder)))
    finally:
        serve_crd(served)
    assert code == 2
    assert "install the CRD" in said


async def text(url: str) -> str:
    async with aiohttp.ClientSession() as session:
        try:
            async with session.get(url) as answer:
                return await answer.text() if answer.status == 200 else ""
        except aiohttp.ClientError:
            return ""


async def test_it_runs_a_run_and_ends_when_told(
    served: ControlPlane, namespace: str, admin: Api, fake_nodes: Fleet, start: Start, redis_folder: Path
) -> None:
    metrics, probe = free_port(), free_port()
    ports = ("--metrics-port", str(metrics), "--probe-port", str(probe))
    process = await start(*args(namespace, redis_folder, *ports))
    await eventually(lambda: text(f"http://127.0.0.1:{probe}/readyz"), "the first lists")
    assert await text(f"http://127.0.0.1:{probe}/healthz") == "ok\n"
    await admin.create(RUN, namespace, manifest(namespace, "one", workers={"replicas": 2}))

    async def pods() -> bool:
        return len(await listed(admin, POD, namespace)) == 3

    await eventually(pods, "two workers and the learner")

    async def phase() -> bool:
        return 'mobilegym_run_phase{namespace="' in await text(f"http://127.0.0.1:{metrics}/metrics")

    await eventually(phase, "the run's phase among the metrics")
    assert "mobilegym_operator_leader 1.0" in await text(f"http://127.0.0.1:{metrics}/metrics")
    process.send_signal(signal.SIGTERM)
    code, said = await asyncio.wait_for(words_of(process), 25)
    assert code == 0, said
    assert "Traceback" not in said
    assert (await admin.get(LEASE, namespace, "mobilegym-operator"))["spec"]["holderIdentity"] == ""
