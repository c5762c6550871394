"""Objects of a cluster, read without starting a client each time."""

from __future__ import annotations

import json
import ssl
import urllib.error
import urllib.request
from typing import Any

from tools.kube.controlplane import ControlPlane

Json = dict[str, Any]


class Reader:
    """Blocking; an API server that is away raises OSError."""

    def __init__(self, plane: ControlPlane) -> None:
        self._url, self._token = plane.url, plane.token
        self._context = ssl.create_default_context(cadata=plane.authority.decode())

    def get(self, path: str) -> Json:
        """The object, or {} when it is not there."""
        request = urllib.request.Request(self._url + path, headers={"Authorization": f"Bearer {self._token}"})
        try:
            with urllib.request.urlopen(request, context=self._context, timeout=30) as answer:
                found: Json = json.loads(answer.read())
                return found
        except urllib.error.HTTPError as error:
            with error:
                if error.code != 404:
                    raise
                return {}
