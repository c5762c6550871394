"""`mobilegym tasks`: what there is to train and test on."""

from __future__ import annotations

import dataclasses
import json
from typing import Any

import click
import msgspec
from rich.console import Console
from rich.table import Table

from mobilegym.cli.errors import CommandError
from mobilegym.judge.answers import describe
from mobilegym.tasks.instance import Instance, card, catalogue
from mobilegym.tasks.registry import UnknownTemplate
from mobilegym.tasks.template import Unsuitable
from mobilegym.world.dates import Locale


@click.group("tasks")
def command() -> None:
    """List task templates, or show one as an agent would meet it."""


@command.command("list")
@click.option("--app", help="Only templates that use this app.")
@click.option("--split", type=click.Choice(["train", "test"]), help="Only this split.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def list_tasks(app: str | None, split: str | None, as_json: bool) -> None:
    """All templates with measured level and step budget."""
    cards = [c for c in catalogue() if (app is None or app in c.apps) and split in (None, c.split)]
    if as_json:
        click.echo(json.dumps([msgspec.to_builtins(c) for c in cards], indent=2))
        return
    table = Table(title=f"{len(cards)} templates", title_justify="left")
    for column in ("template", "apps", "split"):
        table.add_column(column, no_wrap=column == "template")
    table.add_column("level", justify="right")
    table.add_column("budget, steps", justify="right")
    for c in cards:
        table.add_row(c.id, " ".join(c.apps), c.split, f"L{c.level}", str(c.budget))
    Console().print(table)


@command.command("show")
@click.argument("template")
@click.option("--seed", default=0, show_default=True, help="Seed of the world and the parameters.")
@click.option("--locale", type=click.Choice(["en", "zh"]), default="en", show_default=True)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def show(template: str, seed: int, locale: Locale, as_json: bool) -> None:
    """One instance: its goal, parameters, conditions and budget."""
    try:
        instance = Instance.of(template, seed, locale)
        about = _about(instance)
    except (UnknownTemplate, Unsuitable) as error:
        raise CommandError(str(error)) from error
    if as_json:
        click.echo(json.dumps(about, indent=2, ensure_ascii=False))
        return
    for name, value in about.items():
        text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        click.echo(f"{name:9} {text}")


def _about(instance: Instance) -> dict[str, Any]:
    template, params = instance.template, instance.params
    expected = template.answer(params)
    about = card(template)
    return {
        "template": about.id,
        "goal": instance.goal,
        "params": dataclasses.asdict(params),
        "goals": [goal.name for goal in template.goals(params)],
        "allowed": list(template.allowed(params)),
        "answer": describe(expected) if expected else None,
        "split": about.split,
        "level": about.level,
        "budget": about.budget,
        "world": instance.world.seed,
        "now": instance.world.now,
    }
