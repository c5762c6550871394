"""etcd, API server, controller manager and scheduler on this machine's loopback."""

from __future__ import annotations

import secrets
import ssl
import subprocess
import time
import urllib.error
import urllib.request
from pathlib import Path

from tools.kube.addresses import Span
from tools.kube.binaries import find_servers
from tools.kube.cluster import Cluster
from tools.kube.commands import Commands, Ports, write_credentials
from tools.kube.kubeconfig import write_kubeconfig
from tools.kube.server import Server


class ControlPlane(Cluster):
    """Owns `folder`. Every server may be killed, stopped and started again; ports and state stay.

    Raises binaries.Missing when made on a machine without the programs.
    """

    def __init__(self, folder: Path, *, node_grace: int = 60) -> None:
        """`node_grace`: seconds without a heartbeat until a node counts as NotReady."""
        super().__init__(folder / "kubeconfig")
        self.folder = folder
        self.span = Span()
        ports = Ports.free()
        self.url = f"https://127.0.0.1:{ports.apiserver}"
        self.port = ports.apiserver
        self.token = secrets.token_urlsafe(24)
        commands = Commands(servers=find_servers(), ports=ports, services=self.span.services, node_grace=node_grace)
        self.etcd = self._server("etcd", commands.etcd())
        self.apiserver = self._server("apiserver", commands.apiserver())
        self.controllers = self._server("controllers", commands.controllers())
        self.scheduler = self._server("scheduler", commands.scheduler())

    @property
    def servers(self) -> tuple[Server, ...]:
        """In the order of their start."""
        return self.etcd, self.apiserver, self.controllers, self.scheduler

    @property
    def authority(self) -> bytes:
        """PEM of the certificate authority that signed the API server's certificate."""
        return (self.folder / "certs" / "apiserver.crt").read_bytes()

    def start(self) -> None:
        """Returns when the API server is ready and pods can be made in the namespace `default`."""
        self.folder.mkdir(parents=True, exist_ok=True)
        write_credentials(self.folder, self.token)
        _make_key(self.folder)
        try:
            self.etcd.start()
            self.apiserver.start()
            self.wait_ready()
            write_kubeconfig(self.kubeconfig, server=self.url, authority=self.authority, token=self.token)
            self.controllers.start()
            self.scheduler.start()
            self._wait_for("/api/v1/namespaces/default/serviceaccounts/default", 120)
        except BaseException:
            self.stop()
            raise

    def stop(self) -> None:
        for server in reversed(self.servers):
            server.stop()
        self.span.release()

    def heal(self) -> None:
        """Starts again what a test has killed, and waits until the API server is ready."""
        for server in self.servers:
            server.start()
        self.wait_ready()

    def wait_ready(self, seconds: float = 120.0) -> None:
        """Until the API server says it is ready. Raises TimeoutError, RuntimeError when it ended."""
        self._wait_for("/readyz", seconds)

    def _server(self, name: str, command: list[str]) -> Server:
        return Server(name, command, log=self.folder / f"{name}.log", folder=self.folder)

    def _wait_for(self, path: str, seconds: float) -> None:
        deadline = time.monotonic() + seconds
        while not self._answers(path):
            for server in self.servers[:2]:
                if not server.alive:
                    raise RuntimeError(f"{server.name} ended: {server.tail()}")
            if time.monotonic() > deadline:
                raise TimeoutError(f"{path} is not there after {seconds:g} s: {self.apiserver.tail()}")
            time.sleep(0.05)

    def _answers(self, path: str) -> bool:
        try:
            context = ssl.create_default_context(cadata=self.authority.decode())
            request = urllib.request.Request(self.url + path, headers={"Authorization": f"Bearer {self.token}"})
            with urllib.request.urlopen(request, context=context, timeout=5) as answer:
                return bool(answer.status == 200)
        except (OSError, ValueError, urllib.error.URLError):  # not there yet, certificate half written
            return False


def _make_key(folder: Path) -> None:
    """`sa.key`, `sa.crt`: signs service account tokens, and serves the kubelet's port."""
    if (folder / "sa.crt").exists():
        return
    new = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", "sa.key"]
    subject = ["-out", "sa.crt", "-days", "365", "-subj", "/CN=mobilegym", "-addext", "subjectAltName=IP:127.0.0.1"]
    subprocess.run(["openssl", "req", "-x509", *new, *subject], cwd=folder, check=True, capture_output=True)
