"""`mobilegym plan`: memory and time of a run on GPUs."""

from __future__ import annotations

import json
from typing import Any

import click
from rich.console import Console
from rich.table import Table

from mobilegym.cli.errors import CommandError
from mobilegym.run.errors import RunError
from mobilegym.run.load import load_run
from mobilegym.run.manifest import MobileGymRun
from mobilegym.run.plan import Plan, PlanError, make_plan, require_fit
from mobilegym.run.plan.hardware import GB
from mobilegym.run.plan.plan import UTILISATION


@click.command("plan")
@click.option("-f", "--file", "file", required=True, type=click.Path(dir_okay=False), help="Manifest.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(file: str, as_json: bool) -> None:
    """Show what a run needs of its GPUs; exit 1 where it cannot fit, saying which knob to turn."""
    try:
        run = load_run(file)
        plan = make_plan(run.spec)
    except (RunError, PlanError) as error:
        raise CommandError(str(error)) from error
    try:
        require_fit(run.spec)
        refusal = None
    except PlanError as error:
        refusal = str(error)
    if as_json:
        click.echo(json.dumps(_as_data(plan, refusal), indent=2))
    else:
        _print(run, plan)
        if refusal is not None:
            click.echo(refusal, err=True)
    if refusal is not None:
        raise SystemExit(1)


def _as_data(plan: Plan, refusal: str | None) -> dict[str, Any]:
    return {
        "gpu": plan.gpu.name,
        "gpus": plan.gpus,
        "layout": plan.layout.value,
        "lines": [{"what": line.what, "bytes": round(line.bytes), "why": line.why} for line in plan.lines],
        "totalBytes": round(plan.total),
        "usableBytes": round(plan.usable),
        "tokensPerStep": plan.tokens_per_step,
        "trainSeconds": round(plan.train_seconds, 1),
        "rolloutSeconds": round(plan.rollout_seconds, 1),
        "stepSeconds": round(plan.step_seconds, 1),
        "fits": plan.fits,
        "refusal": refusal,
    }


def _print(run: MobileGymRun, plan: Plan) -> None:
    console = Console()
    table = Table(title=f"{run.name}: {plan.gpus} x {plan.gpu.name}, {plan.layout.value}", title_justify="left")
    table.add_column("a GPU holds")
    table.add_column("GB", justify="right")
    table.add_column("because", style="dim")
    for line in plan.lines:
        table.add_row(line.what, f"{line.bytes / GB:.1f}", line.why)
    table.add_section()
    room = f"of {plan.usable / GB:.1f} usable, {plan.gpu.memory / GB:.0f} in all"
    table.add_row("total", f"{plan.total / GB:.1f}", room)
    console.print(table)
    steps = run.spec.algorithm.total_steps
    train, sample = _minutes(plan.train_seconds), _minutes(plan.rollout_seconds)
    hours = plan.step_seconds * steps / 3600
    console.print(f"tokens a step  {plan.tokens_per_step / 1e6:.1f} M ({plan.tokens_per_row:,} an action)")
    console.print(f"time a step    {_minutes(plan.step_seconds)}: training {train}, sampling {sample}")
    console.print(f"{steps} steps      {hours:.0f} h, an estimate at {UTILISATION:.0%} of the GPU's peak")
    for product in plan.unknown_products:
        console.print(f"not known, left out of the plan: {product}", style="yellow")


def _minutes(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 120 else f"{seconds / 60:.1f} min"
