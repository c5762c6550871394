"""The default StorageClass: each claim gets a folder, removed with its volume."""

from __future__ import annotations

import asyncio
import logging
import shutil
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path

import aiohttp
from tools.kube.api import Api, ApiError, Json
from tools.kube.follow import Change, Changed, Listed, follow

log = logging.getLogger(__name__)
Handler = Callable[[Json], Awaitable[None]]

CLASS = "standard"
PROVISIONER = "mobilegym.io/folder"
CLASSES = "/apis/storage.k8s.io/v1/storageclasses"
CLAIMS = "/api/v1/persistentvolumeclaims"
VOLUMES = "/api/v1/persistentvolumes"
PROVISIONED_BY = "pv.kubernetes.io/provisioned-by"  # with it, the controller leaves the volume's deletion to us


class Provisioner:
    """Volumes are folders below `folder`."""

    def __init__(self, api: Api, folder: Path) -> None:
        self._api, self._folder = api, folder

    async def register(self) -> None:
        with suppress(ApiError):  # there already
            await self._api.post(CLASSES, storage_class())

    async def run(self) -> None:
        async with asyncio.TaskGroup() as group:
            group.create_task(self._follow(CLAIMS, self._provide))
            group.create_task(self._follow(VOLUMES, self._reclaim))

    async def _follow(self, path: str, handle: Handler) -> None:
        async for event in follow(self._api, path):
            items = event.items if isinstance(event, Listed) else [event.item]
            if isinstance(event, Changed) and event.change is Change.DELETED:
                continue
            for item in items:
                try:
                    await handle(item)
                except (ApiError, aiohttp.ClientError, OSError) as error:
                    log.warning("%s %s: %s", path, item["metadata"]["name"], error)

    async def _provide(self, claim: Json) -> None:
        spec, meta = claim["spec"], claim["metadata"]
        if spec.get("storageClassName") != CLASS or "volumeName" in spec or "deletionTimestamp" in meta:
            return
        name = f"pvc-{meta['uid']}"
        path = self._folder / name
        path.mkdir(parents=True, exist_ok=True)
        with suppress(ApiError):  # made by an earlier event
            await self._api.post(VOLUMES, persistent_volume(name, path, claim))

    async def _reclaim(self, volume: Json) -> None:
        meta = volume["metadata"]
        ours = meta.get("annotations", {}).get(PROVISIONED_BY) == PROVISIONER
        if not ours or volume.get("status", {}).get("phase") != "Released":
            return
        await asyncio.to_thread(shutil.rmtree, volume["spec"]["hostPath"]["path"], ignore_errors=True)
        try:
            await self._api.delete(f"{VOLUMES}/{meta['name']}")
        except ApiError as error:
            if not error.not_found:  # gone by an earlier event
                raise


def storage_class() -> Json:
    metadata = {"name": CLASS, "annotations": {"storageclass.kubernetes.io/is-default-class": "true"}}
    return {
        "apiVersion": "storage.k8s.io/v1",
        "kind": "StorageClass",
        "metadata": metadata,
        "provisioner": PROVISIONER,
        "reclaimPolicy": "Delete",
        "volumeBindingMode": "Immediate",
    }


def persistent_volume(name: str, path: Path, claim: Json) -> Json:
    meta, spec = claim["metadata"], claim["spec"]
    owner = {"kind": "PersistentVolumeClaim", "apiVersion": "v1"}
    return {
        "apiVersion": "v1",
        "kind": "PersistentVolume",
        "metadata": {"name": name, "annotations": {PROVISIONED_BY: PROVISIONER}},
        "spec": {
            "capacity": {"storage": spec["resources"]["requests"]["storage"]},
            "accessModes": spec["accessModes"],
            "persistentVolumeReclaimPolicy": "Delete",
            "storageClassName": CLASS,
            "volumeMode": "Filesystem",
            "hostPath": {"path": str(path), "type": "DirectoryOrCreate"},
            "claimRef": owner | {name: meta[name] for name in ("namespace", "name", "uid")},
        },
    }
