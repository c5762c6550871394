"""An object's identity and its digest."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from mobilegym.operator import names
from mobilegym.operator.resources.context import Context

Object = dict[str, Any]

ATTEMPT = "mobilegym.io/attempt"  # annotation of the learner's pod: how often it was made before
CONFIG = "mobilegym.io/config-hash"  # annotation of a pod: of the ConfigMap that it was started with

HEX = 16


def named(
    context: Context, api: str, kind: str, name: str, *, part: str | None = None, **metadata: Mapping[str, str]
) -> Object:
    """Kind and metadata of a child; the run owns it, so it goes when the run goes."""
    owner = {
        "apiVersion": f"{names.GROUP}/{names.VERSION}",
        "kind": names.KIND,
        "name": context.name,
        "uid": context.uid,
        "controller": True,
        "blockOwnerDeletion": False,  # else the operator would need the right to change finalizers of runs
    }
    return {
        "apiVersion": api,
        "kind": kind,
        "metadata": {
            "name": name,
            "namespace": context.namespace,
            "labels": names.labels(context.name, part),
            "ownerReferences": [owner],
            **{key: dict(words) for key, words in metadata.items()},
        },
    }


def digest(wanted: Mapping[str, Any]) -> str:
    """16 hex digits of what an object says, not of which it is: name, number, attempt and owner are left out.

    So all workers of a run share one, and a run that is made again finds its objects as they should be.
    """
    content, metadata = dict(wanted), wanted["metadata"]
    del content["metadata"]
    labels = {key: word for key, word in metadata["labels"].items() if key != names.INDEX}
    notes = {key: word for key, word in metadata.get("annotations", {}).items() if key not in (names.HASH, ATTEMPT)}
    return short([content, labels, notes])


def short(data: Any) -> str:
    """Digest of plain data."""
    text = json.dumps(data, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:HEX]


def stamp(wanted: Object, hash: str | None = None) -> Object:
    """The object with its digest as an annotation."""
    metadata = wanted["metadata"]
    notes = metadata.get("annotations", {}) | {names.HASH: hash or digest(wanted)}
    return wanted | {"metadata": metadata | {"annotations": notes}}
