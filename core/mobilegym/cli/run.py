"""`mobilegym run`: a manifest on this machine."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import click
from rich.console import Console

from mobilegym.cli.errors import CommandError
from mobilegym.local.errors import LocalError
from mobilegym.local.executor import Outcome
from mobilegym.local.folder import RunFolder, default_folder
from mobilegym.local.preflight import preflight
from mobilegym.local.run import draw_curve, execute, services_of
from mobilegym.local.summary import as_data, print_summary
from mobilegym.local.view import open_view
from mobilegym.protocol.progress import read_progress
from mobilegym.run.errors import RunError
from mobilegym.run.load import load_run
from mobilegym.run.manifest import MobileGymRun
from mobilegym.run.model import Preset
from mobilegym.run.weights import pocket_folder


@click.command("run")
@click.option("-f", "--file", "file", required=True, type=click.Path(dir_okay=False, path_type=Path), help="Manifest.")
@click.option("--dir", "folder", type=click.Path(file_okay=False, path_type=Path), help="Folder; default runs/NAME.")
@click.option("--resume", is_flag=True, help="Continue the run that lies in the folder.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON; progress goes to stderr.")
@click.pass_context
def command(ctx: click.Context, file: Path, folder: Path | None, resume: bool, as_json: bool) -> None:
    """Run a manifest on this machine: Redis, engine, workers and learner as processes.

    Exits with 0 when it is done, 1 when it failed, 2 when it cannot start, 130 or 143 when it was stopped.
    """
    try:
        run = load_run(file)
        root = folder or default_folder(Path("runs"), run.name, resume=resume)
        with RunFolder(root) as at:
            outcome = _run(run, at, file.read_text(encoding="utf-8"), resume, Console(stderr=as_json))
            _report(at, outcome, Console(), as_json)
    except (RunError, LocalError) as error:
        raise CommandError(str(error)) from error
    ctx.exit(outcome.exit_code)


def _run(run: MobileGymRun, folder: RunFolder, manifest: str, resume: bool, console: Console) -> Outcome:
    model = preflight(run, folder)
    require_known(run)
    services = services_of(run, folder, model)
    folder.prepare(manifest, resume=resume)
    with open_view(console) as view:
        view.say(f"{run.name} in {_short(folder.root)}, logs in {_short(folder.logs)}")
        for note in _notes(run):
            view.say(note)
        return asyncio.run(execute(run, folder, services, view))


def _notes(run: MobileGymRun) -> list[str]:
    """What a person should know of the weights before they are trained."""
    from mobilegym.pocket.freshness import moved_on  # the extra `worker`, as above

    if run.spec.model.preset is not Preset.POCKET or run.spec.model.path is not None:
        return []
    changed = moved_on(pocket_folder())
    if not changed:
        return []
    return [f"since the pocket weights were made, {' and '.join(changed)} changed: `make pocket` makes them anew"]


def require_known(run: MobileGymRun) -> None:
    """Raises LocalError where the manifest selects no template, or names a dialect or picture that there is not."""
    from mobilegym.dialects import dialect  # the extra `worker`: preflight asks for it in words
    from mobilegym.tasks.instance import catalogue
    from mobilegym.worker.screen import pool_options

    try:
        dialect(run.spec.model.dialect_name)
        pool_options(run)
    except ValueError as error:
        raise LocalError(f"spec.model: {error}") from error
    cards, tasks = catalogue(), run.spec.tasks
    if not any(tasks.selects(card.id, card.apps, card.split) for card in cards):
        raise LocalError(
            f"spec.tasks selects none of {len(cards)} templates ({tasks.words}): see `mobilegym tasks list`"
        )


def _report(folder: RunFolder, outcome: Outcome, console: Console, as_json: bool) -> None:
    progress = read_progress(folder.metrics)
    if (progress.steps or progress.evaluations) and not draw_curve(folder):
        click.echo(f"no curve: see {_short(folder.logs / 'curve.log')}", err=True)
    if as_json:
        click.echo(json.dumps(as_data(progress, folder.root, outcome.exit_code, outcome.message), indent=2))
        return
    print_summary(console, progress)
    places = {"curve": folder.curve, "metrics": folder.metrics, "trajectories": folder.trajectories}
    for name, path in places.items():
        if path.exists():
            console.print(f"{name:14}{_short(path)}", highlight=False, soft_wrap=True)
    if outcome.exit_code:
        click.echo(outcome.message, err=True)
        click.echo(
            f"continue with: mobilegym run -f {_short(folder.run_file)} --dir {_short(folder.root)} --resume", err=True
        )


def _short(path: Path) -> str:
    here = Path.cwd()
    return str(path.relative_to(here)) if path.is_relative_to(here) else str(path)
