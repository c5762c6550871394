"""A Prometheus of one's own beside one run on this machine."""

from __future__ import annotations

import json
import shutil
import socket
import subprocess
import time
import urllib.request
from collections.abc import Sequence
from pathlib import Path
from typing import Self

import yaml

from mobilegym.protocol.ports import read_ports

SCRAPE = "1s"
START_SECONDS = 30.0
NAMESPACE = "local"


class PrometheusMissing(Exception):
    """There is none on PATH."""


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


class Prometheus:
    """Scrapes what `aim` names, every second, with the labels that a cluster's monitors give."""

    def __init__(self, folder: Path, rules: Path | None = None) -> None:
        found = shutil.which("prometheus")
        if found is None:
            raise PrometheusMissing("no prometheus on PATH: install it (apt-get install prometheus)")
        self._binary = found
        self._folder = folder
        self._rules = rules
        self._targets = folder / "targets.json"
        self.url = f"http://127.0.0.1:{free_port()}"
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        """Returns when it answers. Raises TimeoutError with its log."""
        self._folder.mkdir(parents=True, exist_ok=True)
        self._targets.write_text("[]")
        config = self._folder / "prometheus.yml"
        config.write_text(yaml.safe_dump(self._config()))
        log = self._folder / "prometheus.log"
        command = [
            self._binary,
            f"--config.file={config}",
            f"--storage.tsdb.path={self._folder / 'data'}",
            f"--web.listen-address={self.url.removeprefix('http://')}",
        ]
        with log.open("wb") as out:
            self._process = subprocess.Popen(command, stdout=out, stderr=subprocess.STDOUT)
        self._await_answer(log)
        return self

    def __exit__(self, *_: object) -> None:
        if self._process is not None:
            self._process.terminate()
            self._process.wait(30)

    def _await_answer(self, log: Path) -> None:
        assert self._process is not None
        deadline = time.monotonic() + START_SECONDS
        while True:
            try:
                with urllib.request.urlopen(f"{self.url}/-/ready", timeout=5):
                    return
            except OSError:  # not there yet, or 503: reading its store
                if self._process.poll() is not None or time.monotonic() > deadline:
                    self.__exit__()
                    raise TimeoutError(f"prometheus does not answer: {log.read_text()[-2000:]}") from None
                time.sleep(0.05)

    def _config(self) -> dict[str, object]:
        files = {"files": [str(self._targets)], "refresh_interval": "1s"}
        return {
            "global": {"scrape_interval": SCRAPE, "scrape_timeout": SCRAPE, "evaluation_interval": SCRAPE},
            "rule_files": [str(self._rules)] if self._rules else [],
            "scrape_configs": [{"job_name": "mobilegym", "honor_labels": True, "file_sd_configs": [files]}],
        }

    def aim(self, run: str, run_dir: Path, operator: int | None = None) -> None:
        """At the processes of a run, as they are now; `operator` is the port of an operator's metrics."""
        groups = [
            _group(port, run=run, pod=name, part=name.partition("-")[0]) for name, port in read_ports(run_dir).items()
        ]
        if operator is not None:
            groups.append(_group(operator, pod="operator", part="operator"))
        self.scrape(groups)

    def scrape(self, groups: Sequence[dict[str, object]]) -> None:
        """These targets from now on, as Prometheus's service discovery from files has them."""
        aside = self._targets.with_suffix(".aside")
        aside.write_text(json.dumps(list(groups)))
        aside.replace(self._targets)


def _group(port: int, **labels: str) -> dict[str, object]:
    return {"targets": [f"127.0.0.1:{port}"], "labels": {"namespace": NAMESPACE, **labels}}
