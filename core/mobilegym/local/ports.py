"""Loopback ports."""

from __future__ import annotations

import asyncio
import socket
from contextlib import suppress

from mobilegym.local.errors import PortInUse

LOOPBACK = "127.0.0.1"


def free_port() -> int:
    """A port that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind((LOOPBACK, 0))
        port: int = probe.getsockname()[1]
        return port


def choose_port(wanted: int, knob: str) -> int:
    """`wanted`, or a free one for 0. Raises PortInUse."""
    if not wanted:
        return free_port()
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((LOOPBACK, wanted))
        except OSError as error:
            raise PortInUse(f"port {wanted} cannot be used ({error.strerror}): set {knob} to 0 or another") from error
    return wanted


async def listens(port: int) -> bool:
    try:
        _, writer = await asyncio.open_connection(LOOPBACK, port)
    except OSError:
        return False
    writer.close()
    with suppress(OSError):
        await writer.wait_closed()
    return True
