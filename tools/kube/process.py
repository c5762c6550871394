"""The executor that runs containers as processes of this machine."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import aiohttp
from tools.kube.api import ApiError, Json
from tools.kube.executor import Executor, Process, ProgramError, Sandbox, StartError, Surroundings
from tools.kube.images import Images
from tools.kube.launch import Launch, launch_of
from tools.kube.logs import Logs
from tools.kube.mounts import Mounts
from tools.kube.remains import kill_marked

Spawned = asyncio.subprocess.Process


class HostProcess(Process):
    """A session of its own. What outlives its first process is killed, as a container is."""

    def __init__(self, process: Spawned, launch: Launch) -> None:
        self._process = process
        self.launch = launch
        self._ended = asyncio.create_task(self._end())

    async def wait(self) -> int:
        return await asyncio.shield(self._ended)

    def signal(self, number: int) -> None:
        if self._process.returncode is None:
            with suppress(ProcessLookupError):
                os.kill(self._process.pid, number)  # Process.send_signal may reap it before the event loop does
        if number == signal.SIGKILL:
            _kill_group(self._process.pid)

    async def _end(self) -> int:
        code = await self._process.wait()
        _kill_group(self._process.pid)
        await asyncio.to_thread(kill_marked, self.launch.mark)
        return 128 - code if code < 0 else code


class ProcessExecutor(Executor):
    """Owns `folder`: the pods' volumes and logs lie in it."""

    def __init__(self, folder: Path, *, images: Images | None = None) -> None:
        self._folder = folder
        self._images = images or Images()
        self._logs = Logs(folder / "logs")
        self._running: dict[tuple[str, str], HostProcess] = {}  # by the pod's uid and the container's name

    @property
    def logs(self) -> Logs:
        return self._logs

    async def open(self, surroundings: Surroundings) -> None:
        self._around = surroundings
        self._mounts = Mounts(surroundings.api, surroundings.services)

    async def prepare(self, sandbox: Sandbox) -> None:
        folder = self._pod_folder(sandbox)
        folder.mkdir(parents=True, exist_ok=True)
        with _api_server_needed():
            await self._mounts.make(sandbox, folder / "volumes")

    async def start(self, sandbox: Sandbox, container: Json, attempt: int) -> HostProcess:
        image = container["image"]
        default = self._images.command(image)
        if default is None:
            raise StartError("ErrImagePull", f"this machine stands in for no image {image!r}")
        with _api_server_needed():
            launch = await launch_of(sandbox, container, default, self._pod_folder(sandbox), self._around)
        meta = sandbox.pod["metadata"]
        log = self.logs.path(meta["namespace"], meta["name"], meta["uid"], container["name"], attempt)
        log.parent.mkdir(parents=True, exist_ok=True)
        spawning = asyncio.create_task(_spawn(launch, log))
        try:
            spawned = await asyncio.shield(spawning)
        except asyncio.CancelledError:  # the pod ends while its process begins
            _kill_group((await spawning).pid)
            raise
        process = HostProcess(spawned, launch)
        self._running[meta["uid"], container["name"]] = process
        return process

    async def run(self, sandbox: Sandbox, container: Json, command: list[str]) -> int:
        uid = sandbox.pod["metadata"]["uid"]
        launch = self._running[uid, container["name"]].launch.probe(command)
        try:
            process = await _spawn(launch, None)
        except ProgramError:
            return 126
        try:
            return await process.wait()
        finally:
            _kill_group(process.pid)

    async def release(self, sandbox: Sandbox) -> None:
        uid = sandbox.pod["metadata"]["uid"]
        for key in [key for key in self._running if key[0] == uid]:
            del self._running[key]
        await asyncio.to_thread(shutil.rmtree, self._pod_folder(sandbox), ignore_errors=True)

    def _pod_folder(self, sandbox: Sandbox) -> Path:
        return self._folder / "pods" / str(sandbox.pod["metadata"]["uid"])


@contextmanager
def _api_server_needed() -> Iterator[None]:
    """Its absence is a reason to try again."""
    try:
        yield
    except (ApiError, aiohttp.ClientError, TimeoutError) as error:
        raise StartError("ContainerCreating", f"the API server does not answer: {error}") from error


async def _spawn(launch: Launch, log: Path | None) -> Spawned:
    """In a session of its own; killed by the kernel when this thread ends. Raises ProgramError."""
    program = launch.program()
    with (log or Path(os.devnull)).open("ab") as out:
        return await asyncio.create_subprocess_exec(
            *("setpriv", "--pdeathsig", "KILL", "--", program, *launch.command[1:]),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=out,
            stderr=out,
            cwd=launch.folder,
            env=launch.environment,
            start_new_session=True,
        )


def _kill_group(pid: int) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)
