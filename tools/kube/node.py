"""A node: what it has, and how the API server is told."""

from __future__ import annotations

from dataclasses import dataclass, field

from tools.kube.api import Json
from tools.kube.container import now

HOST = "127.0.0.1"
VERSION = "v1.36.3"
GPU = "nvidia.com/gpu"
GPU_PRODUCT = "NVIDIA-RTX-PRO-6000-Blackwell-Server-Edition"


@dataclass(frozen=True, kw_only=True, eq=False)
class Node:
    """`cpu` and `memory` are Kubernetes quantities."""

    name: str
    cpu: str = "16"
    memory: str = "64Gi"
    pods: int = 250
    gpus: int = 0
    labels: dict[str, str] = field(default_factory=dict)
    taints: tuple[Json, ...] = ()

    def manifest(self) -> Json:
        own = {"kubernetes.io/hostname": self.name, "kubernetes.io/os": "linux", "kubernetes.io/arch": "amd64"}
        spec = {"taints": list(self.taints)} if self.taints else {}
        metadata = {"name": self.name, "labels": own | self.labels}
        return {"apiVersion": "v1", "kind": "Node", "metadata": metadata, "spec": spec}

    def status(self, port: int) -> Json:
        """`port` is that on which the kubelet serves logs."""
        resources = {"cpu": self.cpu, "memory": self.memory, "pods": str(self.pods), "ephemeral-storage": "100Gi"}
        resources |= {GPU: str(self.gpus)} if self.gpus else {}
        info = {
            name: "" for name in ("machineID", "systemUUID", "bootID", "kernelVersion", "osImage", "kubeProxyVersion")
        }
        info |= {"containerRuntimeVersion": "host://1", "kubeletVersion": VERSION}
        return {
            "capacity": resources,
            "allocatable": resources,
            "conditions": conditions(),
            "addresses": [{"type": "InternalIP", "address": HOST}, {"type": "Hostname", "address": self.name}],
            "daemonEndpoints": {"kubeletEndpoint": {"Port": port}},
            "nodeInfo": info | {"operatingSystem": "linux", "architecture": "amd64"},
        }

    def lease(self) -> Json:
        metadata = {"name": self.name, "namespace": "kube-node-lease"}
        spec = {"holderIdentity": self.name, "leaseDurationSeconds": 40}
        return {"apiVersion": "coordination.k8s.io/v1", "kind": "Lease", "metadata": metadata, "spec": spec}


def conditions() -> list[Json]:
    """That of a healthy node, heard from now."""
    at = {"lastHeartbeatTime": now()}
    ready = {"type": "Ready", "status": "True", "reason": "KubeletReady", "message": "ready"} | at
    pressure = {"status": "False", "reason": "KubeletHasEnough", "message": "enough"} | at
    return [ready] + [{"type": kind} | pressure for kind in ("MemoryPressure", "DiskPressure", "PIDPressure")]


def cpu_node(name: str = "cpu-0", *, pods: int = 250) -> Node:
    return Node(name=name, pods=pods)


def gpu_node(name: str = "gpu-0", *, gpus: int = 3, product: str = GPU_PRODUCT) -> Node:
    labels = {"nvidia.com/gpu.product": product, "nvidia.com/gpu.count": str(gpus), "nvidia.com/gpu.present": "true"}
    taint = {"key": GPU, "effect": "NoSchedule"}
    return Node(name=name, cpu="64", memory="512Gi", gpus=gpus, labels=labels, taints=(taint,))
