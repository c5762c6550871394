"""Where a run's first weights lie on this machine."""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path

from mobilegym.run.model import ModelSpec

POCKET_VARIABLE = "MOBILEGYM_POCKET"


class WeightsMissing(LookupError):
    """No folder with weights; the message says how to get one."""


def weights_folder(model: ModelSpec) -> Path:
    """`model.path`, else the pocket policy's own: MOBILEGYM_POCKET, or the one that ships. Raises WeightsMissing."""
    folder = Path(model.path) if model.path is not None else pocket_folder()
    if not any(folder.glob("*.safetensors")):
        how = "run `mobilegym pocket` to make it" if model.path is None else "set spec.model.path to a folder that does"
        raise WeightsMissing(f"{folder} holds no *.safetensors: {how}")
    return folder


def pocket_folder() -> Path:
    """Where the pocket policy is kept, whether it has been made or not."""
    chosen = os.environ.get(POCKET_VARIABLE)
    if chosen:
        return Path(chosen)
    package = importlib.util.find_spec("mobilegym.pocket")  # found, not imported: torch stays out
    if package is None or not package.submodule_search_locations:
        raise WeightsMissing(
            "the pocket policy is not part of this installation: set MOBILEGYM_POCKET or spec.model.path"
        )
    return Path(next(iter(package.submodule_search_locations))) / "weights"
