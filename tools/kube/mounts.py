"""A pod's volumes as folders on this machine."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path

from tools.kube.api import Api, ApiError, Json
from tools.kube.credentials import request_token
from tools.kube.environment import field
from tools.kube.executor import Sandbox, StartError
from tools.kube.objects import Objects
from tools.kube.paths import Paths, paths_of_all
from tools.kube.services import Services

Files = dict[str, bytes]  # by path in the volume


class Mounts:
    """Text files of ConfigMaps and Secrets are written with Service names and mount paths replaced."""

    def __init__(self, api: Api, services: Services) -> None:
        self._api, self._services, self._objects = api, services, Objects(api)

    async def make(self, sandbox: Sandbox, folder: Path) -> None:
        """Fills `sandbox.volumes`. Raises StartError when a source is not there."""
        volumes = sandbox.pod["spec"].get("volumes", [])
        contents: dict[str, Files] = {}
        for volume in volumes:
            path = await self._place(sandbox, volume, folder / volume["name"])
            sandbox.volumes[volume["name"]] = path
            contents[volume["name"]] = await self._content(sandbox, volume)
        spec = sandbox.pod["spec"]
        paths = paths_of_all(spec["containers"] + spec.get("initContainers", []), sandbox.volumes)
        for name, files in contents.items():
            for inside, data in files.items():
                await _write(sandbox.volumes[name] / inside, await self._rewritten(data, paths))

    async def _place(self, sandbox: Sandbox, volume: Json, folder: Path) -> Path:
        if "hostPath" in volume:
            path = Path(volume["hostPath"]["path"])
        elif "persistentVolumeClaim" in volume:
            path = await self._claimed(sandbox, volume["persistentVolumeClaim"]["claimName"])
        else:
            path = folder
        await asyncio.to_thread(path.mkdir, parents=True, exist_ok=True)
        return path

    async def _claimed(self, sandbox: Sandbox, name: str) -> Path:
        namespace = sandbox.pod["metadata"]["namespace"]
        try:
            claim = await self._api.get(f"/api/v1/namespaces/{namespace}/persistentvolumeclaims/{name}")
            volume = await self._api.get(f"/api/v1/persistentvolumes/{claim['spec']['volumeName']}")
            return Path(volume["spec"]["hostPath"]["path"])
        except (ApiError, KeyError) as error:
            raise StartError("ContainerCreating", f"claim {name} has no folder of this machine yet: {error}") from error

    async def _content(self, sandbox: Sandbox, volume: Json) -> Files:
        known = {"emptyDir", "hostPath", "persistentVolumeClaim", "configMap", "secret", "projected", "downwardAPI"}
        kinds = volume.keys() - {"name"}
        if not kinds <= known:
            raise StartError("ContainerCreating", f"volume {volume['name']}: {', '.join(kinds)} is not emulated")
        sources = volume["projected"]["sources"] if "projected" in volume else [volume]
        files: Files = {}
        for source in sources:
            files |= await self._source(sandbox, source)
        return files

    async def _source(self, sandbox: Sandbox, source: Json) -> Files:
        namespace = sandbox.pod["metadata"]["namespace"]
        for kind in ("configMap", "secret"):
            if wanted := source.get(kind):
                name = wanted.get("name") or wanted["secretName"]
                try:
                    data = await self._objects.files(kind, namespace, name, optional=wanted.get("optional", False))
                except StartError as error:
                    raise StartError("ContainerCreating", str(error)) from error
                return _items(wanted, data)
        if "serviceAccountToken" in source:
            wanted = source["serviceAccountToken"]
            return {wanted["path"]: (await request_token(self._api, sandbox, wanted)).encode()}
        fields = source.get("downwardAPI", {}).get("items", ())
        return {one["path"]: field(sandbox, one["fieldRef"]["fieldPath"]).encode() for one in fields}

    async def _rewritten(self, data: bytes, paths: Paths) -> bytes:
        try:
            text = data.decode()
        except UnicodeDecodeError:
            return data
        return paths.real(await self._services.resolve(text)).encode()


def _items(wanted: Json, data: Mapping[str, bytes]) -> Files:
    """All keys, or those that `items` names, by their paths."""
    if "items" not in wanted:
        return dict(data)
    return {one["path"]: data[one["key"]] for one in wanted["items"] if one["key"] in data}


async def _write(path: Path, data: bytes) -> None:
    def write() -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch(mode=0o600)
        path.write_bytes(data)

    await asyncio.to_thread(write)
