"""The pocket run as `make train` runs it: three seeds, and a control of equal length whose advantages are shuffled.

Each run's folder is kept under runs/bench-*; one that has ended is read again instead of being repeated.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import yaml

from bench.figure import Figure

REPO = Path(__file__).parent.parent
MANIFEST = REPO / "examples" / "pocket.yaml"
CARD = REPO / "learner" / "mobilegym" / "pocket" / "weights" / "card.json"
SEEDS = [int(seed) for seed in os.environ.get("BENCH_TRAIN_SEEDS", "0 1 2").split()]


def ended(folder: Path) -> bool:
    """Whether the run in this folder has come to its last evaluation."""
    file = folder / "metrics.jsonl"
    steps = yaml.safe_load(MANIFEST.read_text())["spec"]["algorithm"]["totalSteps"]
    return file.is_file() and any(line["kind"] == "eval" and line["version"] == steps for line in read(file))


def read(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text().splitlines()]


def run(name: str, seed: int, *, shuffle: bool) -> Path:
    """Runs it, unless it was run before. Returns its folder."""
    folder = REPO / "runs" / name
    if ended(folder):
        return folder
    manifest = yaml.safe_load(MANIFEST.read_text())
    manifest["metadata"]["name"] = name
    manifest["spec"]["algorithm"] |= {"seed": seed, "shuffleAdvantages": shuffle}
    file = folder.with_suffix(".yaml")
    file.parent.mkdir(exist_ok=True)
    file.write_text(yaml.safe_dump(manifest))
    command = [sys.executable, "-m", "mobilegym.cli.main", "run", "-f", str(file), "--dir", str(folder)]
    subprocess.run(command, check=True, stdout=sys.stderr)
    return folder


def minutes(folder: Path) -> float:
    """From the start of the first process to the end of the last."""
    state = json.loads((folder / "state.json").read_text())
    return (float(state["ended"]) - float(state["started"])) / 60


def figures(name: str, folder: Path) -> list[Figure]:
    """Success before and after, each with its 95 % Wilson interval as range, and the time it took."""
    lines = read(folder / "metrics.jsonl")
    evaluations = [line for line in lines if line["kind"] == "eval"]
    steps = sum(line["kind"] == "step" for line in lines)
    points = (("before", evaluations[0]), (f"after {steps} steps", evaluations[-1]))
    found = [
        Figure(
            name=f"{name}: success {when}",
            unit="share",
            runs=1,
            median=line["success"],
            low=line["low"],
            high=line["high"],
            note=f"{line['n']} held-out episodes; the range is the 95 % interval",
        )
        for when, line in points
    ]
    return [*found, Figure.of(f"{name}: time", "min", [minutes(folder)], "evaluations included")]


def imitation() -> Figure:
    card = json.loads(CARD.read_text())
    return Figure(
        name="best imitation checkpoint, where the runs start",
        unit="share",
        runs=1,
        median=card["imitation_ceiling"],
        low=card["success_low"],
        high=card["success_high"],
        note=f"{card['episodes']} held-out episodes of its own evaluation; the range is the 95 % interval",
    )


def main() -> None:
    imitation().say()
    gains = []
    for seed in SEEDS:
        before, after, time = figures(f"seed {seed}", run(f"bench-seed-{seed}", seed, shuffle=False))
        for figure in (before, after, time):
            figure.say()
        gains.append(100 * (after.median - before.median))
    Figure.of("gain in held-out success", "points", gains, "over the seeds").say()
    for figure in figures("control, advantages shuffled", run("bench-control", SEEDS[0], shuffle=True)):
        figure.say()


if __name__ == "__main__":
    main()
