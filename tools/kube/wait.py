"""Waiting for a condition, with a deadline."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

Value = TypeVar("Value")


def until(look: Callable[[], Value], what: str, *, seconds: float = 60.0, every: float = 0.1) -> Value:
    """The first true value that `look` returns. Raises TimeoutError, which says what was waited for and seen last."""
    deadline = time.monotonic() + seconds
    while not (value := look()):
        if time.monotonic() > deadline:
            raise TimeoutError(f"waited {seconds:g} s for {what}; seen last: {value!r}")
        time.sleep(every)
    return value
