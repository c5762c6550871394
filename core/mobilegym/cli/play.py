"""`mobilegym play`: a task by hand, in a browser."""

from __future__ import annotations

import socket
import webbrowser
from typing import Literal

import click
from aiohttp import web

from mobilegym.cli.errors import CommandError
from mobilegym.phone.build import PhoneBuild
from mobilegym.phone.errors import SetupError
from mobilegym.tasks.instance import Instance
from mobilegym.tasks.registry import UnknownTemplate
from mobilegym.worker.hand import application


@click.command("play")
@click.argument("template")
@click.option("--seed", default=0, show_default=True, type=click.IntRange(0))
@click.option("--locale", type=click.Choice(["en", "zh"]), default="en", show_default=True)
@click.option("--port", default=0, show_default=True, type=click.IntRange(0, 65535), help="0: any free one")
@click.option("--open/--no-open", "show", default=True, help="open the page in this machine's browser")
def command(template: str, seed: int, locale: Literal["en", "zh"], port: int, show: bool) -> None:
    """Serves the phone with TEMPLATE's goal beside it; the judge speaks when you say that you are done."""
    try:
        app = application(Instance.of(template, seed, locale), PhoneBuild.load())
    except (UnknownTemplate, SetupError) as error:
        raise CommandError(str(error)) from error
    server = socket.socket()
    server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        server.bind(("127.0.0.1", port))
    except OSError as error:
        server.close()
        raise CommandError(f"port {port} is in use: choose another with --port, or leave it out") from error
    url = f"http://127.0.0.1:{server.getsockname()[1]}/"
    click.echo(f"{template} is at {url} (Ctrl-C ends it)")
    if show:
        webbrowser.open(url)
    web.run_app(app, sock=server, print=None)
