"""A MobileGymRun as the API server gave it, read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from mobilegym.operator.facts import unix
from mobilegym.operator.status import Phase
from mobilegym.run.errors import RunError
from mobilegym.run.load import validate_run
from mobilegym.run.manifest import MobileGymRun, RunSpec

DROPPED = "kubectl.kubernetes.io/"  # annotations of kubectl's own, up to 256 KiB


@dataclass(frozen=True, kw_only=True)
class View:
    """`run` is None where the manifest is not valid; `problems` then says why."""

    name: str
    namespace: str
    uid: str
    generation: int
    created: float
    deleting: bool
    run: MobileGymRun | None
    problems: str
    status: Mapping[str, Any]  # as it was written last

    @property
    def spec(self) -> RunSpec:
        assert self.run is not None
        return self.run.spec

    @property
    def phase(self) -> Phase | None:
        found = self.status.get("phase")
        return Phase(found) if found else None

    def time(self, field: str) -> float | None:
        """A timestamp of the status, unix seconds."""
        return unix(self.status.get(field))

    @property
    def learner(self) -> Mapping[str, Any]:
        return self.status.get("learner") or {}


def view(obj: Mapping[str, Any]) -> View:
    meta = obj["metadata"]
    run, problems = read(obj)
    return View(
        name=meta["name"],
        namespace=meta["namespace"],
        uid=meta["uid"],
        generation=int(meta.get("generation", 1)),
        created=unix(meta["creationTimestamp"]) or 0.0,
        deleting="deletionTimestamp" in meta,
        run=run,
        problems=problems,
        status=obj.get("status") or {},
    )


def read(obj: Mapping[str, Any]) -> tuple[MobileGymRun | None, str]:
    """The manifest in it, or None and what is wrong with it."""
    meta = obj["metadata"]
    annotations = {k: v for k, v in (meta.get("annotations") or {}).items() if not k.startswith(DROPPED)}
    manifest = {
        "apiVersion": obj["apiVersion"],
        "kind": obj["kind"],
        "metadata": {
            "name": meta["name"],
            "namespace": meta["namespace"],
            "labels": dict(meta.get("labels") or {}),
            "annotations": annotations,
        },
        "spec": obj.get("spec") or {},
    }
    try:
        return validate_run(manifest, meta["name"]), ""
    except RunError as error:
        return None, "; ".join(f"{p.path}: {p.message}" if p.path else p.message for p in error.problems)
