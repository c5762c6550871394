"""Requests and limits of a container: what the user gives, and what is computed for the rest."""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import Decimal
from math import ceil
from typing import Any

from mobilegym.run.pod import Resources

UNITS = {
    "": Decimal(1),
    "m": Decimal("0.001"),
    **{unit: Decimal(1000) ** power for power, unit in enumerate("kMGT", start=1)},
    **{f"{unit}i": Decimal(1024) ** power for power, unit in enumerate("KMGT", start=1)},
}
MEMORY, DISK = "memory", "ephemeral-storage"  # no limit for the CPU: it only throttles, and deadlines pass
FACTOR = 2  # a limit, in requests
GPU = "nvidia.com/gpu"


def amount(quantity: str) -> Decimal:
    """In cores or bytes. Raises ValueError."""
    found = re.fullmatch(r"(\d+(?:\.\d+)?)([a-zA-Z]*)", quantity)
    if found is None or found[2] not in UNITS:
        raise ValueError(f"{quantity!r} is no quantity: write for example 500m, 1.5Gi")
    return Decimal(found[1]) * UNITS[found[2]]


def resources(
    given: Resources, computed: Mapping[str, str], *, limited: tuple[str, ...] = (MEMORY,), gpus: int = 0
) -> dict[str, Any]:
    """As in a container. A computed request is never over a given limit, nor a computed limit under a request."""
    requests = {name: _at_most(value, given.limits.get(name)) for name, value in computed.items()} | given.requests
    limits = {name: _times(requests[name]) for name in limited if name in requests} | given.limits
    if gpus:
        requests.pop(GPU, None)
        limits[GPU] = str(gpus)
    return {"requests": requests, "limits": limits}


def mebibytes(number: int) -> str:
    return f"{number}Mi"


def _at_most(value: str, limit: str | None) -> str:
    return value if limit is None or amount(value) <= amount(limit) else limit


def _times(quantity: str) -> str:
    whole = re.fullmatch(r"(\d+)([a-zA-Z]*)", quantity)
    return f"{int(whole[1]) * FACTOR}{whole[2]}" if whole else str(ceil(amount(quantity) * FACTOR))
