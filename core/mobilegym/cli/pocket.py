"""`mobilegym pocket`: build and warm the pocket policy from nothing."""

from __future__ import annotations

import time
from pathlib import Path

import click

from mobilegym.run.weights import pocket_folder


@click.command()
@click.option(
    "--out", type=click.Path(file_okay=False, path_type=Path), default=None, help="Folder for weights and card."
)
@click.option(
    "--cache",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path(".cache/pocket"),
    show_default=True,
    help="Folder for screens and stages; what is there already is used.",
)
@click.option("--fresh", is_flag=True, help="Train anew from the screens in the cache.")
def command(out: Path | None, cache: Path, fresh: bool) -> None:
    """Build the pocket policy and warm it by imitating a weak oracle (about 12 minutes)."""
    from mobilegym.pocket.make import STAGES, Maker  # torch, only now
    from mobilegym.pocket.recipe import Recipe

    if fresh:
        for stage in STAGES:
            (cache / stage / "COMPLETE").unlink(missing_ok=True)
    started = time.monotonic()

    def tell(line: str) -> None:
        click.echo(f"{time.monotonic() - started:6.0f} s  {line}")

    folder = out or pocket_folder()
    card = Maker(recipe=Recipe(), cache=cache, out=folder, tell=tell).run()
    click.echo(
        f"held-out success {card.success:.3f} [{card.success_low:.3f}, {card.success_high:.3f}] "
        f"of {card.episodes} episodes; weights and card in {folder}"
    )
