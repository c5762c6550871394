"""One pod on this node, from its volumes to its end."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass

from tools.kube.api import Json
from tools.kube.backoff import Backoff
from tools.kube.container import Container, Role, containers_of, now
from tools.kube.executor import Executor, Sandbox, StartError
from tools.kube.life import ContainerLife, RestartPolicy
from tools.kube.status import Conditions, pod_status

log = logging.getLogger(__name__)


@dataclass(frozen=True, kw_only=True)
class Key:
    namespace: str
    name: str
    uid: str

    @staticmethod
    def of(pod: Json) -> Key:
        meta = pod["metadata"]
        return Key(namespace=meta["namespace"], name=meta["name"], uid=meta["uid"])

    @property
    def path(self) -> str:
        return f"/api/v1/namespaces/{self.namespace}/pods/{self.name}"


class Pod:
    """`changed(pod)` is called whenever its status may have. Its life runs as a task; `terminate` ends that."""

    def __init__(
        self,
        pod: Json,
        *,
        address: str,
        host: str,
        executor: Executor,
        backoff: Backoff,
        changed: Callable[[Pod], None],
    ) -> None:
        self.key = Key.of(pod)
        self.sandbox = Sandbox(pod=pod, address=address)
        self.containers = containers_of(pod)
        self.finished = False
        self.observed: Json = {}  # the status in the API server, as last seen
        self.written: Json | None = None  # as last written
        self._host, self._executor, self._backoff = host, executor, backoff
        self._changed = changed
        self._conditions = Conditions()
        self._started = now()
        self._life: asyncio.Task[None] | None = None
        self._sidecars: list[asyncio.Task[int]] = []
        self._change = asyncio.Event()
        self._hurry = asyncio.Event()
        self._kill_at = float("inf")

    @property
    def spec(self) -> Json:
        spec: Json = self.sandbox.pod["spec"]
        return spec

    def status(self) -> Json:
        return pod_status(
            self.containers,
            self._conditions,
            address=self.sandbox.address,
            host=self._host,
            started=self._started,
            finished=self.finished,
        )

    def begin(self) -> asyncio.Task[None]:
        self._life = asyncio.create_task(self._live(), name=self.key.name)
        return self._life

    def hasten(self, grace: float) -> None:
        """Shortens the grace of a termination that runs, or is about to."""
        at = asyncio.get_running_loop().time() + grace
        if at < self._kill_at:
            self._kill_at = at
            self._hurry.set()

    async def terminate(self) -> None:
        """SIGTERM to the main containers, then to the sidecars; SIGKILL when the grace given to `hasten` is over."""
        if self._life is not None:
            self._life.cancel()
            await asyncio.wait((self._life,))
        await self._end()

    async def _live(self) -> None:
        await self._prepare()
        if await self._initialize():
            mains = [self._life_of(one) for one in self._of(Role.MAIN)]
            if len(mains) == 1:
                await mains[0].run()
            else:
                async with asyncio.TaskGroup() as group:
                    for main in mains:
                        group.create_task(main.run())
        self.hasten(self.spec.get("terminationGracePeriodSeconds", 30))
        await self._end()

    async def _prepare(self) -> None:
        failures = 0
        while True:
            try:
                return await self._executor.prepare(self.sandbox)
            except StartError as error:
                failures += 1
                for container in self.containers:
                    container.waits(error.reason, str(error))
                self._changed(self)
                await asyncio.sleep(self._backoff.pause(failures))

    async def _initialize(self) -> bool:
        """Runs the init containers and starts the sidecars; False when the pod failed in that."""
        for container in self._of(Role.INIT, Role.SIDECAR):
            life = self._life_of(container)
            if container.role is Role.SIDECAR:
                self._sidecars.append(asyncio.create_task(life.run()))
                while not container.started:
                    self._change.clear()
                    await self._change.wait()
            elif await life.run():
                return False
        return True

    def _on_change(self) -> None:
        self._change.set()
        self._changed(self)

    def _life_of(self, container: Container) -> ContainerLife:
        return ContainerLife(
            container=container,
            policy=RestartPolicy(self.spec.get("restartPolicy", "Always")),
            sandbox=self.sandbox,
            executor=self._executor,
            backoff=self._backoff,
            grace=self.spec.get("terminationGracePeriodSeconds", 30),
            changed=self._on_change,
        )

    def _of(self, *roles: Role) -> list[Container]:
        return [one for one in self.containers if one.role in roles]

    async def _end(self) -> None:
        for task in self._sidecars:
            task.cancel()
        await self._stop(self._of(Role.MAIN, Role.INIT))
        for sidecar in reversed(self._of(Role.SIDECAR)):
            await self._stop([sidecar])
        self.finished = True
        self._changed(self)

    async def _stop(self, containers: list[Container]) -> None:
        running = [one for one in containers if one.process is not None]
        ends = [asyncio.create_task(self._stopped(one)) for one in running]
        while pending := [task for task in ends if not task.done()]:
            self._hurry.clear()
            left = self._kill_at - asyncio.get_running_loop().time()
            if left <= 0:
                for one in running:
                    if one.process:
                        one.process.signal(9)
                await asyncio.wait(pending)
                return
            hurry = asyncio.create_task(self._hurry.wait())
            await asyncio.wait((*pending, hurry), timeout=left, return_when=asyncio.FIRST_COMPLETED)
            hurry.cancel()

    async def _stopped(self, container: Container) -> None:
        process = container.process
        assert process is not None
        process.signal(15)
        code = await process.wait()
        if container.process is process:
            container.ended(code)
            self._changed(self)
