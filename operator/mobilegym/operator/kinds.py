"""The kinds of objects that the operator reads or writes, and where the API serves them."""

from __future__ import annotations

from dataclasses import dataclass

from mobilegym.operator import names


@dataclass(frozen=True, slots=True)
class Kind:
    kind: str
    api: str  # apiVersion
    plural: str

    def path(self, namespace: str | None = None, name: str | None = None, sub: str | None = None) -> str:
        """Of the collection or one object. Without a namespace: of all of them, or of a kind that has none."""
        parts = ["api" if "/" not in self.api else "apis", self.api]
        parts += ["namespaces", namespace] if namespace else []
        parts += [part for part in (self.plural, name, sub) if part]
        return "/" + "/".join(parts)


RUN = Kind(names.KIND, f"{names.GROUP}/{names.VERSION}", names.PLURAL)
POD = Kind("Pod", "v1", "pods")
CONFIG_MAP = Kind("ConfigMap", "v1", "configmaps")
SECRET = Kind("Secret", "v1", "secrets")
SERVICE = Kind("Service", "v1", "services")
ACCOUNT = Kind("ServiceAccount", "v1", "serviceaccounts")
CLAIM = Kind("PersistentVolumeClaim", "v1", "persistentvolumeclaims")
BUDGET = Kind("PodDisruptionBudget", "policy/v1", "poddisruptionbudgets")
POLICY = Kind("NetworkPolicy", "networking.k8s.io/v1", "networkpolicies")
MONITOR = Kind("PodMonitor", "monitoring.coreos.com/v1", "podmonitors")
LEASE = Kind("Lease", "coordination.k8s.io/v1", "leases")
EVENT = Kind("Event", "v1", "events")
CRD = Kind("CustomResourceDefinition", "apiextensions.k8s.io/v1", "customresourcedefinitions")

WATCHED = (
    POD,
    CONFIG_MAP,
    SERVICE,
    ACCOUNT,
    CLAIM,
    BUDGET,
    POLICY,
)  # not Secrets, which it may not list, nor what some clusters lack
_BY_NAME = {kind.kind: kind for kind in (RUN, *WATCHED, SECRET, MONITOR)}


def kind_of(name: str) -> Kind:
    """Raises KeyError for a kind that the operator has no business with."""
    return _BY_NAME[name]
