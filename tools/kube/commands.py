"""The command lines of a control plane's servers, all on loopback."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from tools.kube.addresses import free_port
from tools.kube.binaries import Servers

# Without those that need a cloud, a network plugin, or pod addresses outside loopback (endpoints, endpoint slices).
CONTROLLERS = (
    "clusterrole-aggregation-controller",
    "daemonset-controller",
    "deployment-controller",
    "disruption-controller",
    "garbage-collector-controller",
    "job-controller",
    "namespace-controller",
    "node-lifecycle-controller",
    "persistentvolume-binder-controller",
    "persistentvolume-protection-controller",
    "persistentvolumeclaim-protection-controller",
    "pod-garbage-collector-controller",
    "replicaset-controller",
    "resourcequota-controller",
    "root-ca-certificate-publisher-controller",
    "serviceaccount-controller",
    "statefulset-controller",
    "taint-eviction-controller",
    "ttl-after-finished-controller",
    "ttl-controller",
)
CLIENT_RATE = ["--kube-api-qps=1000", "--kube-api-burst=2000"]


@dataclass(frozen=True, kw_only=True)
class Ports:
    etcd: int
    peers: int
    apiserver: int
    controllers: int
    scheduler: int

    @staticmethod
    def free() -> Ports:
        names = ("etcd", "peers", "apiserver", "controllers", "scheduler")
        found: set[int] = set()
        while len(found) < len(names):
            found.add(free_port())
        return Ports(**dict(zip(names, found, strict=True)))


@dataclass(frozen=True, kw_only=True)
class Commands:
    """All file names are relative to `folder`, in which the servers run."""

    servers: Servers
    ports: Ports
    services: str  # address range of Services
    node_grace: int  # seconds without a heartbeat until a node counts as NotReady

    def etcd(self) -> list[str]:
        client, peers = (f"http://127.0.0.1:{port}" for port in (self.ports.etcd, self.ports.peers))
        urls = [f"--listen-client-urls={client}", f"--advertise-client-urls={client}", f"--listen-peer-urls={peers}"]
        limits = ["--quota-backend-bytes=2147483648", "--unsafe-no-fsync", "--log-level=error"]
        return [str(self.servers.etcd), "--data-dir=etcd", *urls, *limits]

    def apiserver(self) -> list[str]:
        return [
            str(self.servers.apiserver),
            f"--etcd-servers=http://127.0.0.1:{self.ports.etcd}",
            "--bind-address=127.0.0.1",
            f"--secure-port={self.ports.apiserver}",
            "--cert-dir=certs",
            "--service-account-issuer=https://kubernetes.default.svc",
            "--service-account-key-file=sa.crt",
            "--service-account-signing-key-file=sa.key",
            "--token-auth-file=tokens.csv",
            "--authorization-mode=Node,RBAC",
            f"--service-cluster-ip-range={self.services}",
            "--endpoint-reconciler-type=none",
            "--kubelet-preferred-address-types=InternalIP",
            "--allow-privileged=true",
            "--max-requests-inflight=2000",
            "--max-mutating-requests-inflight=1000",
            "--delete-collection-workers=16",
            "--event-ttl=15m",
            "--profiling=false",
        ]

    def controllers(self) -> list[str]:
        return [
            str(self.servers.controllers),
            "--kubeconfig=kubeconfig",
            "--service-account-private-key-file=sa.key",
            "--root-ca-file=certs/apiserver.crt",
            f"--controllers={','.join(CONTROLLERS)}",
            "--leader-elect=false",
            "--bind-address=127.0.0.1",
            f"--secure-port={self.ports.controllers}",
            f"--node-monitor-grace-period={self.node_grace}s",
            "--concurrent-gc-syncs=20",
            "--min-resync-period=1h",
            *CLIENT_RATE,
        ]

    def scheduler(self) -> list[str]:
        return [
            str(self.servers.scheduler),
            "--kubeconfig=kubeconfig",
            "--leader-elect=false",
            "--bind-address=127.0.0.1",
            f"--secure-port={self.ports.scheduler}",
            *CLIENT_RATE,
        ]


def write_credentials(folder: Path, token: str) -> None:
    """Token table: one administrator."""
    table = folder / "tokens.csv"
    table.write_text(f'{token},admin,admin,"system:masters"\n')
    table.chmod(0o600)
