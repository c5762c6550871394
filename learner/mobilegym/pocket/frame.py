"""One stored screen: its picture, the words on it with their places, the tree and the state behind it."""

from __future__ import annotations

import json
import zlib
from typing import Any

import msgspec

from mobilegym.pocket.model import CANVAS, OFFSET

SCREEN = (360, 800)  # CSS px
TOKEN = 32  # px of the canvas on a visual token's side
COLUMNS = CANVAS[0] // TOKEN


class Word(msgspec.Struct, frozen=True):
    """A word on the screen. `box` is x, y, width, height in CSS px; `tap` the point that hits its control."""

    text: str
    box: tuple[float, float, float, float]
    tap: tuple[float, float]

    @property
    def token(self) -> int:
        """Index of the visual token that holds the word's centre."""
        x, y, width, height = self.box
        return token_at(x + width / 2, y + height / 2)


class Frame(msgspec.Struct, frozen=True, kw_only=True):
    """`state` is zlib-compressed JSON of the PhoneState; `seed` the world's; `image` the encoded canvas."""

    image: bytes
    words: tuple[Word, ...]
    tree: dict[str, Any]
    state: bytes
    seed: int = 0

    def document(self) -> dict[str, Any]:
        state: dict[str, Any] = json.loads(zlib.decompress(self.state))
        return state


def token_at(x: float, y: float) -> int:
    """Index of the visual token under a point in CSS px."""
    column = min(COLUMNS - 1, max(0, int((x / 2 + OFFSET[0]) // TOKEN)))
    row = min(CANVAS[1] // TOKEN - 1, max(0, int((y / 2 + OFFSET[1]) // TOKEN)))
    return row * COLUMNS + column


def pack_state(state: dict[str, Any]) -> bytes:
    return zlib.compress(json.dumps(state, separators=(",", ":")).encode(), 1)
