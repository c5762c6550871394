"""A release of the chart on a cluster."""

from __future__ import annotations

import base64
import json
from dataclasses import dataclass
from typing import Any

from tests.chart.chart import CHART
from tools.kube.cluster import Cluster

CRD = "mobilegymruns.mobilegym.io"
RESTRICTED = "pod-security.kubernetes.io/enforce=restricted"


@dataclass(frozen=True, kw_only=True)
class Release:
    """Other tests' definition on the same cluster is taken over: it is the same."""

    cluster: Cluster
    namespace: str
    name: str

    def install(self, *options: str) -> str:
        """What helm said, with the notes."""
        return self._helm("install", *options)

    def upgrade(self, *options: str) -> None:
        self._helm("upgrade", *options)

    def _helm(self, verb: str, *options: str) -> str:
        owned = ("--take-ownership", "--force-conflicts")
        return self.cluster.helm(verb, self.name, str(CHART), "--namespace", self.namespace, *owned, *options)

    def rollback(self, revision: int) -> None:
        self.cluster.helm("rollback", self.name, str(revision), "--namespace", self.namespace, "--force-conflicts")

    def uninstall(self) -> None:
        self.cluster.helm("uninstall", self.name, "--namespace", self.namespace)

    def get(self, kind: str, name: str = "", *options: str) -> Any:
        """An object, or a list's items."""
        names = (name,) if name else ()
        found = json.loads(self.cluster.kubectl("get", kind, *names, "-n", self.namespace, "-o", "json", *options))
        return found if name else found["items"]

    def there(self, kind: str, name: str) -> bool:
        what = ("get", kind, name, "-n", self.namespace, "--ignore-not-found", "-o", "name")
        return bool(self.cluster.kubectl(*what).strip())

    def secret(self) -> dict[str, str]:
        data = self.get("secret", f"{self.name}-redis")["data"]
        return {key: base64.b64decode(value).decode() for key, value in data.items()}
