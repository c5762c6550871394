"""The executor that runs nothing: pods get ready after a delay and end when told."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable
from dataclasses import dataclass

from tools.kube.api import Json
from tools.kube.executor import Executor, Process, Sandbox, StartError
from tools.kube.images import Images


@dataclass(frozen=True, kw_only=True)
class Exit:
    code: int = 0
    after: float = 0.0  # seconds from the container's start


Policy = Callable[[Json, Json, int], Exit | None]  # pod, container, attempt -> its end, or None: runs until stopped


class FakeProcess(Process):
    def __init__(self, loop: asyncio.AbstractEventLoop, end: Exit | None, term: int) -> None:
        self._ended: asyncio.Future[int] = loop.create_future()
        self._term = term
        if end is not None:
            loop.call_later(end.after, self.end, end.code)

    async def wait(self) -> int:
        return await asyncio.shield(self._ended)

    def signal(self, number: int) -> None:
        self.end(self._term if number == signal.SIGTERM else 128 + number)

    def end(self, code: int) -> None:
        if not self._ended.done():
            self._ended.set_result(code)


class FakeExecutor(Executor):
    """`delay`: seconds until a container runs. `term`: the exit code upon SIGTERM. Without `images` there are all."""

    real = False

    def __init__(
        self, *, delay: float = 0.0, policy: Policy | None = None, term: int = 0, images: Images | None = None
    ) -> None:
        self._delay, self._policy, self._term, self._images = delay, policy, term, images
        self._running: dict[tuple[str, str], dict[str, FakeProcess]] = {}
        self._loop: asyncio.AbstractEventLoop | None = None

    async def start(self, sandbox: Sandbox, container: Json, attempt: int) -> FakeProcess:
        self._loop = asyncio.get_running_loop()
        if self._images is not None and self._images.command(container["image"]) is None:
            raise StartError("ErrImagePull", f"there is no image {container['image']!r}")
        if self._delay:
            await asyncio.sleep(self._delay)
        end = self._policy(sandbox.pod, container, attempt) if self._policy else None
        if end is None and _is_init(sandbox.pod, container):
            end = Exit()
        process = FakeProcess(self._loop, end, self._term)
        self._running.setdefault(_key(sandbox.pod), {})[container["name"]] = process
        return process

    async def release(self, sandbox: Sandbox) -> None:
        self._running.pop(_key(sandbox.pod), None)

    def finish(self, namespace: str, name: str, code: int = 0, *, container: str | None = None) -> None:
        """Ends a pod's containers (or one) with `code`, from any thread. Raises KeyError when it does not run."""
        running = self._running[namespace, name]
        assert self._loop is not None
        for process in [running[container]] if container else list(running.values()):
            self._loop.call_soon_threadsafe(process.end, code)


def _key(pod: Json) -> tuple[str, str]:
    return pod["metadata"]["namespace"], pod["metadata"]["name"]


def _is_init(pod: Json, container: Json) -> bool:
    """An init container that is no sidecar ends by itself, or the pod would never start."""
    inits = pod["spec"].get("initContainers", ())
    return container.get("restartPolicy") != "Always" and any(one["name"] == container["name"] for one in inits)
