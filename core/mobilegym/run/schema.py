"""JSON Schema of the manifest."""

from __future__ import annotations

from typing import Any

from mobilegym.run.manifest import MobileGymRun


def run_schema() -> dict[str, Any]:
    """JSON Schema (2020-12) of a MobileGymRun, camelCase, with defaults and bounds."""
    return MobileGymRun.model_json_schema(by_alias=True)


def dump_run(run: MobileGymRun, *, exclude_defaults: bool = False) -> dict[str, Any]:
    """The manifest as plain data, as it would be written: camelCase, no absent fields."""
    return run.model_dump(mode="json", by_alias=True, exclude_none=True, exclude_defaults=exclude_defaults)
