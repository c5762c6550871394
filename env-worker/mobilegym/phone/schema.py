"""The schema of a PhoneState, compiled once: what a phone refuses to be reset to, by path and reason."""

from __future__ import annotations

from typing import Any

import jsonschema_rs

from mobilegym.phone.errors import BadState

REASON_CHARS = 300  # a reason quotes the offending value, which may be a whole app


class StateSchema:
    """JSON Schema of the state (generated from the TypeScript types). About 1 ms for 200 KB of state."""

    def __init__(self, schema: str) -> None:
        self._validator = jsonschema_rs.validator_for(schema)

    def check(self, state: dict[str, Any]) -> None:
        """Raises BadState for the first thing that does not fit."""
        if self._validator.is_valid(state):
            return
        error = next(iter(self._validator.iter_errors(state)))
        raise BadState(_pointer(error.instance_path), _short(error.message))


def _pointer(path: list[str | int]) -> str:
    return "".join(f"/{str(part).replace('~', '~0').replace('/', '~1')}" for part in path) or "/"


def _short(reason: str) -> str:
    return (
        reason if len(reason) <= REASON_CHARS else f"{reason[: REASON_CHARS // 2]} ... {reason[-REASON_CHARS // 2 :]}"
    )
