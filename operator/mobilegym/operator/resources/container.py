"""A container of a run's pod, as the "restricted" pod security standard wants it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from mobilegym.operator import names
from mobilegym.operator.resources.context import Context
from mobilegym.operator.resources.volume import Volume
from mobilegym.run.pod import PodPatch

Env = Mapping[str, str]

SANDBOX = "MOBILEGYM_SANDBOX"  # "off": Chromium runs without its own; only `workers.sandbox` may say so

# The root file system is read-only: what a library keeps in the home folder goes to the scratch volume.
COMMON: Env = {
    "HOME": "/tmp",
    "PYTHONHASHSEED": "0",
    "PYTHONUNBUFFERED": "1",
    "TOKENIZERS_PARALLELISM": "false",
}


def container(
    context: Context,
    name: str,
    image: str,
    args: Iterable[str],
    *,
    env: list[dict[str, Any]],
    volumes: Iterable[Volume],
    ports: Mapping[str, int],
    resources: Mapping[str, Any],
    **more: Any,
) -> dict[str, Any]:
    """The image's entry point is an init and stays: `args` begin with the program."""
    return {
        "name": name,
        "image": image,
        "imagePullPolicy": context.settings.pull_policy,
        "args": list(args),
        "env": env,
        "ports": [{"name": word, "containerPort": port} for word, port in ports.items()],
        "volumeMounts": [volume.mount for volume in volumes],
        "resources": dict(resources),
        "securityContext": {
            "allowPrivilegeEscalation": False,
            "readOnlyRootFilesystem": True,
            "capabilities": {"drop": ["ALL"]},
        },
        "terminationMessagePolicy": "FallbackToLogsOnError",  # the last lines become the run's message
        **more,
    }


def environment(patch: PodPatch, own: Env, defaults: Env | None = None) -> list[dict[str, Any]]:
    """The user may change `defaults` and add to `own`, never change those."""
    fields = {"POD_NAME": "metadata.name", "POD_NAMESPACE": "metadata.namespace", "POD_IP": "status.podIP"}
    known: list[dict[str, Any]] = [
        {"name": name, "valueFrom": {"fieldRef": {"fieldPath": path}}} for name, path in fields.items()
    ]
    fixed = {**COMMON, **own}
    taken = {*fields, *fixed, SANDBOX}
    given = {word.name: word.value for word in patch.env if word.name not in taken}
    return known + [{"name": name, "value": value} for name, value in {**fixed, **(defaults or {}), **given}.items()]


def from_secret(context: Context) -> dict[str, Any]:
    """Credentials of the blob store, as variables."""
    name = context.spec.blobs.secret
    return {} if name is None else {"envFrom": [{"secretRef": {"name": name}}]}


def probe(path: str, *, every: int, failures: int, port: int = names.METRICS_PORT) -> dict[str, Any]:
    """GET on the pod's address, `every` seconds."""
    call = {"path": path, "port": port, "scheme": "HTTP"}
    return {"httpGet": call, "periodSeconds": every, "timeoutSeconds": min(every, 5), "failureThreshold": failures}
