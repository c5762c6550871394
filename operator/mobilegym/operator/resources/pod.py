"""What the pods of a run have in common."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from mobilegym.operator import names
from mobilegym.operator.resources.config import config_hash
from mobilegym.operator.resources.context import Context
from mobilegym.operator.resources.stamp import CONFIG, Object, named
from mobilegym.operator.resources.volume import Volume
from mobilegym.run.pod import Placement, PodPatch, Toleration

USER = 10001
# Of a node that has fallen silent. Kubernetes would wait five minutes; nothing is lost by starting anew elsewhere.
SILENT = ("node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable")
SILENT_SECONDS = 60


def pod(
    context: Context,
    part: str,
    *,
    name: str,
    patch: PodPatch,
    placement: Placement,
    volumes: Iterable[Volume],
    labels: Mapping[str, str] | None = None,
    **body: Any,
) -> Object:
    """Not yet stamped. `body` has the containers, the restart policy and whatever else is the part's own."""
    wanted = named(context, "v1", "Pod", name, part=part)
    metadata = wanted["metadata"]
    metadata["labels"] = _foreign(patch.labels) | metadata["labels"] | dict(labels or {})
    metadata["annotations"] = _foreign(patch.annotations) | {
        CONFIG: config_hash(context),
        "kubectl.kubernetes.io/default-container": part,
    }
    spec: dict[str, Any] = {
        "serviceAccountName": names.account_name(context.name),
        "automountServiceAccountToken": False,
        "enableServiceLinks": False,
        "securityContext": _security(),
        "volumes": [volume.entry for volume in volumes],
        "nodeSelector": dict(placement.node_selector),
        "tolerations": [*map(toleration, placement.tolerations), *body.pop("tolerations", []), *_patience(placement)],
        "imagePullSecrets": [{"name": secret} for secret in dict.fromkeys(patch.image_pull_secrets)],
        **body,
    }
    return wanted | {"spec": {key: value for key, value in spec.items() if value not in (None, [], {})}}


def toleration(given: Toleration) -> dict[str, Any]:
    return given.model_dump(mode="json", by_alias=True, exclude_none=True)


def _patience(placement: Placement) -> list[dict[str, Any]]:
    """Of several tolerations of one taint the shortest counts: what the user says of it stands alone."""
    effects = (None, "NoExecute")
    given = {t.key for t in placement.tolerations if t.effect in effects}
    rest = () if None in given else (key for key in SILENT if key not in given)
    common = {"operator": "Exists", "effect": "NoExecute", "tolerationSeconds": SILENT_SECONDS}
    return [{"key": key} | common for key in rest]


def _security() -> dict[str, Any]:
    return {
        "runAsNonRoot": True,
        "runAsUser": USER,
        "runAsGroup": USER,
        "fsGroup": USER,
        "fsGroupChangePolicy": "OnRootMismatch",  # a volume of checkpoints is not walked at every start
        "seccompProfile": {"type": "RuntimeDefault"},
    }


def _foreign(words: Mapping[str, str]) -> dict[str, str]:
    """Without the names that the operator finds and judges pods by."""
    return {key: word for key, word in words.items() if key.partition("/")[0] != names.GROUP}
