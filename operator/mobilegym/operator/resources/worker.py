"""A worker's pod: one process with its phones."""

from __future__ import annotations

from math import ceil
from typing import Any

from mobilegym.operator import names
from mobilegym.operator.resources import secret
from mobilegym.operator.resources.amounts import DISK, MEMORY, mebibytes, resources
from mobilegym.operator.resources.config import FILE
from mobilegym.operator.resources.container import SANDBOX, container, environment, from_secret, probe
from mobilegym.operator.resources.context import Context
from mobilegym.operator.resources.engine import engine_url
from mobilegym.operator.resources.manifest import manifest_hash
from mobilegym.operator.resources.pod import pod
from mobilegym.operator.resources.stamp import Object, stamp
from mobilegym.operator.resources.volume import Volume, run_file, scratch, shared_memory
from mobilegym.run.pod import Sandbox
from mobilegym.run.workers import WorkersSpec

GRACE = 15  # seconds after draining: acknowledge, close the browsers

# Measured: an isolated phone takes up to 50 MB, a browser is fed by about one core and serialises the frames of its
# phones beyond that. The rest is the process itself, a browser without phones, and the browser's profile on disk.
PHONE, BROWSER, PROCESS = 50, 128, 256  # MiB of memory
SHM = 256  # MiB of shared memory a browser
PROFILE, LOGS = 128, 512  # MiB on disk, a browser and a worker


def worker_pod(context: Context, index: int) -> Object:
    """The same for all workers of a run, but for the name and the number."""
    workers = context.spec.workers
    mounts = _volumes(context)
    isolated = workers.sandbox is Sandbox.RUNTIME_CLASS
    wanted = pod(
        context,
        names.WORKER,
        name=names.worker_name(context.name, index),
        patch=workers.pod,
        placement=workers.placement,
        volumes=mounts,
        labels={names.INDEX: str(index)},
        restartPolicy="OnFailure",
        terminationGracePeriodSeconds=ceil(workers.drain_seconds) + GRACE,
        runtimeClassName=workers.runtime_class_name,
        hostUsers=False if isolated else None,
        topologySpreadConstraints=[_spread(context.name)],
        containers=[_container(context, mounts)],
    )
    return stamp(wanted, manifest_hash(context, names.WORKER))


def _container(context: Context, mounts: tuple[Volume, ...]) -> dict[str, Any]:
    workers, settings = context.spec.workers, context.settings
    own = {"OMP_NUM_THREADS": "1"}
    if workers.sandbox is not Sandbox.USER_NAMESPACE:
        own[SANDBOX] = "off"
    made = container(
        context,
        names.WORKER,
        workers.image or settings.worker_image,
        _arguments(context),
        env=environment(workers.pod, own),
        volumes=mounts,
        ports={"metrics": names.METRICS_PORT},
        resources=resources(workers.resources, _computed(workers), limited=(MEMORY, DISK)),
        livenessProbe=probe("/healthz", every=10, failures=6),
        readinessProbe=probe("/readyz", every=5, failures=3),
        **from_secret(context),
    )
    if workers.sandbox is Sandbox.USER_NAMESPACE:
        profile = {"type": "Localhost", "localhostProfile": settings.seccomp_profile}
        made["securityContext"]["seccompProfile"] = profile
    return made


def _arguments(context: Context) -> list[str]:
    return [
        *("python", "-m", "mobilegym.worker"),
        *("--run-file", f"{names.CONFIG_PATH}/{FILE}", "--run-dir", names.WORKER_PATH),
        *("--redis", secret.redis_argument(names.WORKER)),
        *("--blobs", secret.blobs_argument(context, names.WORKER)),
        *("--engine", engine_url(context), "--name", "$(POD_NAME)"),
        *("--metrics-host", "$(POD_IP)", "--metrics-port", str(names.METRICS_PORT)),
    ]


def _volumes(context: Context) -> tuple[Volume, ...]:
    browsers = context.spec.workers.browsers_per_worker
    return (
        run_file(context.name),
        *secret.volumes(context, names.WORKER),
        scratch("run", names.WORKER_PATH),
        scratch("tmp", "/tmp"),
        shared_memory(mebibytes(SHM * browsers)),
    )


def _computed(workers: WorkersSpec) -> dict[str, str]:
    phones, browsers = workers.phones_per_worker, workers.browsers_per_worker
    return {
        "cpu": str(browsers),
        MEMORY: mebibytes(PROCESS + BROWSER * browsers + PHONE * phones),
        DISK: mebibytes(LOGS + PROFILE * browsers),
    }


def _spread(run: str) -> dict[str, Any]:
    return {
        "maxSkew": 1,
        "topologyKey": "kubernetes.io/hostname",
        "whenUnsatisfiable": "ScheduleAnyway",
        "labelSelector": {"matchLabels": names.selector(run, names.WORKER)},
    }
