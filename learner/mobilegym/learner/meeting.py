"""Where ranks on one machine find each other: a file, so that no port is chosen now and taken by another meanwhile."""

from __future__ import annotations

from pathlib import Path

MEETING_FILE = "MOBILEGYM_RANKS_FILE"


def meeting_place(folder: Path, *, ranks: int) -> dict[str, str]:
    """The environment of ranks that meet in `folder`, which must be new.

    Address and port are there for DeepSpeed's own check of the environment; nobody listens on them.
    """
    return {
        MEETING_FILE: str(folder / "store"),
        "WORLD_SIZE": str(ranks),
        "MASTER_ADDR": "127.0.0.1",
        "MASTER_PORT": "0",
    }
