"""Names, labels and ports that the operator, the chart and the pods agree on."""

from __future__ import annotations

GROUP = "mobilegym.io"
VERSION = "v1alpha1"
PLURAL = "mobilegymruns"
KIND = "MobileGymRun"

MANAGER = "mobilegym-operator"  # field manager of children
STATUS_MANAGER = "mobilegym-operator-status"
SCALE_MANAGER = "mobilegym-autoscaler"

RUN = "mobilegym.io/run"  # label: the run's name
PART = "mobilegym.io/part"  # label: worker | learner
INDEX = "mobilegym.io/index"  # label: a worker's number
HASH = "mobilegym.io/hash"  # annotation: of the child as it was wanted
SCHEMA = "mobilegym.io/schema-hash"  # annotation of the CRD

WORKER = "worker"
LEARNER = "learner"

ENGINE_PORT = 8000  # completions and /metrics
METRICS_PORT = 9100  # /metrics, /healthz, /readyz of worker and learner

CONFIG_PATH = "/etc/mobilegym/run"  # run.yaml
REDIS_PATH = "/etc/mobilegym/redis"  # files worker, learner: one URL each
WORKER_PATH = "/run/mobilegym"  # a worker's run directory
STATE_PATH = "/var/lib/mobilegym"  # the learner's run directory: on the checkpoint volume
MODELS_PATH = "/models"


def config_name(run: str) -> str:
    return f"{run}-run"


def secret_name(run: str) -> str:
    return f"{run}-redis"


def account_name(run: str) -> str:
    return f"{run}-pods"


def engine_name(run: str) -> str:
    return f"{run}-engine"


def claim_name(run: str) -> str:
    return f"{run}-checkpoints"


def learner_name(run: str) -> str:
    return f"{run}-learner"


def worker_name(run: str, index: int) -> str:
    return f"{run}-worker-{index}"


def workers_name(run: str) -> str:
    """Of what concerns all workers: PodDisruptionBudget, NetworkPolicy."""
    return f"{run}-workers"


def labels(run: str, part: str | None = None) -> dict[str, str]:
    own = {"app.kubernetes.io/name": "mobilegym", "app.kubernetes.io/managed-by": MANAGER, RUN: run}
    return own | ({PART: part} if part else {})


def selector(run: str, part: str) -> dict[str, str]:
    return {RUN: run, PART: part}


def stream_name(namespace: str, name: str, uid: str) -> str:
    """Of the run in Redis: a run deleted and made again starts with nothing."""
    return f"{namespace}.{name}.{uid[:8]}"
