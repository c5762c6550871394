"""What the operator may and must not do on a cluster, as docs/rbac.md shows it.

python -m tests.chart.rights    writes docs/rbac.md
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

DOCS = Path(__file__).resolve().parents[2] / "docs" / "rbac.md"
RUNS, OWN, CLUSTER = "namespaces of runs", "its own namespace", "cluster"


@dataclass(frozen=True, kw_only=True)
class Right:
    """`resource` is plural, with its subresource. `name`: of one object, else any."""

    may: bool
    verbs: str
    group: str = ""
    resource: str
    name: str = ""
    where: str = RUNS
    why: str

    @property
    def each(self) -> Iterator[str]:
        yield from self.verbs.split()


ALL = "get list watch create update patch delete deletecollection"
GYM, RBAC, EXTENSIONS = "mobilegym.io", "rbac.authorization.k8s.io", "apiextensions.k8s.io"
CRD = "mobilegymruns.mobilegym.io"


def may(verbs: str, resource: str, why: str, group: str = "", name: str = "", where: str = RUNS) -> Right:
    return Right(may=True, verbs=verbs, resource=resource, why=why, group=group, name=name, where=where)


def not_(verbs: str, resource: str, why: str, group: str = "", name: str = "", where: str = RUNS) -> Right:
    return Right(may=False, verbs=verbs, resource=resource, why=why, group=group, name=name, where=where)


RIGHTS = (
    may("get list watch", "mobilegymruns", "what is wanted", GYM),
    may("delete", "mobilegymruns", "ttlSecondsAfterFinished", GYM),
    may("get patch", "mobilegymruns/status", "what is so", GYM),
    may("get patch", "mobilegymruns/scale", "the autoscaler's one lever", GYM),
    not_("create update patch deletecollection", "mobilegymruns", "spec and metadata are the user's", GYM),
    not_("update", "mobilegymruns/status", "written by server-side apply only", GYM),
    may("get list watch create patch delete", "pods", "workers and learner"),
    not_("create get", "pods/exec", "numbers come from Redis, never from inside a pod"),
    not_("create get", "pods/attach", "likewise"),
    not_("create get", "pods/portforward", "likewise"),
    not_("get", "pods/log", "logs are for people"),
    not_("patch update", "pods/ephemeralcontainers", "no way into a running pod"),
    not_("create", "serviceaccounts/token", "it cannot become somebody else"),
    not_("deletecollection", "pods", "one by one, by uid"),
    may("get list watch create patch delete", "configmaps", "a run's manifest for its pods"),
    may("get list watch create patch delete", "services", "the policy engine's address"),
    may("get list watch create patch delete", "serviceaccounts", "pods of a run have one without rights"),
    may("get list watch create patch delete", "persistentvolumeclaims", "checkpoints"),
    may("get list watch create patch delete", "poddisruptionbudgets", "busy workers", "policy"),
    may("get list watch create patch delete", "networkpolicies", "what pods of a run reach", "networking.k8s.io"),
    may("get create patch", "secrets", "Redis URLs of a run, by name"),
    not_("list watch update delete deletecollection", "secrets", "it never sees what it does not know by name"),
    may("get create patch", "events", "what happened to a run"),
    not_("list watch delete", "events", "it reads none but its own"),
    may("create", "leases", "who of two operators writes", "coordination.k8s.io", where=OWN),
    may("get update", "leases", "likewise", "coordination.k8s.io", "mobilegym-operator", OWN),
    not_("get update patch delete", "leases", "not those of others", "coordination.k8s.io", "another", OWN),
    not_(ALL, "leases", "nor those elsewhere: a node's heartbeat is one", "coordination.k8s.io"),
    may("get", "customresourcedefinitions", "the schema's hash", EXTENSIONS, CRD, CLUSTER),
    not_("update patch delete", "customresourcedefinitions", "helm's task", EXTENSIONS, CRD, CLUSTER),
    not_("get list watch create", "customresourcedefinitions", "of no other", EXTENSIONS, where=CLUSTER),
    not_(ALL, "nodes", "the scheduler's task", where=CLUSTER),
    not_("get create", "nodes/proxy", "a way into every pod", where=CLUSTER),
    not_(ALL, "namespaces", "it takes them as they are", where=CLUSTER),
    not_(ALL, "persistentvolumes", "the provisioner's task", where=CLUSTER),
    not_(ALL, "deployments", "it owns pods directly", "apps"),
    not_(ALL, "jobs", "likewise", "batch"),
    not_(f"{ALL} escalate bind", "roles", "it cannot give itself more", RBAC),
    not_(ALL, "rolebindings", "likewise", RBAC),
    not_(f"{ALL} escalate bind", "clusterroles", "likewise", RBAC, where=CLUSTER),
    not_(ALL, "clusterrolebindings", "likewise", RBAC, where=CLUSTER),
    not_("impersonate", "serviceaccounts", "likewise"),
    not_("impersonate", "users", "likewise", where=CLUSTER),
    not_("create", "certificatesigningrequests", "likewise", "certificates.k8s.io", where=CLUSTER),
    not_(ALL, "mutatingwebhookconfigurations", "it has none", "admissionregistration.k8s.io", where=CLUSTER),
    not_(ALL, "podmonitors", "unless monitoring.podMonitors", "monitoring.coreos.com"),
)

HEAD = """# What the operator may do

The rights of the chart's service account `RELEASE-operator`; each line is asked of a real API server by
`tests/chart/test_rights.py`. With `watch.namespace` the lines of "namespaces of runs" hold in that one namespace only.
With `monitoring.podMonitors`, where the cluster serves them, it may also get, create, patch and delete `podmonitors`.

| | verbs | resource | where | why |
|---|---|---|---|---|
"""


def page() -> str:
    rows = []
    for right in RIGHTS:
        resource = f"{right.resource}.{right.group}" if right.group else right.resource
        named = f" `{right.name}`" if right.name else ""
        answer = "yes" if right.may else "**no**"
        rows.append(f"| {answer} | {', '.join(right.each)} | `{resource}`{named} | {right.where} | {right.why} |\n")
    return HEAD + "".join(rows)


if __name__ == "__main__":
    DOCS.write_text(page())
