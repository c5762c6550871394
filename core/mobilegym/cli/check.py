"""`mobilegym check`: certifies task templates in the real phone."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.markup import escape
from rich.progress import Progress
from rich.table import Table

from mobilegym.cli.errors import CommandError
from mobilegym.phone.errors import SetupError
from mobilegym.phone.image import Format, Picture
from mobilegym.phone.pool import PhonePool, PoolOptions
from mobilegym.tasks import instance, registry
from mobilegym.tasks.certificate import Certificate, Extent, Property
from mobilegym.tasks.certify import certify
from mobilegym.world.dates import Locale

WIDE = 140  # columns of the table where no terminal says otherwise
LOCALES: tuple[Locale, ...] = ("en", "zh")


@click.command("check")
@click.argument("templates", nargs=-1)
@click.option("--seeds", default=5, show_default=True, help="Worlds to try in each language.")
@click.option("--locale", "locales", default="en,zh", show_default=True, help="Languages, separated by commas.")
@click.option("--phones", default=4, show_default=True, help="Phones that play at the same time.")
@click.option("--browsers", default=1, show_default=True, help="Browser processes; about one a core is best.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.option("--write-levels", is_flag=True, help="Store the oracle's steps, which set levels and budgets.")
def command(
    templates: tuple[str, ...], seeds: int, locales: str, phones: int, browsers: int, as_json: bool, write_levels: bool
) -> None:
    """Certify TEMPLATES (ids, or an app for all of its own; default: all): exit 1 where a property does not hold."""
    try:
        chosen = [registry.template(name) for name in _expand(templates)]
        certificates = asyncio.run(_certify(chosen, _extent(seeds, locales), phones, min(browsers, phones)))
    except (registry.UnknownTemplate, SetupError) as error:
        raise CommandError(str(error)) from error
    if write_levels:
        store_levels(certificates)
    click.echo(json.dumps([_as_data(c) for c in certificates], indent=2, ensure_ascii=False)) if as_json else _print(
        certificates
    )
    if not all(certificate.ok for certificate in certificates):
        raise SystemExit(1)


def _expand(names: Sequence[str]) -> list[str]:
    known = registry.templates()
    if not names:
        return list(known)
    return [found for name in names for found in ([t for t in known if t.startswith(f"{name}.")] or [name])]


def _extent(seeds: int, locales: str) -> Extent:
    wanted = [locale.strip() for locale in locales.split(",")]
    unknown = [locale for locale in wanted if locale not in LOCALES]
    if unknown or seeds < 1:
        raise CommandError(f"--seeds {seeds} --locale {locales}: give at least one seed, and of en, zh")
    return Extent({locale: range(seeds) for locale in LOCALES if locale in wanted})


async def _certify(templates: list[Any], extent: Extent, phones: int, browsers: int) -> list[Certificate]:
    options = PoolOptions(phones=phones, browsers=browsers, picture=Picture(format=Format.PNG))
    instances = len(templates) * sum(len(seeds) for seeds in extent.seeds.values())
    with Progress(console=Console(stderr=True), transient=True) as progress:
        bar = progress.add_task("instances", total=instances)
        async with PhonePool(options) as pool:
            return await certify(pool, templates, extent, lambda: progress.advance(bar))


def store_levels(certificates: Sequence[Certificate]) -> None:
    """Updates `levels.json` beside the templates; those not looked at, or not solved, keep what they had."""
    known = registry.templates()
    steps = {name: count for name, count in instance.measured().items() if name in known}
    steps |= {c.template: max(c.steps) for c in certificates if c.steps}
    path = Path(instance.__file__).with_name(instance.LEVELS)
    path.write_text(json.dumps(dict(sorted(steps.items())), indent=2) + "\n", encoding="utf-8")


def _as_data(certificate: Certificate) -> dict[str, Any]:
    return {
        "template": certificate.template,
        "ok": certificate.ok,
        "level": certificate.level,
        "budget": certificate.budget,
        "steps": certificate.steps,
        "properties": {prop.value: certificate.holds(prop) for prop in Property},
        "failures": [{"property": f.prop.value, "where": f.where, "reason": f.reason} for f in certificate.failures()],
    }


def _print(certificates: Sequence[Certificate]) -> None:
    console = Console()
    if not console.is_terminal:
        console.width = WIDE
    good = sum(certificate.ok for certificate in certificates)
    table = Table(title=f"{good} of {len(certificates)} templates certified", title_justify="left")
    table.add_column("template", no_wrap=True)
    for prop in Property:
        table.add_column(prop.value)
    table.add_column("level")
    table.add_column("oracle steps", justify="right")
    marks = {True: "ok", False: "[red]FAIL[/red]", None: "-"}
    for c in certificates:
        steps = f"{min(c.steps)}-{max(c.steps)}" if c.steps else "-"
        table.add_row(c.template, *(marks[c.holds(p)] for p in Property), f"L{c.level}" if c.steps else "-", steps)
    console.print(table)
    for certificate in certificates:
        for failure in certificate.failures():
            said = f"{certificate.template}: {failure.prop.value}: {failure.where}: {failure.reason}"
            console.print(escape(said), style="red", soft_wrap=True, highlight=False)
