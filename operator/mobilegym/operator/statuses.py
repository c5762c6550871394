"""Writing a run's status: only what differs, and not too often."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from mobilegym.operator.api import Api
from mobilegym.operator.runs import Run, Runs
from mobilegym.operator.store import Key

Status = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class _Written:
    at: float
    sent: Status
    kept: Status  # what the API server made of it


class Statuses:
    def __init__(self, api: Api, runs: Runs, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._api = api
        self._runs = runs
        self._seconds = seconds
        self._clock = clock
        self._written: dict[Key, _Written] = {}

    async def write(self, key: Key, run: Run, status: Status, *, now: bool = False) -> float | None:
        """Seconds to come again after where it must wait, else None. A changed phase, or `now`, does not wait."""
        wanted, known, last = without_none(status), run.get("status") or {}, self._written.get(key)
        if wanted == known or (last is not None and last.sent == wanted and last.kept == known):
            return None
        if last is not None and not now and wanted.get("phase") == known.get("phase"):
            left = last.at + self._seconds - self._clock()
            if left > 0:
                return left
        started = self._clock()
        answer = await self._api.apply_status(run, wanted)
        self._runs.put(answer)
        self._written[key] = _Written(started, wanted, answer.get("status") or {})
        return None

    def forget(self, key: Key) -> None:
        self._written.pop(key, None)


def without_none(value: Any) -> Any:
    """Absent and null are the same to the API server, which keeps only the first."""
    if isinstance(value, Mapping):
        return {key: without_none(inner) for key, inner in value.items() if inner is not None}
    if isinstance(value, list | tuple):
        return [without_none(inner) for inner in value]
    return value
