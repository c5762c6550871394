"""A pod's own credentials for the API server."""

from __future__ import annotations

from pathlib import Path

from tools.kube.api import Api, ApiError, Json
from tools.kube.executor import Sandbox, StartError

# Where Kubernetes puts them; client libraries have this path fixed, so a container gets a KUBECONFIG instead.
FIXED_PATH = "/var/run/secrets/kubernetes.io/serviceaccount"
TOKEN = "token"


async def request_token(api: Api, sandbox: Sandbox, source: Json) -> str:
    """A real token of the pod's service account, bound to the pod. Raises StartError."""
    meta = sandbox.pod["metadata"]
    account = sandbox.pod["spec"].get("serviceAccountName", "default")
    bound = {"kind": "Pod", "apiVersion": "v1", "name": meta["name"], "uid": meta["uid"]}
    spec: Json = {"expirationSeconds": source.get("expirationSeconds", 3607), "boundObjectRef": bound}
    if "audience" in source:
        spec["audiences"] = [source["audience"]]
    body = {"apiVersion": "authentication.k8s.io/v1", "kind": "TokenRequest", "spec": spec}
    try:
        answer = await api.post(f"/api/v1/namespaces/{meta['namespace']}/serviceaccounts/{account}/token", body)
    except ApiError as error:
        raise StartError("ContainerCreating", f"token of service account {account}: {error}") from error
    return str(answer["status"]["token"])


def mounted_token(mounts: dict[str, str]) -> str | None:
    """The token that a container has mounted at the fixed path."""
    folder = mounts.get(FIXED_PATH)
    path = Path(folder or "/nowhere") / TOKEN
    return path.read_text() if folder and path.exists() else None
