"""`mobilegym run`: from a manifest to an outcome."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

from mobilegym.local.executor import Executor, Outcome, Services, listen_for_signals
from mobilegym.local.folder import RunFolder
from mobilegym.local.parts import (
    Places,
    engine_command,
    learner_command,
    redis_binary,
    redis_command,
    worker_commands,
)
from mobilegym.local.ports import LOOPBACK, choose_port, free_port
from mobilegym.local.snapshot import Snapshot, Watch
from mobilegym.local.view import View
from mobilegym.protocol.errors import StreamError
from mobilegym.protocol.progress import read_progress
from mobilegym.protocol.streams import RedisStreams
from mobilegym.run.manifest import MobileGymRun

LOOK_SECONDS = 1.0


def services_of(run: MobileGymRun, folder: RunFolder, model: Path) -> Services:
    """Raises MissingProgram or PortInUse."""
    spec = run.spec
    redis = redis_port = engine = engine_port = None
    redis_url = spec.stream.redis_url
    if redis_url is None:
        redis_port = free_port()
        redis_url = f"redis://{LOOPBACK}:{redis_port}/0"
        redis = redis_command(redis_binary(), folder, redis_port)
    engine_url = spec.engine.url
    if engine_url is None:
        engine_port = choose_port(spec.engine.port, "spec.engine.port")
        engine_url = f"http://{LOOPBACK}:{engine_port}"
    at = Places(run_file=folder.run_file, run_dir=folder.root, redis=redis_url, engine=engine_url, model=model)
    if engine_port is not None:
        engine = engine_command(run, at, engine_port)
    return Services(
        name=run.stream_name,
        logs=folder.logs,
        redis=redis,
        redis_port=redis_port,
        redis_url=redis_url,
        engine=engine,
        engine_port=engine_port,
        crew=[*worker_commands(run, at), learner_command(run, at)],
        lock=folder.lock,
        deadline=spec.active_deadline_seconds,
    )


async def execute(run: MobileGymRun, folder: RunFolder, services: Services, view: View) -> Outcome:
    """Run it with a view of it. The outcome is also written to `state.json`."""
    executor = Executor(services, say=view.say)
    undo = listen_for_signals(executor)
    started = time.time()
    folder.write_state("running", redis=services.redis_url, started=started)
    watching = asyncio.create_task(_watch(run, folder, services, executor, view))
    try:
        outcome = await executor.run()
    finally:
        watching.cancel()
        await asyncio.gather(watching, return_exceptions=True)
        undo()
    phase = {0: "done", 1: "failed"}.get(outcome.exit_code, "stopped")
    facts = {"message": outcome.message, "codes": outcome.codes, "restarts": outcome.restarts}
    folder.write_state(phase, started=started, ended=time.time(), **facts)
    return outcome


async def _watch(run: MobileGymRun, folder: RunFolder, services: Services, executor: Executor, view: View) -> None:
    watch = Watch(name=run.name, total_steps=run.spec.algorithm.total_steps)
    async with RedisStreams(services.redis_url, services.name) as streams:
        while True:
            view.show(await _look(watch, folder, streams, executor))
            await asyncio.sleep(LOOK_SECONDS)


async def _look(watch: Watch, folder: RunFolder, streams: RedisStreams, executor: Executor) -> Snapshot:
    beats, counters = [], None
    if executor.redis_ready:
        with suppress(StreamError):
            beats, counters = await streams.heartbeats(), await streams.counters()
    progress = read_progress(folder.metrics)
    return watch.look(time.monotonic(), progress, beats, counters, executor.doing)


def draw_curve(folder: RunFolder) -> bool:
    """`curve.png` from `metrics.jsonl`, by the learner's helper as a process: matplotlib stays out of here."""
    command = [sys.executable, "-m", "mobilegym.learner.curve", str(folder.metrics), str(folder.curve)]
    with (folder.logs / "curve.log").open("wb") as log:
        return subprocess.run(command, stdout=log, stderr=log, timeout=120, check=False).returncode == 0
