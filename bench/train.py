"""The pocket run as `make train` runs it: three seeds, and a control whose advantages are shuffled."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import yaml

from bench.figure import Figure

REPO = Path(__file__).parent.parent
MANIFEST = REPO / "examples" / "pocket.yaml"
SEEDS = [int(seed) for seed in os.environ.get("BENCH_TRAIN_SEEDS", "0 1 2").split()]


def run(seed: int, folder: Path, *, shuffle: bool) -> tuple[float, list[dict[str, Any]]]:
    """Minutes, and the lines of metrics.jsonl."""
    manifest = yaml.safe_load(MANIFEST.read_text())
    manifest["metadata"]["name"] = f"bench-{'control' if shuffle else 'seed'}-{seed}"
    manifest["spec"]["algorithm"] |= {"seed": seed, "shuffleAdvantages": shuffle}
    manifest["spec"].setdefault("tasks", {})["seed"] = seed
    file = folder / "run.yaml"
    file.write_text(yaml.safe_dump(manifest))
    started = time.perf_counter()
    command = [sys.executable, "-m", "mobilegym.cli.main", "run", "-f", str(file), "--dir", str(folder / "run")]
    subprocess.run(command, check=True, stdout=sys.stderr)
    minutes = (time.perf_counter() - started) / 60
    return minutes, [json.loads(line) for line in (folder / "run" / "metrics.jsonl").read_text().splitlines()]


def figures(name: str, minutes: float, lines: list[dict[str, Any]]) -> list[Figure]:
    evaluations = [line for line in lines if line["kind"] == "eval"]
    first, last = evaluations[0], evaluations[-1]
    steps = sum(line["kind"] == "step" for line in lines)
    note = f"n = {last['n']} held-out episodes; range is the 95 % Wilson interval"
    return [
        Figure(
            name=f"{name}: success before",
            unit="share",
            runs=1,
            median=first["success"],
            low=first["low"],
            high=first["high"],
            note=note,
        ),
        Figure(
            name=f"{name}: success after {steps} steps",
            unit="share",
            runs=1,
            median=last["success"],
            low=last["low"],
            high=last["high"],
            note=note,
        ),
        Figure.of(f"{name}: wall time", "min", [minutes]),
    ]


def main() -> None:
    gains, times = [], []
    for seed in SEEDS:
        with tempfile.TemporaryDirectory(prefix="mobilegym-bench-") as folder:
            minutes, lines = run(seed, Path(folder), shuffle=False)
        before, _, _ = parts = figures(f"pocket, seed {seed}", minutes, lines)
        for figure in parts:
            figure.say()
        gains.append(100 * (parts[1].median - before.median))
        times.append(minutes)
    Figure.of("pocket: gain in held-out success", "points", gains, "over the seeds").say()
    Figure.of("pocket: wall time", "min", times, "over the seeds").say()
    with tempfile.TemporaryDirectory(prefix="mobilegym-bench-") as folder:
        minutes, lines = run(SEEDS[0], Path(folder), shuffle=True)
    for figure in figures("control, shuffled advantages", minutes, lines):
        figure.say()


if __name__ == "__main__":
    main()
