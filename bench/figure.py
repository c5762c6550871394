"""A measured figure: what `bench/results.json` holds and the table shows."""

from __future__ import annotations

import json
import statistics
from collections.abc import Sequence
from dataclasses import asdict, dataclass


@dataclass(frozen=True, kw_only=True)
class Figure:
    """`low` and `high` are the range over `runs`, unless the note says otherwise."""

    name: str
    unit: str
    runs: int
    median: float
    low: float
    high: float
    note: str = ""

    @classmethod
    def of(cls, name: str, unit: str, values: Sequence[float], note: str = "") -> Figure:
        """Raises ValueError for no values."""
        if not values:
            raise ValueError(f"{name}: nothing was measured")
        median = statistics.median(values)
        return cls(name=name, unit=unit, runs=len(values), median=median, low=min(values), high=max(values), note=note)

    def say(self) -> None:
        """One JSON line on standard output, where `python -m bench` reads it."""
        print(json.dumps(asdict(self)), flush=True)
