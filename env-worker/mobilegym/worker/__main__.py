"""`python -m mobilegym.worker`: one worker process of a run."""

from __future__ import annotations

import argparse
import asyncio
import logging
import signal
import sys
from pathlib import Path

from prometheus_client import start_http_server

from mobilegym.dialects import dialect
from mobilegym.phone.errors import SetupError
from mobilegym.phone.pool import PhonePool
from mobilegym.protocol.blobs import open_blobs
from mobilegym.protocol.messages import Episode
from mobilegym.protocol.ports import write_port
from mobilegym.protocol.streams import RedisStreams
from mobilegym.run.load import load_run
from mobilegym.run.manifest import MobileGymRun
from mobilegym.worker.engine_client import EngineClient
from mobilegym.worker.metrics import WorkerMetrics
from mobilegym.worker.model import ModelAgent
from mobilegym.worker.rollout import Limits
from mobilegym.worker.screen import pool_options
from mobilegym.worker.worker import Worker, WorkerOptions


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m mobilegym.worker", description=__doc__)
    parser.add_argument("--run-file", type=Path, required=True, help="the MobileGymRun manifest")
    parser.add_argument("--run-dir", type=Path, required=True, help="folder of the run; screenshots go to its blobs/")
    parser.add_argument("--redis", required=True, help="redis:// URL of the streams")
    parser.add_argument("--engine", required=True, help="http:// URL of the policy engine")
    parser.add_argument("--name", default="worker-0", help="unique in the run")
    parser.add_argument("--blobs", help="where screenshots go instead: a folder, fsspec URL or redis:// URL")
    parser.add_argument("--metrics-port", type=int, default=0, help="Prometheus port on loopback; 0: any free one")
    return parser.parse_args()


def options_of(run: MobileGymRun, name: str) -> WorkerOptions:
    workers, algorithm = run.spec.workers, run.spec.algorithm
    return WorkerOptions(
        name=name,
        run=run.name,
        phones=workers.phones_per_worker,
        reward=algorithm.reward.value,
        limits=Limits(
            steps=algorithm.episode_steps,
            step_seconds=workers.step_deadline_seconds,
            episode_seconds=workers.episode_deadline_seconds,
        ),
        claim_idle=run.spec.stream.claim_idle_seconds,
        drain=workers.drain_seconds,
    )


async def serve(args: argparse.Namespace, run: MobileGymRun) -> None:
    metrics = WorkerMetrics()
    server, _ = start_http_server(args.metrics_port, addr="127.0.0.1", registry=metrics.registry)
    write_port(args.run_dir, args.name, server.server_port)
    workers = run.spec.workers
    streams = RedisStreams(args.redis, run.name)
    blobs = open_blobs(args.blobs or args.run_dir / "blobs", run.name)
    pool = PhonePool(pool_options(run))
    speech = dialect(run.spec.model.dialect_name)
    async with streams, pool, EngineClient(args.engine, deadline_seconds=workers.step_deadline_seconds) as engine:

        def agent_for(episode: Episode) -> ModelAgent:
            return ModelAgent(engine, speech, episode.sampling, episode.sample_seed)

        worker = Worker(options_of(run, args.name), streams, blobs, pool, agent_for, metrics)
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, worker.drain)
        await worker.run()
    server.shutdown()


def main() -> int:
    args = arguments()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(name)s %(message)s")
    try:
        asyncio.run(serve(args, load_run(args.run_file)))
    except SetupError as error:
        print(f"worker: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
