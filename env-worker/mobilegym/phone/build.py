"""The phone's build: the folder that `make phone` leaves, read into memory once."""

from __future__ import annotations

import functools
import json
import os
from dataclasses import dataclass
from pathlib import Path

from mobilegym.phone.errors import MissingPhoneBuild
from mobilegym.phone.schema import StateSchema


@dataclass(frozen=True)
class PhoneBuild:
    """Files by their path below the folder, the bundle's content hash, and the schema of its state."""

    root: Path
    hash: str
    files: dict[str, bytes]
    schema: StateSchema

    @classmethod
    def load(cls, root: Path | None = None) -> PhoneBuild:
        """Reads the build in `root`, else MOBILEGYM_PHONE_BUILD, else apps/dist. Raises MissingPhoneBuild."""
        chosen = root or _default_root()
        try:
            info = json.loads((chosen / "build.json").read_text())
            schema = json.loads((chosen / "schema.json").read_text())
        except FileNotFoundError:
            raise MissingPhoneBuild(str(chosen)) from None
        return _read(chosen.resolve(), info["hash"], json.dumps(schema))


@functools.lru_cache(maxsize=4)
def _read(root: Path, build_hash: str, schema: str) -> PhoneBuild:
    files = {str(path.relative_to(root)): path.read_bytes() for path in sorted(root.rglob("*")) if path.is_file()}
    return PhoneBuild(root=root, hash=build_hash, files=files, schema=StateSchema(schema))


def _default_root() -> Path:
    chosen = os.environ.get("MOBILEGYM_PHONE_BUILD")
    if chosen:
        return Path(chosen)
    for folder in Path(__file__).resolve().parents:
        if (folder / "apps" / "dist" / "build.json").is_file():
            return folder / "apps" / "dist"
    return Path("apps/dist")
