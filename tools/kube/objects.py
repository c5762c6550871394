"""ConfigMaps and Secrets that pods refer to."""

from __future__ import annotations

import base64

from tools.kube.api import Api, ApiError, Json
from tools.kube.executor import Sandbox, StartError

COLLECTIONS = {"configMap": "configmaps", "secret": "secrets"}


class Objects:
    def __init__(self, api: Api) -> None:
        self._api = api

    async def files(self, kind: str, namespace: str, name: str, *, optional: bool = False) -> dict[str, bytes]:
        """The data by key. Raises StartError when it is not there and not optional."""
        try:
            found = await self._api.get(f"/api/v1/namespaces/{namespace}/{COLLECTIONS[kind]}/{name}")
        except ApiError as error:
            if error.not_found and optional:
                return {}
            raise StartError("CreateContainerConfigError", str(error)) from error
        return _data(kind, found)

    async def texts(self, kind: str, sandbox: Sandbox, reference: Json) -> dict[str, str]:
        optional = reference.get("optional", False)
        found = await self.files(kind, sandbox.pod["metadata"]["namespace"], reference["name"], optional=optional)
        return {key: value.decode() for key, value in found.items()}


def _data(kind: str, found: Json) -> dict[str, bytes]:
    data, binary = found.get("data") or {}, found.get("binaryData") or {}
    if kind == "secret":
        return {key: base64.b64decode(value) for key, value in data.items()}
    return {key: value.encode() for key, value in data.items()} | {
        key: base64.b64decode(value) for key, value in binary.items()
    }
