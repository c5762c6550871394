"""What is seen of a phone after a step."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import orjson

from mobilegym.phone.image import Format


@dataclass(frozen=True, kw_only=True)
class Observation:
    """`tree` and `state` are documents as typed in apps/kernel/types.ts; None where not asked for."""

    image: bytes  # empty where not asked for
    format: Format
    size: tuple[int, int]  # width, height of the image in pixels
    step: int  # gestures made since the reset
    tree: dict[str, Any] | None = None
    state: dict[str, Any] | None = None


@dataclass(frozen=True)
class Snapshot:
    """A phone's whole state, to be restored on any phone of the same build. The event log is not part of it."""

    json: str

    @property
    def state(self) -> dict[str, Any]:
        document: dict[str, Any] = orjson.loads(self.json)
        return document
