"""Kubeconfig documents."""

from __future__ import annotations

import base64
import json
from pathlib import Path


def write_kubeconfig(path: Path, *, server: str, authority: bytes, token: str, namespace: str = "default") -> None:
    """One cluster, one user with a bearer token; JSON is YAML. Mode 0600."""
    cluster = {"server": server, "certificate-authority-data": base64.b64encode(authority).decode()}
    document = {
        "apiVersion": "v1",
        "kind": "Config",
        "clusters": [{"name": "mobilegym", "cluster": cluster}],
        "users": [{"name": "mobilegym", "user": {"token": token}}],
        "contexts": [
            {"name": "mobilegym", "context": {"cluster": "mobilegym", "user": "mobilegym", "namespace": namespace}}
        ],
        "current-context": "mobilegym",
    }
    path.touch(mode=0o600)
    path.write_text(json.dumps(document, indent=1))
