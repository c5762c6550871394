"""What the operator is told at its start."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True, kw_only=True)
class Settings:
    """`redis` is a folder with the files `operator`, `worker`, `learner`: a URL each, of the Redis for runs that name
    none. `redis_selector` are the labels of that Redis's pods and `redis_namespace` theirs, for network policies."""

    namespace: str  # the operator's own: Lease
    watch: str | None = None  # one namespace, or None for all
    identity: str = "operator"  # of this process, unique
    worker_image: str = "mobilegym/worker:latest"
    learner_image: str = "mobilegym/learner:latest"
    pull_policy: str = "IfNotPresent"
    redis: Path | None = None
    redis_selector: dict[str, str] = field(default_factory=dict)
    redis_namespace: str | None = None
    pod_monitor: bool = False  # whether the cluster serves monitoring.coreos.com
    seccomp_profile: str = "profiles/mobilegym-chromium.json"  # under the kubelet's seccomp folder
    monitoring_namespace: str | None = None  # from where metrics may be scraped; None: from everywhere
    writes: int = 30  # to the API server at once
    resync_seconds: float = 30.0
    status_seconds: float = 10.0  # at most one status write in so many, unless the phase changes
    numbers_seconds: float = 5.0  # between two looks into Redis
    metrics_port: int = 9100
    probe_port: int = 8080
    lease_seconds: float = 15.0
