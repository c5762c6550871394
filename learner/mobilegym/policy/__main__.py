"""`python -m mobilegym.policy`: serves one checkpoint on this machine."""

from __future__ import annotations

import asyncio
import logging
import signal
from pathlib import Path

import click
import torch
from aiohttp import web
from prometheus_client import start_http_server
from safetensors import SafetensorError

from mobilegym.policy.engine import Engine
from mobilegym.policy.follow import catch_up, follow
from mobilegym.policy.metrics import Metrics
from mobilegym.policy.model import load_policy
from mobilegym.policy.server import build_app
from mobilegym.protocol.ports import write_port
from mobilegym.protocol.streams import RedisStreams


@click.command()
@click.option("--model", type=click.Path(exists=True, file_okay=False, path_type=Path), required=True)
@click.option("--name", default=None, help="Name to serve the model under; default: the folder's.")
@click.option("--host", default="127.0.0.1", show_default=True)
@click.option("--port", type=int, required=True)
@click.option("--run-dir", type=click.Path(file_okay=False, path_type=Path), default=None, help="Folder for the log.")
@click.option("--redis", "redis_url", default=None, help="Redis URL of the run, to follow its policy versions.")
@click.option("--run", "run_name", default=None, help="Name of the run.")
@click.option("--max-batch", type=int, default=32, show_default=True, help="Requests in a batch.")
@click.option("--threads", type=int, default=1, show_default=True, help="Torch threads; small models want one.")
@click.option("--device", default="cpu", show_default=True)
@click.option("--metrics-port", type=int, default=0, help="Serve /metrics on this port too; 0: only on --port.")
def main(
    model: Path,
    name: str | None,
    host: str,
    port: int,
    run_dir: Path | None,
    redis_url: str | None,
    run_name: str | None,
    max_batch: int,
    threads: int,
    device: str,
    metrics_port: int,
) -> None:
    """Serve a Qwen3-VL checkpoint as a policy engine."""
    if (redis_url is None) != (run_name is None):
        raise click.UsageError("--redis and --run belong together: give both or neither")
    if run_dir is not None:
        write_port(run_dir, "engine", metrics_port or port)
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s")
    torch.set_num_threads(threads)
    try:
        policy = load_policy(model, device)
    except (OSError, ValueError, KeyError, SafetensorError) as error:  # another try is of no use
        raise click.UsageError(f"{model} cannot be loaded as a Qwen3-VL checkpoint: {error}") from error
    policy.name = name or policy.name
    metrics = Metrics()
    if metrics_port:
        start_http_server(metrics_port, addr="127.0.0.1", registry=metrics.registry)
    engine = Engine(policy, metrics, max_batch=max_batch, threads=threads)
    asyncio.run(serve(engine, host, port, redis_url, run_name))


async def serve(engine: Engine, host: str, port: int, redis_url: str | None, run_name: str | None) -> None:
    """Serves until SIGTERM or SIGINT; the batch in flight is finished first."""
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    streams = RedisStreams(redis_url, run_name) if redis_url and run_name else None
    if streams is not None:
        await catch_up(engine, streams)
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


if __name__ == "__main__":
    main()
