"""The operator as processes that may be killed, frozen and ended."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path

from prometheus_client.parser import text_string_to_metric_families
from tools.kube.addresses import free_port
from tools.kube.cluster import Cluster
from tools.kube.wait import until

from mobilegym.operator.urls import ROLES

IMAGES = ("--worker-image", "mobilegym/worker:test", "--learner-image", "mobilegym/learner:test")


class Operator:
    """`python -m mobilegym.operator` for the runs of one namespace, or of all."""

    def __init__(
        self, cluster: Cluster, folder: Path, *, namespace: str, redis_url: str, identity: str, everywhere: bool = False
    ) -> None:
        self.identity = identity
        self.log = folder / f"{identity}.log"
        self._kubeconfig = cluster.kubeconfig
        self._metrics, self._probe = free_port(), free_port()
        ports = ("--metrics-port", str(self._metrics), "--probe-port", str(self._probe))
        urls = redis_folder(folder, redis_url)
        watch = () if everywhere else ("--watch", namespace)
        own = ("--namespace", namespace, *watch, "--identity", identity, "--redis", str(urls))
        self._command = (sys.executable, "-m", "mobilegym.operator", *own, *ports, *IMAGES)
        self._process: subprocess.Popen[bytes] | None = None

    # -- life --

    def start(self) -> Operator:
        """Returns at once; `wait_ready`, `wait_leads` say when it does something."""
        environment = os.environ | {"KUBECONFIG": str(self._kubeconfig)}
        environment.pop("KUBERNETES_SERVICE_HOST", None)
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(self._command, env=environment, stdout=log, stderr=log)
        return self

    @property
    def process(self) -> subprocess.Popen[bytes]:
        assert self._process is not None, f"{self.identity} was not started"
        return self._process

    @property
    def alive(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def kill(self) -> None:
        """SIGKILL: a crash."""
        self.process.kill()
        self.process.wait()

    def stop(self) -> int:
        """SIGTERM, as a kubelet ends it; the exit code."""
        self.process.terminate()
        return self.process.wait(30)

    def freeze(self) -> None:
        self.process.send_signal(signal.SIGSTOP)

    def thaw(self) -> None:
        self.process.send_signal(signal.SIGCONT)

    def end(self) -> None:
        """However it is."""
        if self.alive:
            self.kill()

    # -- what it says --

    def wait_ready(self, seconds: float = 60.0) -> Operator:
        until(lambda: self._ask(self._probe, "/readyz") == "ok\n", f"{self.identity}'s first lists", seconds=seconds)
        return self

    def wait_leads(self, seconds: float = 60.0) -> Operator:
        until(lambda: self.leads, f"{self.identity} to lead", seconds=seconds)
        return self

    @property
    def leads(self) -> bool:
        return self.metric("mobilegym_operator_leader") == 1

    @property
    def health(self) -> str:
        return self._ask(self._probe, "/healthz").strip()

    def writes(self, **labels: str) -> float:
        """Sent to the API server, the Lease aside."""
        return self.metric("mobilegym_operator_writes_total", **labels)

    def refusals(self, **labels: str) -> float:
        return self.metric("mobilegym_operator_refusals_total", **labels)

    def reconciles(self, outcome: str = "ok") -> float:
        return self.metric("mobilegym_operator_reconciles_total", outcome=outcome)

    def metric(self, name: str, **labels: str) -> float:
        """The sum of all samples of that name with these labels; 0 where it does not answer."""
        text = self._ask(self._metrics, "/metrics")
        return sum(
            sample.value
            for family in text_string_to_metric_families(text)
            for sample in family.samples
            if sample.name == name and labels.items() <= sample.labels.items()
        )

    def _ask(self, port: int, path: str) -> str:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=5) as answer:
                return str(answer.read().decode())
        except OSError:
            return ""


def redis_folder(folder: Path, url: str) -> Path:
    """As the operator finds its own Redis: a file a role."""
    urls = folder / "redis-urls"
    urls.mkdir(exist_ok=True)
    for role in ROLES:
        (urls / role).write_text(url + "\n")
    return urls
