"""A run of a release of the chart whose pods are real: its pods, its streams, its folder."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

from tests.chart.release import Release
from tests.cluster.pods import is_ready
from tests.cluster.reader import Json, Reader
from tests.run_faults.story import ask
from tools.kube.cluster import CommandError
from tools.kube.controlplane import ControlPlane
from tools.kube.wait import until

from mobilegym.operator import names
from mobilegym.protocol.errors import StreamError
from mobilegym.protocol.streams import Streams

PATIENCE = 300.0  # seconds that anything may take on a busy machine
LEARNING: Json = {
    "groupSize": 4,
    "promptsPerStep": 4,
    "updatesPerStep": 2,
    "learningRate": "5e-4",
    "episodeSteps": 10,
    "maxTokens": 8,
    "reward": "binary",
    "trainVision": False,
    "evalEvery": 0,
    "evalEpisodes": 8,
}
TASKS = ["settings.set-switch", "settings.set-font-size", "clock.set-snooze", "notes.sort-notes"]
T = TypeVar("T")


def manifest(name: str, steps: int, **learner: Any) -> Json:
    """A run of a worker with four phones: a step takes some seconds."""
    workers = {"replicas": 1, "phonesPerWorker": 4, "drainSeconds": 5, "sandbox": "Disabled", "stepDeadlineSeconds": 20}
    checkpoint = {"interval": 1, "keepLast": 2, "size": "1Gi"}
    spec = {
        "tasks": {"include": TASKS, "locales": ["en"]},
        "model": {"preset": "pocket"},
        "algorithm": LEARNING | {"totalSteps": steps},
        "workers": workers,
        "learner": {"microBatchRows": 64, "checkpoint": checkpoint} | learner,
        "engine": {"maxBatch": 16},
        "stream": {"capacity": 128, "claimIdleSeconds": 21},
    }
    return {
        "apiVersion": f"{names.GROUP}/{names.VERSION}",
        "kind": names.KIND,
        "metadata": {"name": name},
        "spec": spec,
    }


class RealRun:
    """Named as in its manifest. `release` may be another namespace's."""

    def __init__(self, plane: ControlPlane, release: Release, manifest: Json) -> None:
        self.plane, self.release, self.manifest = plane, release, manifest
        self.name, self.namespace = str(manifest["metadata"]["name"]), release.namespace
        self.reader = Reader(plane)
        self.learner = names.learner_name(self.name)

    # -- what its user does --

    def apply(self) -> None:
        self.kubectl("apply", "-f", "-", input=json.dumps(self.manifest))

    def suspend(self, asked: bool) -> None:
        self.kubectl("patch", "mgr", self.name, "--type=merge", "-p", json.dumps({"spec": {"suspend": asked}}))

    def kubectl(self, *args: str, input: str | None = None) -> str:
        return self.plane.kubectl(*args, "-n", self.namespace, input=input, timeout=PATIENCE)

    # -- what its user sees --

    def get(self, kind: str, name: str) -> Json:
        """An object of the core API."""
        return self.reader.get(f"/api/v1/namespaces/{self.namespace}/{kind}/{name}")

    @property
    def object(self) -> Json:
        place = f"/apis/{names.GROUP}/{names.VERSION}/namespaces/{self.namespace}/{names.PLURAL}"
        return self.reader.get(f"{place}/{self.name}")

    @property
    def status(self) -> Json:
        found: Json = self.object.get("status", {})
        return found

    @property
    def phase(self) -> str:
        return str(self.status.get("phase", ""))

    def condition(self, kind: str) -> str:
        """True, False, or empty where it is not there."""
        return next((str(c["status"]) for c in self.status.get("conditions", ()) if c["type"] == kind), "")

    def pods(self) -> dict[str, Json]:
        """By name; those that end too."""
        selector = f"labelSelector={names.RUN}%3D{self.name}"
        found = self.reader.get(f"/api/v1/namespaces/{self.namespace}/pods?{selector}")["items"]
        return {pod["metadata"]["name"]: pod for pod in found}

    def lives(self) -> dict[str, tuple[str, int]]:
        """Uid and restarts of every pod: equal before and after, where nothing was started again."""
        return {name: (pod["metadata"]["uid"], restarts(pod)) for name, pod in self.pods().items()}

    def worker(self) -> str:
        """The name of the one that plays."""
        (name,) = (name for name, pod in self.pods().items() if name != self.learner and goes_on(pod))
        return name

    def is_up(self, pod: str) -> bool:
        found = self.get("pods", pod)
        return bool(found) and goes_on(found)

    # -- what it has done --

    @cached_property
    def folder(self) -> Path:
        """The learner's, on the claim's volume."""
        volume = self.get("persistentvolumeclaims", names.claim_name(self.name))["spec"]["volumeName"]
        return Path(self.reader.get(f"/api/v1/persistentvolumes/{volume}")["spec"]["hostPath"]["path"])

    def lines(self, kind: str) -> list[Json]:
        file = self.folder / "metrics.jsonl"
        found = [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []
        return [line for line in found if line["kind"] == kind]

    def steps(self) -> list[int]:
        return [line["step"] for line in self.lines("step")]

    def ask(self, question: Callable[[Streams], Awaitable[T]]) -> T:
        """Of its streams. Raises StreamError while Redis is away."""
        return ask(self._redis, names.stream_name(self.namespace, self.name, self.object["metadata"]["uid"]), question)

    @cached_property
    def _redis(self) -> str:
        service = f"{self.release.name}-redis"
        address = self.get("services", service)["spec"]["clusterIP"]
        return self.release.secret()["learner"].replace(f"{service}.{self.namespace}.svc", address)

    def played(self) -> int:
        """Trajectories that workers have pushed; -1 while Redis is away."""
        with suppress(StreamError):
            c = self.ask(lambda streams: streams.counters())
            return c.trained + c.pending + c.depth
        return -1

    def leased(self) -> int:
        return self.ask(lambda streams: streams.counters()).leased

    def doing(self) -> str:
        """The learner's phase."""
        beats = self.ask(lambda streams: streams.heartbeats())
        return next((str(beat.detail["phase"]) for beat in beats if beat.role == names.LEARNER), "")

    # -- waiting --

    def wait(self, look: Callable[[], T], what: str, *, every: float = 0.2) -> T:
        """The first true value. Fails with the run's logs, and as soon as the run has ended without it."""

        def looked() -> T:
            ended = self.phase in ("Succeeded", "Failed")
            value = look()
            if not value and ended:
                raise AssertionError(f"the run has ended before: {what}")
            return value

        try:
            return until(looked, what, seconds=PATIENCE, every=every)
        except (TimeoutError, AssertionError) as error:
            error.add_note(self.words())
            raise

    def wait_step(self, more: int = 1) -> None:
        """So many more, beyond all that there are now."""
        last = max(self.steps(), default=0)
        self.wait(lambda: max(self.steps(), default=0) >= last + more, f"step {last + more}")

    def words(self) -> str:
        """What it says of itself, and its pods' last lines."""
        found = [json.dumps(self.status, indent=1)]
        for pod in self.pods():
            with suppress(CommandError):
                found.append(f"== {pod}\n{self.kubectl('logs', pod, '--all-containers', '--tail=25')}")
        return "\n".join(found)


def restarts(pod: Json) -> int:
    return sum(int(one["restartCount"]) for one in pod.get("status", {}).get("containerStatuses", ()))


def goes_on(pod: Json) -> bool:
    return is_ready(pod) and "deletionTimestamp" not in pod["metadata"]
