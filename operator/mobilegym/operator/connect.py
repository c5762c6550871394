"""Credentials for the API server: those of the pod, else those of KUBECONFIG."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from kubernetes.aio import client, config
from kubernetes.aio.config import ConfigException

CONNECTIONS = 200  # at once, watches included


class NoCredentials(Exception):
    """Neither of the two is there; the message says what to set."""


async def connect() -> Any:
    """A kubernetes.aio ApiClient for the running loop; close it. Raises NoCredentials."""
    settings: Any = client.Configuration()
    settings.connection_pool_maxsize = CONNECTIONS
    try:
        if os.environ.get("KUBERNETES_SERVICE_HOST"):
            config.load_incluster_config(settings)  # type: ignore[no-untyped-call]
        else:
            await config.load_kube_config(  # type: ignore[no-untyped-call]
                config_file=_kubeconfig(), client_configuration=settings, persist_config=False
            )
    except (ConfigException, OSError) as error:
        raise NoCredentials(f"no credentials for a cluster: {error}; set KUBECONFIG, or run in a pod") from error
    return client.ApiClient(settings)


def _kubeconfig() -> str:
    path = os.environ.get("KUBECONFIG") or str(Path.home() / ".kube" / "config")
    if not Path(path).is_file():
        raise NoCredentials(f"no credentials for a cluster: {path} is no file; set KUBECONFIG, or run in a pod")
    return path
