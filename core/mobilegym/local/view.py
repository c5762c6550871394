"""A run on the terminal: a live panel where there is a terminal, plain lines where there is none."""

from __future__ import annotations

from abc import ABC, abstractmethod
from types import TracebackType
from typing import Self

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.panel import Panel
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from mobilegym.local.snapshot import Snapshot
from mobilegym.protocol.progress import EvalLine, StepLine


class View(ABC):
    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        return None

    @abstractmethod
    def say(self, line: str) -> None:
        """Something happened."""

    @abstractmethod
    def show(self, snapshot: Snapshot) -> None:
        """How it stands now."""


class PlainView(View):
    """A line a step and a line an evaluation."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._step = -1
        self._version = -1

    def say(self, line: str) -> None:
        self._console.print(line, markup=False, highlight=False, soft_wrap=True)

    def show(self, snapshot: Snapshot) -> None:
        found = snapshot.last_eval
        if found is not None and found.version != self._version:
            self._version = found.version
            self.say(f"held-out after step {found.version}: {interval(found)}")
        if snapshot.last is not None and snapshot.step != self._step:
            self._step = snapshot.step
            left = f", {duration(snapshot.seconds_left)} left" if snapshot.seconds_left else ""
            self.say(f"step {snapshot.step}/{snapshot.total_steps}: {_learning(snapshot.last)}{left}")


class LiveView(View):
    """A panel that is drawn over, with what happened above it."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._live = Live(console=console, refresh_per_second=4, transient=False)

    def __enter__(self) -> Self:
        self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._live.stop()

    def say(self, line: str) -> None:
        self._console.print(line, markup=False, highlight=False)

    def show(self, snapshot: Snapshot) -> None:
        self._live.update(panel(snapshot))


def open_view(console: Console) -> View:
    return LiveView(console) if console.is_terminal else PlainView(console)


def panel(snapshot: Snapshot) -> RenderableType:
    head = Table.grid(expand=True)
    head.add_column(ratio=1)
    head.add_column(justify="right")
    left = snapshot.doing
    if snapshot.seconds_left:
        left += f", {duration(snapshot.seconds_left)} left"
    head.add_row(Text(f"step {snapshot.step} of {snapshot.total_steps}", style="bold"), Text(left))
    rows = Table.grid(padding=(0, 2))
    rows.add_column(style="dim")
    rows.add_column()
    for name, text in _rows(snapshot):
        rows.add_row(name, text)
    bar = ProgressBar(total=snapshot.total_steps, completed=snapshot.step)
    return Panel(Group(head, bar, rows), title=snapshot.name, title_align="left")


def _rows(snapshot: Snapshot) -> list[tuple[str, str]]:
    rows: list[tuple[str, str]] = []
    if snapshot.last is not None:
        rows.append(("train batch", _batch(snapshot.last)))
    if snapshot.first_eval is not None and snapshot.last_eval is not None:
        first, last = snapshot.first_eval, snapshot.last_eval
        then = f", {interval(first)} before" if last.version != first.version else ""
        rows.append(("held-out", f"success {interval(last)} after step {last.version}{then}"))
    rate = f", {snapshot.episodes_per_minute:.0f} a minute" if snapshot.episodes_per_minute is not None else ""
    rows.append(("episodes", f"{snapshot.episodes}{rate}"))
    rows.append(("phones", f"{snapshot.busy} of {snapshot.phones} busy, {snapshot.workers} workers"))
    if snapshot.last is not None:
        rows.append(("learner", _inside(snapshot.last)))
    counters = snapshot.counters
    if counters is not None:
        waits = f"{counters.depth} trajectories wait, {counters.leased} episodes in play"
        lost = f", {counters.discarded} discarded" if counters.discarded else ""
        dead = f", {counters.dead} dead" if counters.dead else ""
        rows.append(("streams", waits + lost + dead))
    return rows


def _learning(line: StepLine) -> str:
    return ", ".join(part for part in (_batch(line), _inside(line)) if part)


def _batch(line: StepLine) -> str:
    return _joined(("success", line.success, ".2f"), ("reward", line.reward, ".2f"))


def _inside(line: StepLine) -> str:
    return _joined(
        ("loss", line.loss, ".4f"),
        ("KL", line.kl, ".4f"),
        ("clipped", line.clip_fraction, ".1%"),
        ("entropy", line.entropy, ".2f"),
        ("staleness", line.staleness, ".1f"),
    )


def _joined(*parts: tuple[str, float | None, str]) -> str:
    return ", ".join(f"{name} {value:{form}}" for name, value, form in parts if value is not None)


def interval(found: EvalLine) -> str:
    """A rate with its 95 % interval and number of episodes."""
    text = f"{found.success:.3f}"
    if found.low is not None and found.high is not None:
        text += f" [{found.low:.3f}, {found.high:.3f}]"
    return f"{text} (n={found.n})" if found.n else text


def duration(seconds: float | None) -> str:
    if seconds is None:
        return "?"
    if seconds < 90:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 120 else f"{minutes // 60} h {minutes % 60} min"
