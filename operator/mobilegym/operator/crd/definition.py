"""The CustomResourceDefinition."""

from __future__ import annotations

import functools
import hashlib
import json
from typing import Any

from mobilegym.operator import names
from mobilegym.operator.crd.resolve import Schema, manifest_tree
from mobilegym.operator.crd.rules import RULES
from mobilegym.operator.crd.status import status_schema
from mobilegym.operator.crd.structural import structural


def crd() -> dict[str, Any]:
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {
            "name": f"{names.PLURAL}.{names.GROUP}",
            "annotations": {names.SCHEMA: schema_hash()},
            "labels": {"app.kubernetes.io/name": "mobilegym"},
        },
        "spec": {
            "group": names.GROUP,
            "scope": "Namespaced",
            "names": {
                "kind": names.KIND,
                "listKind": f"{names.KIND}List",
                "plural": names.PLURAL,
                "singular": names.KIND.lower(),
                "shortNames": ["mgr"],
                "categories": ["all"],
            },
            "versions": [_version()],
        },
    }


@functools.cache
def schema_hash() -> str:
    """Digest of what a spec may hold: fields, types, defaults, bounds. Words and rules may change without it."""
    text = json.dumps(_bare(_spec()), sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _spec() -> Schema:
    return structural(manifest_tree()["properties"]["spec"])


def _bare(node: Any) -> Any:
    """Without descriptions and rules."""
    if isinstance(node, list):
        return [_bare(item) for item in node]
    if not isinstance(node, dict):
        return node
    dropped = {"x-kubernetes-validations"} | ({"description"} if isinstance(node.get("description"), str) else set())
    return {key: _bare(value) for key, value in node.items() if key not in dropped}


def _version() -> dict[str, Any]:
    return {
        "name": names.VERSION,
        "served": True,
        "storage": True,
        "subresources": {
            "status": {},
            "scale": {
                "specReplicasPath": ".spec.workers.replicas",
                "statusReplicasPath": ".status.workers.replicas",
                "labelSelectorPath": ".status.selector",
            },
        },
        "additionalPrinterColumns": columns(),
        "schema": {"openAPIV3Schema": _root()},
    }


def _root() -> Schema:
    return {
        "description": manifest_tree()["description"],
        "type": "object",
        "required": ["spec"],
        "properties": {
            "apiVersion": {"type": "string"},
            "kind": {"type": "string"},
            "metadata": {"type": "object"},
            "spec": _spec(),
            "status": status_schema(),
        },
        "x-kubernetes-validations": [rule.written() for rule in RULES[names.KIND]],
    }


def columns() -> list[dict[str, Any]]:
    """What `kubectl get` prints, the last of them only with `-o wide`."""
    narrow = [
        ("Phase", "string", ".status.phase"),
        ("Step", "integer", ".status.step"),
        ("Success", "string", ".status.successRate"),
        ("Traj/min", "string", ".status.trajectoriesPerMinute"),
        ("Ready", "integer", ".status.workers.ready"),
        ("Desired", "integer", ".spec.workers.replicas"),
        ("Age", "date", ".metadata.creationTimestamp"),
    ]
    wide = [
        ("Policy", "integer", ".status.policyVersion"),
        ("Buffer", "integer", ".status.stream.depth"),
        ("Node", "string", ".status.learner.node"),
        ("Reason", "string", ".status.reason"),
    ]
    columns = [{"name": n, "type": t, "jsonPath": p} for n, t, p in narrow]
    return columns + [{"name": n, "type": t, "jsonPath": p, "priority": 1} for n, t, p in wide]
