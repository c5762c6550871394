"""`python -m mobilegym.policy`: serves one checkpoint on this machine."""

from __future__ import annotations

import asyncio
import logging
import signal
from pathlib import Path

import click
import torch
from aiohttp import web

from mobilegym.policy.engine import Engine
from mobilegym.policy.errors import WeightsRefused
from mobilegym.policy.follow import catch_up, follow
from mobilegym.policy.metrics import Metrics
from mobilegym.policy.model import WeightsUnusable, open_policy
from mobilegym.policy.server import build_app
from mobilegym.protocol.address import redis_address
from mobilegym.protocol.errors import AddressError, ProtocolError
from mobilegym.protocol.ports import write_port
from mobilegym.protocol.streams import RedisStreams
from mobilegym.run.errors import RunError
from mobilegym.run.load import load_run
from mobilegym.run.manifest import MobileGymRun
from mobilegym.run.weights import WeightsMissing, weights_folder

DEFAULT_BATCH = 32


@click.command()
@click.option("--model", type=click.Path(path_type=Path), default=None, help="Weights; default: the manifest's.")
@click.option("--name", default=None, help="Name to serve the model under; default: the folder's.")
@click.option("--host", default="127.0.0.1", show_default=True)
@click.option("--port", type=int, required=True)
@click.option("--run-file", type=click.Path(path_type=Path), default=None, help="Manifest: says model, run and batch.")
@click.option("--run-dir", type=click.Path(file_okay=False, path_type=Path), default=None, help="Folder for the log.")
@click.option(
    "--redis", "redis_url", default=None, help="Redis URL of the run, or @FILE that holds it, to follow its versions."
)
@click.option("--run", "run_name", default=None, help="Name of the run's stream.")
@click.option("--max-batch", type=int, default=None, help="Requests in a batch; default: the manifest's, else 32.")
@click.option("--threads", type=int, default=1, show_default=True, help="Torch threads; small models want one.")
@click.option("--device", default=None, help="Default: cuda where the manifest has GPUs, else cpu.")
def main(
    model: Path | None,
    name: str | None,
    host: str,
    port: int,
    run_file: Path | None,
    run_dir: Path | None,
    redis_url: str | None,
    run_name: str | None,
    max_batch: int | None,
    threads: int,
    device: str | None,
) -> None:
    """Serve a Qwen3-VL checkpoint as a policy engine; exit 2 when its set-up is wrong."""
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s")
    torch.set_num_threads(threads)
    try:
        run = load_run(run_file) if run_file is not None else None
        stream = run_name or (run.stream_name if run is not None else None)
        url = redis_address(redis_url) if redis_url is not None else None
        policy = open_policy(model or _weights(run), device or _device(run))
    except (RunError, AddressError, WeightsMissing, WeightsUnusable) as error:
        raise click.UsageError(str(error)) from error
    if (url is not None and stream is None) or (url is None and run_name is not None):
        raise click.UsageError("--redis needs --run or --run-file, and --run needs --redis")
    policy.name = name or policy.name
    if run_dir is not None:
        write_port(run_dir, "engine", port)
    batch = max_batch or (run.spec.engine.max_batch if run is not None else DEFAULT_BATCH)
    engine = Engine(policy, Metrics(), max_batch=batch, threads=threads)
    try:
        asyncio.run(serve(engine, host, port, url, stream))
    except (OSError, ProtocolError, WeightsRefused) as error:
        raise click.ClickException(str(error)) from error


def _weights(run: MobileGymRun | None) -> Path:
    if run is None:
        raise WeightsMissing("no weights: give --model or --run-file")
    return weights_folder(run.spec.model)


def _device(run: MobileGymRun | None) -> str:
    return "cuda" if run is not None and run.spec.learner.gpus else "cpu"


async def serve(engine: Engine, host: str, port: int, redis_url: str | None, run_name: str | None) -> None:
    """Serves until SIGTERM or SIGINT; the batch in flight is finished first."""
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    streams = RedisStreams(redis_url, run_name) if redis_url and run_name else None
    if streams is not None and not await _caught_up(engine, streams, stop):
        await streams.close()
        return
    runner = web.AppRunner(build_app(engine), access_log=None)
    await runner.setup()
    await web.TCPSite(runner, host, port).start()
    logging.getLogger(__name__).info("serving %s (version %d) on %s:%d", engine.policy.name, engine.version, host, port)
    following = asyncio.create_task(follow(engine, streams)) if streams is not None else None
    await stop.wait()
    if following is not None:
        following.cancel()
        await asyncio.gather(following, return_exceptions=True)
    await runner.cleanup()
    if streams is not None:
        await streams.close()


async def _caught_up(engine: Engine, streams: RedisStreams, stop: asyncio.Event) -> bool:
    """False where a stop came first: the stream may be away for long."""
    catching, stopped = asyncio.create_task(catch_up(engine, streams)), asyncio.create_task(stop.wait())
    await asyncio.wait({catching, stopped}, return_when=asyncio.FIRST_COMPLETED)
    stopped.cancel()
    if not catching.done():
        catching.cancel()
        await asyncio.gather(catching, return_exceptions=True)
        return False
    await catching
    return True


if __name__ == "__main__":
    main()
