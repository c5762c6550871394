"""A volume of a pod and where it is mounted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from mobilegym.operator import names


@dataclass(frozen=True, kw_only=True)
class Volume:
    """`source` as in a pod's `volumes`, by kind of source."""

    name: str
    path: str
    source: Mapping[str, Any]
    read_only: bool = False
    folder: str | None = None  # inside the volume

    @property
    def entry(self) -> dict[str, Any]:
        return {"name": self.name, **self.source}

    @property
    def mount(self) -> dict[str, Any]:
        found: dict[str, Any] = {"name": self.name, "mountPath": self.path}
        if self.read_only:
            found["readOnly"] = True
        if self.folder is not None:
            found["subPath"] = self.folder
        return found


def scratch(name: str, path: str) -> Volume:
    """Empty at first, on the node's disk."""
    return Volume(name=name, path=path, source={"emptyDir": {}})


def shared_memory(size: str) -> Volume:
    """The runtime's own /dev/shm has 64 MiB. It counts as the container's memory."""
    return Volume(name="shm", path="/dev/shm", source={"emptyDir": {"medium": "Memory", "sizeLimit": size}})


def claimed(name: str, path: str, claim: str, *, read_only: bool = False, folder: str | None = None) -> Volume:
    source: dict[str, Any] = {"claimName": claim} | ({"readOnly": True} if read_only else {})
    return Volume(name=name, path=path, source={"persistentVolumeClaim": source}, read_only=read_only, folder=folder)


def run_file(run: str) -> Volume:
    source = {"configMap": {"name": names.config_name(run)}}
    return Volume(name="run-file", path=names.CONFIG_PATH, source=source, read_only=True)
