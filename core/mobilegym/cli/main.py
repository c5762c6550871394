"""`mobilegym`: the commands, each imported only when it is called."""

from __future__ import annotations

import importlib
import sys

import click

from mobilegym.cli.errors import CommandError

COMMANDS = {
    "run": "Run a manifest on this machine.",
    "plan": "Show what a run needs of its GPUs.",
    "check": "Certify task templates in the real phone.",
    "tasks": "List task templates.",
    "play": "Open a phone in a browser and use it by hand.",
    "eval": "Score a model on held-out tasks.",
    "view": "Look at a run and its episodes.",
    "pocket": "Build and warm the pocket policy.",
    "bench": "Measure phones, streams and learner on this machine.",
}


class Commands(click.Group):
    """Lists all commands without importing any."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module = f"mobilegym.cli.{cmd_name}"
        try:
            loaded = importlib.import_module(module)
        except ModuleNotFoundError as error:
            if error.name == module:
                raise CommandError(f"`{cmd_name}` is not part of this installation") from error
            if (error.name or "").startswith("mobilegym"):
                raise
            hint = "install mobilegym with its extras: pip install 'mobilegym[worker,learner]'"
            raise CommandError(f"`{cmd_name}` needs the module {error.name}: {hint}") from error
        command = loaded.command
        assert isinstance(command, click.Command), f"{module}.command is no click command"
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="mobilegym")
def main() -> None:
    """Train and measure agents that operate a phone by looking at its screen."""


if __name__ == "__main__":
    sys.exit(main())
