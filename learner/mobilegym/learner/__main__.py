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

from mobilegym.learner.launch import launch
from mobilegym.learner.places import Places
from mobilegym.protocol.address import blobs_address, redis_address
from mobilegym.protocol.errors import AddressError, ProtocolError
from mobilegym.protocol.health import ListenError
from mobilegym.run.errors import RunError
from mobilegym.run.load import load_run
from mobilegym.run.manifest import MobileGymRun
from mobilegym.run.weights import WeightsMissing, weights_folder


@click.command()
@click.option("--run-file", type=click.Path(exists=True, dir_okay=False, path_type=Path), required=True)
@click.option("--run-dir", type=click.Path(file_okay=False, path_type=Path), required=True)
@click.option("--redis", "redis_url", required=True, help="Redis URL of the run's streams, or @FILE that holds it.")
@click.option(
    "--engine", "engine_url", default=None, help="Policy engine; without one, versions go to the stream only."
)
@click.option(
    "--model",
    type=click.Path(path_type=Path),
    default=None,
    help="First weights; default: spec.model.path, else the preset's own.",
)
@click.option(
    "--blobs",
    default=None,
    help="Store of screenshots: folder, URL, or @FILE with a URL; default: spec.blobs.url, else RUN_DIR/blobs.",
)
@click.option(
    "--metrics-host", default="127.0.0.1", show_default=True, help="Of /metrics, /healthz and /readyz of rank 0."
)
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
    """Train the policy of one run; exit 75 when stopped with its state saved, 2 when its set-up is wrong."""
    try:
        run = load_run(run_file)
        places = Places(
            run_dir=run_dir,
            model=first_weights(run, model),
            redis_url=redis_address(redis_url),
            engine_url=engine_url,
            blobs=blobs_address(blobs or run.spec.blobs.url or str(run_dir / "blobs")),
            metrics_host=metrics_host,
            metrics_port=metrics_port,
        )
    except (RunError, AddressError, WeightsMissing) as error:
        raise click.UsageError(str(error)) from error
    if "RANK" not in os.environ and run.spec.learner.world_size > 1:
        sys.exit(launch(sys.argv[1:], run.spec.learner.world_size))
    sys.exit(train(run, places, threads))


def train(run: MobileGymRun, places: Places, threads: int) -> int:
    """The life of one rank."""
    stopping = stop_on_signals()  # before the slow imports: a stop must not meet the default handler
    from mobilegym.learner.assemble import learn
    from mobilegym.learner.checkpoint import CheckpointError
    from mobilegym.learner.errors import SetupError
    from mobilegym.learner.publish import WeightsNotTaken
    from mobilegym.policy.model import WeightsUnusable

    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s")
    torch.set_num_threads(threads)
    try:
        return learn(run, places, stopping)
    except (SetupError, WeightsUnusable) as error:
        raise click.UsageError(str(error)) from error
    except (CheckpointError, ProtocolError, WeightsNotTaken, ListenError) as error:
        raise click.ClickException(str(error)) from error


def first_weights(run: MobileGymRun, given: Path | None) -> Path:
    """Raises WeightsMissing."""
    found = given or weights_folder(run.spec.model)
    if not (found / "config.json").exists():
        raise WeightsMissing(f"no weights in {found}: give --model, or spec.model.path in the manifest")
    return found


def stop_on_signals() -> threading.Event:
    stopping = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stopping.set())
    return stopping


if __name__ == "__main__":
    main()
