"""`python -m mobilegym.learner`: trains the policy of one run.

Started alone it starts as many ranks as the manifest says; under torchrun it is one of them.
"""

from __future__ import annotations

import logging
import os
import signal
import sys
import threading
from pathlib import Path

import click
import torch

from mobilegym.protocol.errors import ProtocolError
from mobilegym.run.load import load_run
from mobilegym.run.manifest import MobileGymRun


@click.command()
@click.option("--run-file", type=click.Path(exists=True, dir_okay=False, path_type=Path), required=True)
@click.option("--run-dir", type=click.Path(file_okay=False, path_type=Path), required=True)
@click.option("--redis", "redis_url", required=True, help="Redis URL of the run's streams.")
@click.option(
    "--engine", "engine_url", default=None, help="Policy engine; without one, versions go to the stream only."
)
@click.option(
    "--model",
    type=click.Path(path_type=Path),
    default=None,
    help="First weights; default: spec.model.path, else RUN_DIR/model.",
)
@click.option("--blobs", default=None, help="Blob store of screenshots; default: RUN_DIR/blobs.")
@click.option("--metrics-host", default="127.0.0.1", show_default=True)
@click.option("--metrics-port", type=int, default=0, help="0: any free port, written to RUN_DIR/ports/learner.")
@click.option("--threads", type=int, default=1, show_default=True, help="Torch threads a rank, on CPUs.")
def main(
    run_file: Path,
    run_dir: Path,
    redis_url: str,
    engine_url: str | None,
    model: Path | None,
    blobs: str | None,
    metrics_host: str,
    metrics_port: int,
    threads: int,
) -> None:
    """Train the policy of one run; exit 75 when stopped by a signal with its state saved."""
    run = load_run(run_file)
    if "RANK" not in os.environ and run.spec.learner.world_size > 1:
        from mobilegym.learner.launch import launch

        sys.exit(launch(sys.argv[1:], run.spec.learner.world_size))
    stopping = stop_on_signals()  # before the slow imports: a stop must not meet the default handler
    from mobilegym.learner.assemble import Places, learn
    from mobilegym.learner.checkpoint import CheckpointError
    from mobilegym.learner.sampler import NoTasks

    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s")
    torch.set_num_threads(threads)
    places = Places(
        run_dir=run_dir,
        model=first_weights(run, run_dir, model),
        redis_url=redis_url,
        engine_url=engine_url,
        blobs=blobs or str(run_dir / "blobs"),
        metrics_host=metrics_host,
        metrics_port=metrics_port,
    )
    try:
        sys.exit(learn(run, places, stopping))
    except NoTasks as error:
        raise click.UsageError(str(error)) from error
    except (CheckpointError, ProtocolError) as error:
        raise click.ClickException(str(error)) from error


def first_weights(run: MobileGymRun, run_dir: Path, given: Path | None) -> Path:
    found = given or (Path(run.spec.model.path) if run.spec.model.path else run_dir / "model")
    if not (found / "config.json").exists():
        raise click.UsageError(f"no weights in {found}: give --model, or spec.model.path in the manifest")
    return found


def stop_on_signals() -> threading.Event:
    stopping = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stopping.set())
    return stopping


if __name__ == "__main__":
    main()
