"""How a command fails."""

import click


class CommandError(click.ClickException):
    """What was asked cannot be done as it stands: exit 2, the message says what to change."""

    exit_code = 2
