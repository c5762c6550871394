"""Runs the parts, each in a process of its own, and writes what they say."""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bench.figure import Figure

HERE = Path(__file__).parent
RESULTS = HERE / "results.json"
TABLE = HERE.parent / "docs" / "benchmarks.md"
PARTS = {
    "phone": "Phones: reset, restore, start, steps, memory",
    "learner": "Learner: tokens a second, beside TRL's loss on the same model and data",
    "autoscaler": "Autoscaler: simulated hours, beside fleets of a fixed size",
    "cluster": "A run on a cluster: its start and its faults, on the process kubelet of one machine",
    "scale": "One operator and many runs, on a real API server with nodes that run nothing",
    "train": "Training: the pocket run, three seeds and a control",
    "nightly": "The tests that take longer: the last `make nightly`",
}
ASKED_FOR = {"nightly"}  # parts that only run when named

HEAD = """# Benchmarks

Measured by `make bench`, which rewrites this page and `bench/results.json`. Median and range over the runs of each
figure; nothing here is an estimate. A shared machine makes times noisy: read them with their range.
"""


def measure(part: str) -> list[Figure]:
    """Raises SystemExit with the part's own output where it fails."""
    done = subprocess.run(
        [sys.executable, "-m", f"bench.{part}"], stdout=subprocess.PIPE, text=True, cwd=HERE.parent, check=False
    )
    if done.returncode != 0:
        raise SystemExit(f"bench: {part} failed with exit code {done.returncode}; its messages are above")
    return [Figure(**json.loads(line)) for line in done.stdout.splitlines() if line.startswith("{")]


def machine() -> dict[str, Any]:
    return {
        "cores": os.cpu_count(),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
    }


def stored() -> dict[str, Any]:
    return json.loads(RESULTS.read_text()) if RESULTS.is_file() else {}


def number(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"


def row(figure: dict[str, Any]) -> str:
    median, low, high = (number(figure[key]) for key in ("median", "low", "high"))
    return f"| {figure['name']} | {median} | {low} to {high} | {figure['unit']} | {figure['runs']} | {figure['note']} |"


def table(results: dict[str, Any]) -> str:
    lines = [HEAD]
    for part, title in PARTS.items():
        if part not in results:
            continue
        at = results[part]
        where = (
            f"{at['machine']['cores']} cores, {at['machine']['system']}, Python {at['machine']['python']}, {at['when']}"
        )
        lines += [
            f"## {title}",
            "",
            where,
            "",
            "| figure | median | range | unit | runs | note |",
            "|---|---|---|---|---|---|",
        ]
        lines += [*map(row, at["figures"]), ""]
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("parts", nargs="*", help=f"which of: {', '.join(PARTS)}; all but nightly where none is named")
    parts = parser.parse_args().parts or [part for part in PARTS if part not in ASKED_FOR]
    unknown = sorted(set(parts) - set(PARTS))
    if unknown:
        parser.error(f"no part {', '.join(unknown)}; there are {', '.join(PARTS)}")
    for part in parts:
        print(f"bench: {part} ...", file=sys.stderr)
        figures = [asdict(figure) for figure in measure(part)]
        results = stored()
        results[part] = {"machine": machine(), "when": datetime.now(UTC).strftime("%Y-%m-%d"), "figures": figures}
        RESULTS.write_text(json.dumps(results, indent=1) + "\n")
        TABLE.write_text(table(results))
    print(f"bench: wrote {RESULTS.relative_to(HERE.parent)} and {TABLE.relative_to(HERE.parent)}", file=sys.stderr)


if __name__ == "__main__":
    main()
