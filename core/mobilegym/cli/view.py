"""`mobilegym view`: a run's episodes as one page."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.table import Table

from mobilegym.cli.errors import CommandError
from mobilegym.protocol.blobs import open_blobs
from mobilegym.protocol.messages import Trajectory
from mobilegym.protocol.trace import read_trajectories
from mobilegym.worker.viewer import POCKET_FRAME, Frame, episode, index, page


@click.command("view")
@click.argument("run_dir", type=click.Path(path_type=Path))
@click.option("--template", help="only this template")
@click.option("--group", help="only this group: its members side by side")
@click.option("--purpose", type=click.Choice(["train", "eval"]), help="only training or evaluation episodes")
@click.option("--failed", is_flag=True, help="only episodes without success")
@click.option("--last", default=40, show_default=True, type=click.IntRange(1), help="at most so many, the newest")
@click.option("--out", type=click.Path(path_type=Path), help="the page to write; RUN_DIR/episodes.html by default")
@click.option("--json", "as_json", is_flag=True, help="prints the episodes as JSON instead")
def command(run_dir: Path, **options: Any) -> None:
    """Writes an HTML page of the episodes in RUN_DIR: screenshots with actions, model text, verdict per goal."""
    if not (run_dir / "trajectories").is_dir():
        raise CommandError(f"{run_dir} holds no trajectories/: give the folder of a run, such as runs/pocket")
    chosen = [t for t in read_trajectories(run_dir) if wanted(t, options)][-options["last"] :]
    if not chosen:
        raise CommandError(f"no episode in {run_dir} matches; leave out a filter")
    if options["as_json"]:
        click.echo(json.dumps([facts(t) for t in chosen], indent=1, ensure_ascii=False))
        return
    blobs = open_blobs(run_dir / "blobs", run_dir.name)
    frame = POCKET_FRAME if is_pocket(run_dir) else Frame()
    body = index(run_dir.name, chosen) + "".join(episode(t, blobs, frame) for t in chosen)
    out = options["out"] or run_dir / "episodes.html"
    out.write_text(page(f"MobileGym: {run_dir.name}", body), encoding="utf-8")
    show(chosen, out)


def wanted(t: Trajectory, options: dict[str, Any]) -> bool:
    pairs = ((options["template"], t.template), (options["group"], t.group), (options["purpose"], t.purpose))
    if any(asked is not None and asked != has for asked, has in pairs):
        return False
    return not (options["failed"] and t.verdict is not None and t.verdict.success)


def is_pocket(run_dir: Path) -> bool:
    manifest = run_dir / "run.yaml"
    return manifest.is_file() and "preset: pocket" in manifest.read_text(encoding="utf-8")


def facts(t: Trajectory) -> dict[str, Any]:
    keys = ("id", "group", "member", "template", "seed", "goal", "purpose", "reward", "answer")
    success = t.verdict.success if t.verdict else None
    return {key: getattr(t, key) for key in keys} | {
        "status": t.status.value,
        "success": success,
        "steps": [s.text or s.action for s in t.steps],
    }


def show(chosen: list[Trajectory], out: Path) -> None:
    table = Table(title=f"{len(chosen)} episodes")
    for title in ("template", "purpose", "group", "member", "status", "reward", "steps"):
        table.add_column(title)
    for t in chosen:
        reward = "" if t.reward is None else f"{t.reward:.2f}"
        table.add_row(t.template, t.purpose, t.group, str(t.member), t.status.value, reward, str(len(t.steps)))
    Console().print(table)
    click.echo(f"open {out} in a browser")
