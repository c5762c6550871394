"""The life of one container: started, probed, started again as its restart policy says."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from tools.kube.backoff import Backoff
from tools.kube.container import Container, Role
from tools.kube.executor import Executor, Process, ProgramError, Sandbox, StartError
from tools.kube.probes import Prober

START_ERROR = 128  # the exit code of a container whose program cannot be executed


class RestartPolicy(StrEnum):
    ALWAYS = "Always"
    ON_FAILURE = "OnFailure"
    NEVER = "Never"

    def restarts(self, code: int) -> bool:
        return self is RestartPolicy.ALWAYS or (self is RestartPolicy.ON_FAILURE and code != 0)


@dataclass(kw_only=True)
class ContainerLife:
    """`changed` is called after each change of the container's record."""

    container: Container
    policy: RestartPolicy
    sandbox: Sandbox
    executor: Executor
    backoff: Backoff
    grace: float
    changed: Callable[[], None]

    async def run(self) -> int:
        """Until it has ended for good; the exit code. Cancelled, it leaves a running process to the caller."""
        failures = 0
        while True:
            began = time.monotonic()
            code = await self._once()
            if not self._policy().restarts(code):
                return code
            failures = 1 if time.monotonic() - began > self.backoff.forget else failures + 1
            pause = self.backoff.pause(failures)
            self.container.waits("CrashLoopBackOff", f"back-off {pause:g}s restarting failed container")
            self.changed()
            await asyncio.sleep(pause)

    def _policy(self) -> RestartPolicy:
        """An init container's success is its end under every policy."""
        if self.container.role is Role.SIDECAR:
            return RestartPolicy.ALWAYS
        if self.container.role is Role.INIT and self.policy is RestartPolicy.ALWAYS:
            return RestartPolicy.ON_FAILURE
        return self.policy

    async def _once(self) -> int:
        try:
            process = await self._start()
        except ProgramError as error:
            self.container.ended(START_ERROR, "StartError", str(error))
            self.changed()
            return START_ERROR
        self.container.runs(process)
        code, reason = await self._watch(process)
        self.container.ended(code, reason)
        self.changed()
        return code

    async def _start(self) -> Process:
        """Tries until it starts, as a kubelet pulls an image again and again."""
        failures = 0
        attempt = self.container.restarts + bool(self.container.last or "terminated" in self.container.state)
        while True:
            try:
                return await self.executor.start(self.sandbox, self.container.spec, attempt)
            except StartError as error:
                failures += 1
                reason = "ImagePullBackOff" if error.reason == "ErrImagePull" and failures > 1 else error.reason
                self.container.waits(reason, str(error))
                self.changed()
                await asyncio.sleep(self.backoff.pause(failures))

    async def _watch(self, process: Process) -> tuple[int, str]:
        if not self.executor.real:
            self.container.started = self.container.ready = True
            self.changed()
            return await process.wait(), ""
        prober = Prober(self.container, self.sandbox, self.executor, self.changed)
        probing = asyncio.create_task(prober.run())
        ending = asyncio.create_task(process.wait())
        try:
            await asyncio.wait((probing, ending), return_when=asyncio.FIRST_COMPLETED)
            if probing.done() and not ending.done():
                probing.result()
                await stop(process, self.grace)
            return await ending, ""
        finally:
            probing.cancel()
            ending.cancel()


async def stop(process: Process, grace: float) -> int:
    """SIGTERM, SIGKILL after `grace` seconds; the exit code."""
    process.signal(15)
    try:
        return await asyncio.wait_for(process.wait(), grace)
    except TimeoutError:
        process.signal(9)
        return await process.wait()
