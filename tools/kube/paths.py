"""Paths inside a container, replaced by where its volumes really lie."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from tools.kube.api import Json


class Paths:
    """From mount paths to real paths. A mount below another one wins over it."""

    def __init__(self, mounts: Mapping[str, Path]) -> None:
        self._mounts = {path.rstrip("/"): str(real) for path, real in mounts.items() if path.rstrip("/")}
        longest = sorted(self._mounts, key=len, reverse=True)
        # Not in the middle of another path: /data in /var/data or /data2; but after file:// it begins one.
        before, after = r"(?:(?<![\w.\-/])|(?<=://))", r"(?![\w.\-])"
        every = "|".join(map(re.escape, longest))
        self._pattern = re.compile(f"{before}({every}){after}") if longest else None

    @property
    def mounts(self) -> dict[str, str]:
        return self._mounts

    def real(self, text: str) -> str:
        """The text with every path below a mount replaced."""
        if self._pattern is None:
            return text
        return self._pattern.sub(lambda found: self._mounts[found.group(1)], text)


def paths_of(container: Json, volumes: Mapping[str, Path]) -> Paths:
    return Paths({mount["mountPath"]: _where(mount, volumes) for mount in container.get("volumeMounts", ())})


def paths_of_all(containers: Iterable[Json], volumes: Mapping[str, Path]) -> Paths:
    """Of several containers together; the first that mounts at a path decides."""
    mounts: dict[str, Path] = {}
    for container in containers:
        for mount in container.get("volumeMounts", ()):
            mounts.setdefault(mount["mountPath"], _where(mount, volumes))
    return Paths(mounts)


def _where(mount: Json, volumes: Mapping[str, Path]) -> Path:
    below: str = mount.get("subPath", "")
    return volumes[mount["name"]] / below
