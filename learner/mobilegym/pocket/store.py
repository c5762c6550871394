"""Screens on disk: one file of length-prefixed MessagePack records, written whole or not at all."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec

from mobilegym.pocket.collect import Moment


def write_moments(moments: Sequence[Moment], file: Path) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    part = file.with_suffix(".part")
    with part.open("wb") as out:
        for moment in moments:
            data = msgspec.msgpack.encode(moment)
            out.write(len(data).to_bytes(4, "big") + data)
    part.rename(file)


def read_moments(file: Path) -> list[Moment]:
    data = file.read_bytes()
    decoder = msgspec.msgpack.Decoder(Moment)
    found: list[Moment] = []
    at = 0
    while at < len(data):
        size = int.from_bytes(data[at : at + 4], "big")
        found.append(decoder.decode(data[at + 4 : at + 4 + size]))
        at += 4 + size
    return found
