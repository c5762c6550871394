"""What a container's process is started with."""

from __future__ import annotations

import shutil
from dataclasses import dataclass, replace
from pathlib import Path

from tools.kube.api import Json
from tools.kube.credentials import mounted_token
from tools.kube.environment import base, expand, variables
from tools.kube.executor import ProgramError, Sandbox, Surroundings
from tools.kube.kubeconfig import write_kubeconfig
from tools.kube.objects import Objects
from tools.kube.paths import Paths, paths_of
from tools.kube.remains import MARK

TEMPORARY = "/tmp"
OURS = "mobilegym/"  # in the names of images


@dataclass(frozen=True, kw_only=True)
class Launch:
    command: list[str]
    environment: dict[str, str]
    folder: Path
    mark: str  # of the container's processes
    paths: Paths
    variables: dict[str, str]  # those that the pod sets

    def probe(self, command: list[str]) -> Launch:
        """A command beside the container's own; the API server is not asked again."""
        return replace(self, command=[self.paths.real(expand(word, self.variables)) for word in command])

    def program(self) -> str:
        """The command's program as a path. Raises ProgramError."""
        found = shutil.which(self.command[0], path=self.environment["PATH"]) if self.command else None
        if found is None:
            raise ProgramError(f"exec: {self.command[:1]}: executable file not found on this machine's PATH")
        return found


async def launch_of(
    sandbox: Sandbox, container: Json, default: tuple[str, ...], folder: Path, around: Surroundings
) -> Launch:
    """`default`: the image's command; `folder`: the pod's own. Raises StartError."""
    paths = paths_of(container, sandbox.volumes)
    own = await variables(sandbox, container, Objects(around.api))

    async def rewritten(text: str) -> str:
        return paths.real(await around.services.resolve(expand(text, own)))

    words = container.get("command", []) + container.get("args", []) or list(default)
    mark = f"{sandbox.pod['metadata']['uid']}/{container['name']}"
    environment = base(ours=OURS in container["image"]) | {"HOSTNAME": sandbox.pod["metadata"]["name"], MARK: mark}
    if TEMPORARY in paths.mounts:
        environment["TMPDIR"] = paths.mounts[TEMPORARY]
    if (token := mounted_token(paths.mounts)) is not None:
        kubeconfig = folder / f"{container['name']}.kubeconfig"
        namespace = sandbox.pod["metadata"]["namespace"]
        write_kubeconfig(kubeconfig, server=around.url, authority=around.authority, token=token, namespace=namespace)
        environment["KUBECONFIG"] = str(kubeconfig)
    environment |= {name: paths.real(await around.services.resolve(value)) for name, value in own.items()}
    work = container.get("workingDir")
    return Launch(
        command=[await rewritten(word) for word in words],
        environment=environment,
        folder=Path(paths.real(work)) if work and paths.real(work) != work else folder,
        mark=mark,
        paths=paths,
        variables=own,
    )
