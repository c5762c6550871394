"""The ledger: which episodes each step trained on, and which will never be, with the reason."""

from __future__ import annotations

import os
from pathlib import Path

import msgspec


class LedgerLine(msgspec.Struct, frozen=True, kw_only=True):
    """Written when a step's update is done, before anything else learns of it."""

    step: int  # learner steps taken, this one included; an evaluation has the version it was of
    kind: str = "step"  # step | eval | end
    trained: tuple[str, ...] = ()  # for an evaluation: scored
    discarded: dict[str, str] = {}


_decoder = msgspec.json.Decoder(LedgerLine)


class Ledger:
    """A JSON-lines file; every append is on disk before it returns. A torn last line is dropped on opening."""

    def __init__(self, path: Path) -> None:
        self.path = path
        path.parent.mkdir(parents=True, exist_ok=True)
        self.lines = read_lines(path)

    def append(self, line: LedgerLine) -> None:
        self.lines.append(line)
        with self.path.open("ab") as file:
            file.write(msgspec.json.encode(line) + b"\n")
            file.flush()
            os.fsync(file.fileno())

    def restore(self, lines: list[LedgerLine]) -> None:
        """Goes back to what a checkpoint holds; later steps will be taken again, on the same trajectories."""
        aside = self.path.with_suffix(".tmp")
        with aside.open("wb") as file:
            file.writelines(msgspec.json.encode(line) + b"\n" for line in lines)
            file.flush()
            os.fsync(file.fileno())
        aside.rename(self.path)
        self.lines = list(lines)

    @property
    def settled(self) -> frozenset[str]:
        """Ids trained, scored or discarded."""
        return frozenset(id for line in self.lines for id in (*line.trained, *line.discarded))


def read_lines(path: Path) -> list[LedgerLine]:
    if not path.exists():
        return []
    lines = []
    for raw in path.read_bytes().split(b"\n"):
        try:
            if raw:
                lines.append(_decoder.decode(raw))
        except msgspec.DecodeError:
            break
    return lines
