"""A real run on this machine with a Prometheus and an operator's metrics beside it."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import yaml
from tools.dashboards.bystander import Bystander
from tools.dashboards.prometheus import Prometheus

SHORT_RUN = Path(__file__).with_name("short.yaml")
REDIS_SECONDS = 60.0
LOOK_SECONDS = 0.5


class RunEnded(Exception):
    """The run ended before what was waited for."""


@dataclass(frozen=True, kw_only=True)
class Scene:
    run: subprocess.Popen[bytes]
    name: str
    folder: Path
    prometheus: Prometheus
    operator: int  # port

    def until(self, condition: Callable[[], bool], seconds: float) -> None:
        """Also keeps Prometheus aimed at what runs. Raises RunEnded or TimeoutError."""
        deadline = time.monotonic() + seconds
        while True:
            self.prometheus.aim(self.name, self.folder, self.operator)
            if condition():
                return
            if self.run.poll() is not None:
                raise RunEnded(f"the run ended with {self.run.returncode}: see {self.folder / 'run.log'}")
            if time.monotonic() > deadline:
                raise TimeoutError(f"not so after {seconds:g} s: see {self.folder / 'logs'}")
            time.sleep(LOOK_SECONDS)


@contextmanager
def scene(manifest: Path, folder: Path, rules: Path | None = None) -> Iterator[Scene]:
    """`folder` is new. At the end the run is stopped, Prometheus too."""
    folder.mkdir(parents=True, exist_ok=True)
    name = str(yaml.safe_load(manifest.read_text(encoding="utf-8"))["metadata"]["name"])
    command = [sys.executable, "-m", "mobilegym.cli.main", "run", "-f", str(manifest), "--dir", str(folder)]
    with Prometheus(folder / "prometheus", rules) as prometheus, (folder / "run.log").open("wb") as log:
        run = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT)
        try:
            with Bystander(manifest, _redis_of(run, folder)) as operator:
                yield Scene(run=run, name=name, folder=folder, prometheus=prometheus, operator=operator.port)
        finally:
            run.terminate()
            run.wait(120)


def _redis_of(run: subprocess.Popen[bytes], folder: Path) -> str:
    state = folder / "state.json"
    deadline = time.monotonic() + REDIS_SECONDS
    while not state.exists():
        if run.poll() is not None or time.monotonic() > deadline:
            raise RunEnded(f"the run did not start: {(folder / 'run.log').read_text()[-2000:]}")
        time.sleep(LOOK_SECONDS)
    return str(json.loads(state.read_text())["redis"])
