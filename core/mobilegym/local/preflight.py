"""What is looked at before anything starts, so that a run fails in its first second and not in its tenth minute."""

from __future__ import annotations

from pathlib import Path

from mobilegym.local.errors import LocalError, MissingProgram
from mobilegym.local.folder import RunFolder, space_needed
from mobilegym.run.manifest import MobileGymRun
from mobilegym.run.plan import PlanError, require_fit
from mobilegym.run.weights import WeightsMissing, weights_folder


def preflight(run: MobileGymRun, folder: RunFolder) -> Path:
    """The folder of the first weights. Raises LocalError."""
    if run.spec.suspend:
        raise LocalError("spec.suspend is true: set it to false to run")
    _require_phone()
    try:
        if run.spec.learner.gpus:
            require_fit(run.spec)
        model = weights_folder(run.spec.model)
    except (PlanError, WeightsMissing) as error:
        raise LocalError(str(error)) from error
    folder.require_space(space_needed(run, sum(file.stat().st_size for file in model.glob("*.safetensors"))))
    return model


def _require_phone() -> None:
    """A browser and the phone's build."""
    try:
        from mobilegym.phone.build import PhoneBuild
        from mobilegym.phone.chromium import find_chromium
        from mobilegym.phone.errors import SetupError
    except ModuleNotFoundError as error:
        raise MissingProgram(f"{error.name} is missing: pip install 'mobilegym[worker,learner]'") from error
    try:
        find_chromium()
        PhoneBuild.load()
    except SetupError as error:
        raise MissingProgram(str(error)) from error
