"""Runs of every shape, as the builders of objects get them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from mobilegym.operator.resources import Context
from mobilegym.operator.settings import Settings
from mobilegym.run.manifest import MobileGymRun

SECRET = "hunter2"
UID = "0b5e2f9c-8a0e-4f6e-9f0e-5d6f1c2b3a49"
URLS = {role: f"redis://{role}:{SECRET}@mobilegym-redis.mobilegym.svc:6379/0" for role in ("worker", "learner")}
SETTINGS = Settings(
    namespace="mobilegym",
    redis=Path("/etc/mobilegym/redis"),
    redis_selector={"app.kubernetes.io/component": "redis"},
)

QWEN: dict[str, Any] = {
    "model": {"preset": "qwen3-vl-4b", "path": "/models/qwen", "claim": "models"},
    "learner": {"gpus": 3},
}
SHAPES: dict[str, dict[str, Any]] = {
    "least": {},
    "split": {"learner": {"layout": "split", "ranks": 2}},
    "gpus": QWEN,
    "gpus, split": QWEN
    | {"learner": {"gpus": 3, "layout": "split"}, "algorithm": {"groupSize": 8, "promptsPerStep": 12}},
    "another engine": {"engine": {"url": "https://engine.example:8443/base"}},
    "secrets of its own": {
        "stream": {"redisSecret": {"name": "my-redis", "key": "url"}},
        "blobs": {"url": "s3://bucket/prefix", "secret": "bucket-keys"},
    },
    "passwords in URLs": {
        "stream": {"redisUrl": f"rediss://me:{SECRET}@redis.example:6380/1"},
        "blobs": {"url": f"sftp://me:{SECRET}@files.example:22/blobs"},
    },
    "a claim": {"learner": {"checkpoint": {"claim": "mine"}}},
    "a class": {"learner": {"checkpoint": {"size": "5Gi", "storageClassName": "fast"}}},
    "ephemeral": {"learner": {"checkpoint": {"ephemeral": True}}},
    "runtime class": {"workers": {"sandbox": "RuntimeClass", "runtimeClassName": "gvisor"}},
    "no sandbox": {"workers": {"sandbox": "Disabled"}},
    "open network": {"network": {"policies": "None"}},
    "patched": {
        "workers": {
            "pod": {
                "labels": {"team": "phones", "kueue.x-k8s.io/queue-name": "q", "mobilegym.io/run": "other"},
                "annotations": {"note": "x", "mobilegym.io/hash": "0"},
                "env": [{"name": "TZ", "value": "UTC"}, {"name": "POD_IP", "value": "8.8.8.8"}],
                "imagePullSecrets": ["registry"],
            },
            "resources": {"requests": {"memory": "3Gi"}, "limits": {"cpu": "4"}},
            "placement": {
                "nodeSelector": {"pool": "phones"},
                "tolerations": [{"key": "phones", "operator": "Equal", "value": "yes", "effect": "NoSchedule"}],
            },
        }
    },
}


def context(spec: dict[str, Any] | None = None, *, name: str = "pocket", **more: Any) -> Context:
    """Of a run with `spec` on top of the least one."""
    manifest = {
        "apiVersion": "mobilegym.io/v1alpha1",
        "kind": "MobileGymRun",
        "metadata": {"name": name, "annotations": {"kubectl.kubernetes.io/last-applied-configuration": "{}"}},
        "spec": {"model": {"preset": "pocket"}} | (spec or {}),
    }
    given: dict[str, Any] = {"uid": UID, "namespace": "lab", "settings": SETTINGS, "redis_urls": URLS}
    return Context(run=MobileGymRun.model_validate(manifest), **(given | more))
