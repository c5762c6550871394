"""A cluster as its user sees it: a kubeconfig and the two command line clients."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from tools.kube.binaries import find_client


class CommandError(Exception):
    """kubectl or helm ended with an error: the message is what it printed."""


class Cluster:
    def __init__(self, kubeconfig: Path) -> None:
        self.kubeconfig = kubeconfig

    def kubectl(self, *args: str, input: str | None = None, timeout: float = 60.0) -> str:
        """What kubectl printed. Raises CommandError, subprocess.TimeoutExpired after `timeout` seconds."""
        return self._run(str(find_client("kubectl")), *args, input=input, timeout=timeout)

    def helm(self, *args: str, input: str | None = None, timeout: float = 120.0) -> str:
        return self._run(str(find_client("helm")), *args, input=input, timeout=timeout)

    def _run(self, *command: str, input: str | None, timeout: float) -> str:
        environment = os.environ | {"KUBECONFIG": str(self.kubeconfig)}
        done = subprocess.run(command, input=input, timeout=timeout, env=environment, capture_output=True, text=True)
        if done.returncode:
            shown = " ".join((Path(command[0]).name, *command[1:]))
            raise CommandError(f"{shown}: exit {done.returncode}\n{done.stderr}{done.stdout}")
        return done.stdout
