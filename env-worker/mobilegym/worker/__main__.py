"""`python -m mobilegym.worker`: one worker process of a run. Exits with 0 when drained, 2 when its set-up is wrong."""

from __future__ import annotations

import argparse
import asyncio
import logging
import signal
import sys
import time
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from mobilegym.dialects import dialect
from mobilegym.dialects.base import Dialect
from mobilegym.phone.errors import SetupError
from mobilegym.phone.pool import PhonePool, PoolOptions
from mobilegym.protocol.address import blobs_address, redis_address
from mobilegym.protocol.blobs import BlobStore, open_blobs
from mobilegym.protocol.errors import AddressError
from mobilegym.protocol.health import HealthServer, ListenError, Pulse
from mobilegym.protocol.messages import Episode
from mobilegym.protocol.ports import write_port
from mobilegym.protocol.streams import RedisStreams
from mobilegym.run.errors import RunError
from mobilegym.run.load import load_run
from mobilegym.run.manifest import MobileGymRun
from mobilegym.worker.engine_client import EngineClient
from mobilegym.worker.metrics import WorkerMetrics
from mobilegym.worker.model import ModelAgent
from mobilegym.worker.rollout import Limits
from mobilegym.worker.screen import pool_options
from mobilegym.worker.worker import Worker, WorkerOptions

log = logging.getLogger("mobilegym.worker")


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m mobilegym.worker", description=__doc__)
    parser.add_argument("--run-file", type=Path, required=True, help="the MobileGymRun manifest")
    parser.add_argument("--run-dir", type=Path, required=True, help="folder of the run; screenshots go to its blobs/")
    parser.add_argument("--redis", required=True, help="redis:// URL of the streams, or @FILE that holds it")
    parser.add_argument("--engine", required=True, help="http:// URL of the policy engine")
    parser.add_argument("--name", default="worker-0", help="unique in the run")
    parser.add_argument(
        "--blobs", help="where screenshots go instead: a folder, fsspec or redis:// URL, or @FILE that holds a URL"
    )
    parser.add_argument("--metrics-host", default="127.0.0.1", help="of /metrics, /healthz and /readyz")
    parser.add_argument("--metrics-port", type=int, default=0, help="0: any free one, written to RUN_DIR/ports/NAME")
    return parser.parse_args()


@dataclass(frozen=True, kw_only=True)
class Setup:
    """All that a worker is told, read and found to be usable."""

    run: MobileGymRun
    name: str
    redis: str
    engine: str
    blobs: BlobStore
    speech: Dialect
    pool: PoolOptions

    @classmethod
    def of(cls, args: argparse.Namespace) -> Setup:
        """Raises RunError, AddressError or ValueError."""
        run = load_run(args.run_file)
        if urlsplit(args.engine).scheme not in ("http", "https"):
            raise AddressError(f"--engine: {args.engine!r} is no URL: write http://host:port")
        where = blobs_address(args.blobs or run.spec.blobs.url or str(args.run_dir / "blobs"))
        return cls(
            run=run,
            name=args.name,
            redis=redis_address(args.redis),
            engine=args.engine,
            blobs=open_blobs(where, run.stream_name, keep_seconds=run.spec.blobs.keep_seconds),
            speech=dialect(run.spec.model.dialect_name),
            pool=pool_options(run),
        )


def options_of(run: MobileGymRun, name: str, start_seconds: float) -> WorkerOptions:
    workers, algorithm = run.spec.workers, run.spec.algorithm
    return WorkerOptions(
        name=name,
        run=run.stream_name,
        phones=workers.phones_per_worker,
        reward=algorithm.reward.value,
        limits=Limits(
            steps=algorithm.episode_steps,
            step_seconds=workers.step_deadline_seconds,
            episode_seconds=workers.episode_deadline_seconds,
        ),
        claim_idle=run.spec.stream.claim_idle_seconds,
        drain=workers.drain_seconds,
        start_seconds=start_seconds,
    )


class Process:
    """From the first answer to a probe to the last phone's end."""

    def __init__(self, setup: Setup) -> None:
        self._setup = setup
        self._metrics = WorkerMetrics()
        self._pulse = Pulse("the worker's event loop")
        self._worker: Worker | None = None

    async def serve(self, host: str, port: int, run_dir: Path) -> None:
        """Until drained; a signal before the phones are open ends it at once. Raises ListenError."""
        started = time.monotonic()
        self._on_signals()
        beating = asyncio.create_task(self._pulse.keep())
        with HealthServer(host, port, self._metrics.registry, alive=self._pulse.check, ready=self._ready) as server:
            write_port(run_dir, self._setup.name, server.port)
            async with AsyncExitStack() as stack:
                self._worker = await self._open(stack, started)
                await self._worker.run()
        beating.cancel()

    def _ready(self) -> str | None:
        return self._worker.ready() if self._worker is not None else "phones are being opened"

    async def _open(self, stack: AsyncExitStack, started: float) -> Worker:
        setup = self._setup
        workers, stream = setup.run.spec.workers, setup.run.spec.stream
        streams = RedisStreams(setup.redis, setup.run.stream_name, capacity=stream.capacity)
        await stack.enter_async_context(streams)
        pool = await stack.enter_async_context(PhonePool(setup.pool))
        client = EngineClient(setup.engine, deadline_seconds=workers.step_deadline_seconds)
        engine = await stack.enter_async_context(client)

        def agent_for(episode: Episode) -> ModelAgent:
            return ModelAgent(engine, setup.speech, episode.sampling, episode.sample_seed)

        took = time.monotonic() - started
        self._metrics.start_seconds.set(took)
        options = options_of(setup.run, setup.name, took)
        return Worker(options, streams, setup.blobs, pool, agent_for, self._metrics, engine.wait_ready)

    def _on_signals(self) -> None:
        loop, serving = asyncio.get_running_loop(), asyncio.current_task()
        assert serving is not None

        def stop() -> None:
            if self._worker is not None:
                self._worker.drain()
            else:
                serving.cancel()

        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, stop)


def main() -> int:
    args = arguments()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(name)s %(message)s")
    try:
        setup = Setup.of(args)
    except (RunError, AddressError, ValueError) as error:
        print(f"worker: {error}", file=sys.stderr)
        return 2
    try:
        asyncio.run(Process(setup).serve(args.metrics_host, args.metrics_port, args.run_dir))
    except SetupError as error:
        print(f"worker: {error}", file=sys.stderr)
        return 2
    except asyncio.CancelledError:
        log.info("stopped before the phones were open")
    except ListenError as error:
        print(f"worker: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
