"""The ConfigMap with the manifest as the run's processes read it."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Any

import yaml

from mobilegym.operator import names
from mobilegym.operator.resources.context import Context
from mobilegym.operator.resources.stamp import Object, named, short, stamp
from mobilegym.operator.resources.url import public
from mobilegym.run.manifest import STREAM
from mobilegym.run.schema import dump_run

FILE = "run.yaml"

# Matters of the cluster that no process reads: a change of them (scaling, suspending) must not restart pods.
LEFT_OUT = (
    *("suspend", "managedBy", "priorityClassName", "activeDeadlineSeconds", "ttlSecondsAfterFinished"),
    *("cleanupPolicy", "autoscaling", "network", "model.claim", "stream.redisSecret", "blobs.secret"),
    *("workers.replicas", "workers.min", "workers.max", "workers.startupDeadlineSeconds"),
    *("workers.image", "workers.resources", "workers.placement", "workers.pod"),
    *("workers.sandbox", "workers.runtimeClassName"),
    *("learner.image", "learner.resources", "learner.placement", "learner.pod", "learner.shm"),
    *("learner.runtimeClassName", "learner.backoffLimit", "learner.startupDeadlineSeconds"),
    *("learner.checkpoint.claim", "learner.checkpoint.size", "learner.checkpoint.storageClassName"),
    "learner.checkpoint.ephemeral",
)
DUMPER = getattr(yaml, "CSafeDumper", yaml.SafeDumper)  # the one in C is four times as fast
WITHOUT_PASSWORD = (("stream", "redisUrl"), ("blobs", "url"))


def config(context: Context) -> Object:
    text = _yaml(json.dumps(manifest(context)))
    return stamp(named(context, "v1", "ConfigMap", names.config_name(context.name)) | {"data": {FILE: text}})


def config_hash(context: Context) -> str:
    """Of the manifest in it."""
    return short(manifest(context))


@lru_cache(maxsize=4096)
def _yaml(text: str) -> str:
    """From JSON. Remembered: writing YAML takes longer than all else that an operator does for a run in peace."""
    return str(yaml.dump(json.loads(text), Dumper=DUMPER, sort_keys=False, allow_unicode=True))


def manifest(context: Context, *, exclude_defaults: bool = False) -> dict[str, Any]:
    """As plain data. The annotation says the run's name in Redis."""
    dumped = dump_run(context.run, exclude_defaults=exclude_defaults)
    spec = dumped["spec"]
    for path in LEFT_OUT:
        _leave_out(spec, path.split("."))
    for part, key in WITHOUT_PASSWORD:
        if key in spec.get(part, {}):
            spec[part][key] = public(spec[part][key])
    stream = names.stream_name(context.namespace, context.name, context.uid)
    metadata = {"name": context.name, "namespace": context.namespace, "annotations": {STREAM: stream}}
    return {"apiVersion": dumped["apiVersion"], "kind": dumped["kind"], "metadata": metadata, "spec": spec}


def _leave_out(data: dict[str, Any], path: list[str]) -> None:
    *parents, last = path
    for part in parents:
        data = data.get(part, {})
    data.pop(last, None)
