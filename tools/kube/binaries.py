"""Where the control plane's programs and its clients are found.

The servers are looked for, in this order, in the folder `KUBEBUILDER_ASSETS`, then by an `unpack` script (called with a
target folder): `MOBILEGYM_KUBE_UNPACK`, else `shared/kube/unpack` beside the checkout or a folder above it.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
SERVERS = ("kube-apiserver", "kube-controller-manager", "kube-scheduler")


class Missing(Exception):
    """A program is not on this machine."""


@dataclass(frozen=True, kw_only=True)
class Servers:
    etcd: Path
    apiserver: Path
    controllers: Path
    scheduler: Path


def find_servers() -> Servers:
    """Raises Missing, which says what was looked for."""
    folder = _servers_folder()
    beside = folder / "etcd"
    etcd = str(beside) if beside.exists() else shutil.which("etcd")
    if etcd is None:
        raise Missing("etcd (apt-get install etcd-server)")
    apiserver, controllers, scheduler = (folder / name for name in SERVERS)
    return Servers(etcd=Path(etcd), apiserver=apiserver, controllers=controllers, scheduler=scheduler)


def known() -> bool:
    """Whether a control plane's programs, apart from etcd, could be found. Imports nothing but the standard library."""
    return _assets() is not None or _unpack_script() is not None


def find_client(name: str) -> Path:
    """`kubectl` or `helm`: the one beside this Python first, then PATH. Raises Missing."""
    beside = Path(sys.executable).parent / name
    found = str(beside) if beside.exists() else shutil.which(name)
    if found is None:
        raise Missing(f"{name} (tools/kube-clients installs it)")
    return Path(found)


def _servers_folder() -> Path:
    assets = _assets()
    if assets is not None:
        return assets
    script = _unpack_script()
    if script is None:
        raise Missing("a Kubernetes control plane (set KUBEBUILDER_ASSETS to a folder with kube-apiserver)")
    return _unpacked(script)


def _assets() -> Path | None:
    folder = Path(os.environ.get("KUBEBUILDER_ASSETS") or "/nowhere")
    return folder if all((folder / name).exists() for name in SERVERS) else None


def _unpack_script() -> Path | None:
    named = os.environ.get("MOBILEGYM_KUBE_UNPACK")
    if named:
        return Path(named)
    beside = (folder / "shared" / "kube" / "unpack" for folder in REPOSITORY.parents)
    return next((path for path in beside if path.exists()), None)


def _unpacked(script: Path) -> Path:
    """The script's programs in this user's cache, unpacked once per content."""
    digest = script.with_name("kube.sha256")
    mark = hashlib.sha256(digest.read_bytes() if digest.exists() else str(script).encode()).hexdigest()[:12]
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "mobilegym" / "kube"
    folder = cache / mark
    cache.mkdir(parents=True, exist_ok=True)
    with (cache / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "complete").exists():
            subprocess.run(["bash", script, folder], check=True, capture_output=True, text=True)
            (folder / "complete").touch()
    return folder
