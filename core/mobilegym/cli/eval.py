"""`mobilegym eval`: scores an agent over a split."""

from __future__ import annotations

import asyncio
import contextlib
import fnmatch
import json
import os
import sys
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any, Literal

import click
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from mobilegym.cli.errors import CommandError
from mobilegym.dialects import dialect as dialect_named
from mobilegym.phone.browser import BrowserOptions
from mobilegym.phone.errors import SetupError
from mobilegym.phone.image import Picture
from mobilegym.phone.pool import PhonePool, PoolOptions
from mobilegym.protocol.messages import Sampling
from mobilegym.tasks import registry
from mobilegym.tasks.instance import Instance
from mobilegym.worker.agent import Agent
from mobilegym.worker.engine_client import EngineClient, EngineError
from mobilegym.worker.evaluate import Result, Score, by_group, evaluate, result_of, score
from mobilegym.worker.model import ModelAgent
from mobilegym.worker.rollout import Limits
from mobilegym.worker.screen import picture_for
from mobilegym.worker.scripted import PROGRAMS, scripted

HELD_OUT = 10_000_000  # evaluation seeds start here: training draws below


@click.command("eval")
@click.option("--agent", type=click.Choice([*PROGRAMS, "openai"]), default="openai", show_default=True)
@click.option("--split", type=click.Choice(["train", "test", "all"]), default="all", show_default=True)
@click.option("--include", multiple=True, default=("*",), help="template ids, as shell globs; may be repeated")
@click.option("--seeds", default=1, show_default=True, type=click.IntRange(1), help="instances of each template")
@click.option("--first-seed", default=HELD_OUT, show_default=True, type=click.IntRange(0))
@click.option("--locale", type=click.Choice(["en", "zh"]), default="en", show_default=True)
@click.option("--phones", default=8, show_default=True, type=click.IntRange(1))
@click.option("--browsers", default=None, type=click.IntRange(1), help="default: one a CPU core")
@click.option("--steps", default=None, type=click.IntRange(1), help="cap on steps besides each template's budget")
@click.option("--url", help="with --agent openai: the endpoint, http://host:port")
@click.option("--model", default="policy", show_default=True, help="model name to ask the endpoint for")
@click.option("--dialect", default="qwen3-vl", show_default=True, help="how the model writes actions")
@click.option("--image-scale", default=1.0, show_default=True, help="image pixels per CSS pixel")
@click.option("--temperature", default=0.0, show_default=True, type=click.FloatRange(0))
@click.option("--max-tokens", default=512, show_default=True, type=click.IntRange(1))
@click.option("--api-key-env", default="OPENAI_API_KEY", show_default=True, help="variable that holds the key")
@click.option("--out", type=click.Path(path_type=Path), help="writes one JSON line an episode")
@click.option("--json", "as_json", is_flag=True, help="prints the scores as JSON")
def command(**options: Any) -> None:
    """Plays every template of a split and prints success, progress, false completes and side effects."""
    if options["agent"] == "openai" and not options["url"]:
        raise CommandError("--agent openai needs --url http://host:port of an OpenAI-compatible endpoint")
    instances = chosen(options)
    try:
        results = asyncio.run(run(options, instances))
    except SetupError as error:
        raise CommandError(str(error)) from error
    except EngineError as error:
        raise CommandError(f"the endpoint cannot be used: {error}") from error
    show(results, as_json=options["as_json"])


def chosen(options: dict[str, Any]) -> list[Instance]:
    """Raises CommandError where nothing matches."""
    locale: Literal["en", "zh"] = options["locale"]
    ids = [
        t.id
        for t in registry.templates().values()
        if options["split"] in ("all", t.split) and any(fnmatch.fnmatch(t.id, glob) for glob in options["include"])
    ]
    if not ids:
        known = ", ".join(options["include"])
        raise CommandError(f"no template of split {options['split']} matches {known}; see `mobilegym tasks list`")
    first = options["first_seed"]
    return [Instance.of(name, first + n, locale) for n in range(options["seeds"]) for name in ids]


async def run(options: dict[str, Any], instances: list[Instance]) -> list[Result]:
    async with contextlib.AsyncExitStack() as stack:
        agent_for, picture, device_scale = await agents(options, stack)
        phones = min(options["phones"], len(instances))
        pool_options = PoolOptions(
            phones=phones,
            browsers=min(phones, options["browsers"] or os.cpu_count() or 1),
            browser=BrowserOptions(device_scale=device_scale),
            picture=picture,
        )
        pool = await stack.enter_async_context(PhonePool(pool_options))
        out = stack.enter_context(options["out"].open("w", encoding="utf-8")) if options["out"] else None
        progress = stack.enter_context(Progress(console=Console(file=sys.stderr), transient=True))
        bar = progress.add_task("episodes", total=len(instances))
        results = []
        async for played in evaluate(pool, instances, agent_for, Limits(steps=options["steps"])):
            results.append(result_of(played))
            progress.advance(bar)
            if out is not None:
                print(json.dumps(asdict(results[-1]), ensure_ascii=False), file=out, flush=True)
        return results


async def agents(
    options: dict[str, Any], stack: contextlib.AsyncExitStack
) -> tuple[Callable[[Instance], Agent], Picture, float]:
    """Who plays, and what they look at. Raises EngineError where the endpoint does not answer."""
    name = options["agent"]
    if name != "openai":
        return (lambda instance: scripted(name, instance)), Picture(), 1.0
    try:
        speech = dialect_named(options["dialect"])
        picture, device_scale = picture_for(options["dialect"], options["image_scale"])
    except (LookupError, ValueError) as error:
        raise CommandError(str(error)) from error
    key = os.environ.get(options["api_key_env"], "")
    client = await stack.enter_async_context(
        EngineClient(options["url"], options["model"], token_ids=False, api_key=key)
    )
    await client.wait_ready(10.0, "/v1/models")
    sampling = Sampling(temperature=options["temperature"], max_tokens=options["max_tokens"])
    return (lambda instance: ModelAgent(client, speech, sampling, instance.seed)), picture, device_scale


def show(results: list[Result], *, as_json: bool) -> None:
    scores = {
        "all": [score("all", results)],
        "level": by_group(results, lambda r: (f"L{r.level}",)),
        "app": by_group(results, lambda r: r.apps),
        "template": by_group(results, lambda r: (r.template,)),
    }
    if as_json:
        click.echo(json.dumps({group: [asdict(s) for s in rows] for group, rows in scores.items()}, indent=1))
        return
    table = Table(title="scores (success with its 95 % interval)")
    for title in ("", "n", "success", "95 %", "progress", "false complete", "side effects", "steps", "not scored"):
        table.add_column(title, justify="left" if title == "" else "right", no_wrap=True)
    for rows in scores.values():
        for line in rows:
            table.add_row(*cells(line))
        table.add_section()
    Console().print(table)


def cells(s: Score) -> tuple[str, ...]:
    shares = (f"{s.success:.1%}", f"{s.low:.1%}-{s.high:.1%}", f"{s.progress:.1%}")
    return (
        s.name,
        str(s.n),
        *shares,
        f"{s.false_complete:.1%}",
        f"{s.side_effects:.1%}",
        f"{s.steps:.1f}",
        str(s.failed),
    )
