"""`python -m mobilegym.learner.curve METRICS PNG`: the success curve of a run as a picture."""

from __future__ import annotations

import sys
from pathlib import Path

import matplotlib
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from mobilegym.protocol.progress import EvalLine, Progress, read_progress

matplotlib.use("Agg")
TRAIN, HELD_OUT = "#9aa5b1", "#1f6feb"
SMOOTH = 5  # steps in the moving mean of the training batches


def draw(progress: Progress, title: str) -> Figure:
    """Success by learner step: training batches (dots, moving mean) and held-out tasks with their 95 % interval."""
    figure = Figure(figsize=(8, 4.5), dpi=120, layout="constrained")
    axes = figure.add_subplot()
    _train(axes, progress)
    _held_out(axes, progress.evaluations)
    axes.set(title=title, xlabel="learner step", ylabel="success", ylim=(0, 1))
    axes.grid(alpha=0.3)
    axes.spines[["top", "right"]].set_visible(False)
    if axes.get_legend_handles_labels()[0]:
        axes.legend(loc="upper left", frameon=False)
    return figure


def _train(axes: Axes, progress: Progress) -> None:
    points = [(line.step, line.success) for line in progress.steps if line.success is not None]
    if not points:
        return
    steps, rates = [step for step, _ in points], [rate for _, rate in points]
    window = [rates[max(0, i + 1 - SMOOTH) : i + 1] for i in range(len(rates))]
    axes.plot(steps, rates, ".", color=TRAIN, markersize=4)
    axes.plot(steps, [sum(part) / len(part) for part in window], color=TRAIN, label=f"training, mean of {SMOOTH}")


def _held_out(axes: Axes, found: tuple[EvalLine, ...]) -> None:
    if not found:
        return
    versions, rates = [line.version for line in found], [line.success for line in found]
    axes.plot(versions, rates, "o-", color=HELD_OUT, label=f"held-out, n={found[-1].n}")
    low = [line.success if line.low is None else line.low for line in found]
    high = [line.success if line.high is None else line.high for line in found]
    axes.fill_between(versions, low, high, color=HELD_OUT, alpha=0.15, linewidth=0)


def main(metrics: Path, picture: Path) -> None:
    figure = draw(read_progress(metrics), metrics.parent.name)
    aside = picture.with_suffix(".aside.png")
    figure.savefig(aside)
    aside.replace(picture)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: python -m mobilegym.learner.curve METRICS PNG")
    main(Path(sys.argv[1]), Path(sys.argv[2]))
