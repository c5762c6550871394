"""All that a run consists of, but its pods."""

from __future__ import annotations

from mobilegym.operator.resources.account import account
from mobilegym.operator.resources.claim import claim
from mobilegym.operator.resources.config import config
from mobilegym.operator.resources.context import Context
from mobilegym.operator.resources.disruption import disruption
from mobilegym.operator.resources.engine import engine_service
from mobilegym.operator.resources.monitor import monitor
from mobilegym.operator.resources.network import network
from mobilegym.operator.resources.secret import secret
from mobilegym.operator.resources.stamp import Object


def children(context: Context) -> list[Object]:
    """In order of creation: what closes doors comes before what pods start with, and that before the pods."""
    made = [
        account(context),
        *network(context),
        config(context),
        secret(context),
        claim(context),
        engine_service(context),
        disruption(context),
        monitor(context),
    ]
    return [wanted for wanted in made if wanted is not None]
