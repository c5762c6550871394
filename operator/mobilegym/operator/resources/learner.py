"""The learner's pod: training, and by default also the policy engine."""

from __future__ import annotations

from collections.abc import Mapping
from math import ceil
from typing import Any

from mobilegym.operator import names
from mobilegym.operator.resources import secret
from mobilegym.operator.resources.amounts import DISK, GPU, MEMORY, mebibytes, resources
from mobilegym.operator.resources.claim import state_volume
from mobilegym.operator.resources.config import FILE
from mobilegym.operator.resources.container import Env, container, environment, from_secret, probe
from mobilegym.operator.resources.context import Context
from mobilegym.operator.resources.engine import engine_url
from mobilegym.operator.resources.manifest import manifest_hash
from mobilegym.operator.resources.pod import pod
from mobilegym.operator.resources.stamp import ATTEMPT, Object, stamp
from mobilegym.operator.resources.volume import Volume, claimed, run_file, scratch, shared_memory
from mobilegym.run.learner import Layout, LearnerSpec
from mobilegym.run.pod import Resources

ENGINE = "engine"
GRACE = 90  # seconds for the step in hand and a last checkpoint
STARTUP_EVERY = 5  # seconds between two looks whether it is up
PRODUCT, COUNT = f"{GPU}.product", f"{GPU}.count"

# Host memory holds the weights while they are loaded and a rank's share of a checkpoint while it is written.
GPU_CPU, GPU_MEMORY = 4, 32 * 1024  # cores, MiB; a GPU
CPU_MILLI, CPU_MEMORY = 500, 1536  # of a core, MiB; a rank without GPU, or an engine
LOGS = 2048  # MiB on disk

# The first three keep NCCL from hanging: without NVLink its peer-to-peer path runs over PCIe and never ends where an
# IOMMU or ACS redirects it, which is the rule in virtual machines; shared memory is the way around. All ranks are in
# one pod, so it needs neither InfiniBand nor the pod's network, which the network policy closes.
NCCL: Env = {"NCCL_P2P_DISABLE": "1", "NCCL_IB_DISABLE": "1", "NCCL_SOCKET_IFNAME": "lo"}
# Weights come from a volume: a look-up on a hub would wait for its timeout.
OFFLINE: Env = {"HF_HUB_OFFLINE": "1"}


def learner_pod(context: Context, attempt: int = 0) -> Object:
    """It is never restarted in place: the operator makes it again, which counts as the next attempt."""
    learner = context.spec.learner
    mounts = _volumes(context)
    wanted = pod(
        context,
        names.LEARNER,
        name=names.learner_name(context.name),
        patch=learner.pod,
        placement=learner.placement,
        volumes=mounts,
        restartPolicy="Never",
        terminationGracePeriodSeconds=GRACE,
        priorityClassName=context.spec.priority_class_name,
        runtimeClassName=learner.runtime_class_name,
        affinity=_affinity(learner),
        tolerations=[{"key": GPU, "operator": "Exists", "effect": "NoSchedule"}] if learner.gpus else [],
        initContainers=[_engine(context, mounts)] if _has_sidecar(context) else [],
        containers=[_learner(context, mounts)],
    )
    wanted["metadata"]["annotations"][ATTEMPT] = str(attempt)
    return stamp(wanted, manifest_hash(context, names.LEARNER))


def _has_sidecar(context: Context) -> bool:
    return context.spec.engine.url is None and context.spec.learner.layout is Layout.SPLIT


def _learner(context: Context, mounts: tuple[Volume, ...]) -> dict[str, Any]:
    learner = context.spec.learner
    serves = context.spec.engine.url is None and learner.layout is Layout.COLOCATED
    gpus = learner.world_size if learner.gpus else 0
    failures = max(1, ceil(learner.startup_deadline_seconds / STARTUP_EVERY))
    return container(
        context,
        names.LEARNER,
        learner.image or context.settings.learner_image,
        _trainer_arguments(context) if serves else _learner_arguments(context),
        env=_env(learner),
        volumes=mounts,
        ports={"metrics": names.METRICS_PORT} | ({"http": names.ENGINE_PORT} if serves else {}),
        resources=resources(learner.resources, _computed(gpus, learner.ranks + serves), gpus=gpus),
        startupProbe=probe("/healthz", every=STARTUP_EVERY, failures=failures),
        livenessProbe=probe("/healthz", every=15, failures=8),
        readinessProbe=probe("/readyz", every=5, failures=3),
        **from_secret(context),
    )


def _engine(context: Context, mounts: tuple[Volume, ...]) -> dict[str, Any]:
    """A sidecar: it is up before the learner starts and ends after it."""
    learner = context.spec.learner
    gpus = 1 if learner.gpus else 0
    failures = max(1, ceil(learner.startup_deadline_seconds / STARTUP_EVERY))
    return container(
        context,
        ENGINE,
        learner.image or context.settings.learner_image,
        [
            *("python", "-m", "mobilegym.policy", *_files()),
            *("--host", "$(POD_IP)", "--port", str(names.ENGINE_PORT)),
        ],
        env=_env(learner),
        volumes=mounts,
        ports={"http": names.ENGINE_PORT},
        resources=resources(Resources(), _computed(gpus, 1), gpus=gpus),
        restartPolicy="Always",
        startupProbe=probe("/health", every=STARTUP_EVERY, failures=failures, port=names.ENGINE_PORT),
    )


def _files() -> list[str]:
    return [
        *("--run-file", f"{names.CONFIG_PATH}/{FILE}", "--run-dir", names.STATE_PATH),
        *("--redis", secret.redis_argument(names.LEARNER)),
    ]


def _trainer_arguments(context: Context) -> list[str]:
    return [
        *("python", "-m", "mobilegym.local.trainer", *_files()),
        *("--blobs", secret.blobs_argument(context, names.LEARNER), "--host", "$(POD_IP)"),
        *("--engine-port", str(names.ENGINE_PORT), "--metrics-port", str(names.METRICS_PORT)),
    ]


def _learner_arguments(context: Context) -> list[str]:
    beside = f"http://$(POD_IP):{names.ENGINE_PORT}"
    return [
        *("python", "-m", "mobilegym.learner", *_files()),
        *("--engine", beside if _has_sidecar(context) else engine_url(context)),
        *("--blobs", secret.blobs_argument(context, names.LEARNER)),
        *("--metrics-host", "$(POD_IP)", "--metrics-port", str(names.METRICS_PORT)),
    ]


def _env(learner: LearnerSpec) -> list[dict[str, Any]]:
    threads = {"OMP_NUM_THREADS": str(GPU_CPU if learner.gpus else 1)}
    defaults = {**threads, **OFFLINE, **(NCCL if learner.gpus else {})}
    return environment(learner.pod, {}, defaults)


def _volumes(context: Context) -> tuple[Volume, ...]:
    models = context.spec.model.claim
    return (
        run_file(context.name),
        *secret.volumes(context, names.LEARNER),
        state_volume(context),
        *((claimed("models", names.MODELS_PATH, models, read_only=True),) if models else ()),
        scratch("tmp", "/tmp"),
        shared_memory(context.spec.learner.shm),
    )


def _computed(gpus: int, processes: int) -> Mapping[str, str]:
    if gpus:
        cpu, memory = str(GPU_CPU * gpus), mebibytes(GPU_MEMORY * gpus)
    else:
        cpu, memory = f"{CPU_MILLI * processes}m", mebibytes(CPU_MEMORY * processes)
    return {"cpu": cpu, MEMORY: memory, DISK: mebibytes(LOGS)}


def _affinity(learner: LearnerSpec) -> dict[str, Any] | None:
    """One node with enough whole GPUs of a named product: time-slicing adds -SHARED to the name, which matches none."""
    if not learner.gpus:
        return None
    expressions = [{"key": COUNT, "operator": "Gt", "values": [str(learner.gpus - 1)]}]
    if learner.gpu_products:
        expressions.insert(0, {"key": PRODUCT, "operator": "In", "values": list(learner.gpu_products)})
    terms = {"nodeSelectorTerms": [{"matchExpressions": expressions}]}
    return {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": terms}}
