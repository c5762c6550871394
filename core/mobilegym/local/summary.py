"""What a run achieved: held-out success before and after."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from mobilegym.local.view import interval
from mobilegym.protocol.progress import EvalLine, Progress, TemplateScore


def as_data(progress: Progress, folder: Path, exit_code: int, message: str) -> dict[str, Any]:
    first, last = _ends(progress)
    return {
        "folder": str(folder),
        "exitCode": exit_code,
        "message": message,
        "steps": progress.steps[-1].step if progress.steps else 0,
        "before": _eval_data(first),
        "after": _eval_data(last),
        "templates": {
            name: {"before": before.success if before else None, "after": after.success if after else None}
            for name, before, after in _by_template(first, last)
        },
    }


def print_summary(console: Console, progress: Progress) -> None:
    first, last = _ends(progress)
    if first is None:
        console.print("no evaluation was finished", style="yellow")
        return
    if last is None:
        console.print(f"held-out success {interval(first)} after step {first.version}; no later evaluation")
        return
    table = Table(title="held-out success", title_justify="left")
    table.add_column("template", overflow="fold")
    table.add_column(f"step {first.version}", justify="right")
    table.add_column(f"step {last.version}", justify="right")
    table.add_column("change", justify="right")
    table.add_column("n", justify="right", style="dim")
    for name, before, after in _by_template(first, last):
        count = f"{before.n if before else 0}/{after.n if after else 0}"
        table.add_row(name, _rate(before), _rate(after), _change(before, after), count)
    table.add_section()
    change = f"{last.success - first.success:+.3f}"
    table.add_row("all", f"{first.success:.3f}", f"{last.success:.3f}", change, f"{first.n}/{last.n}", style="bold")
    console.print(table)
    console.print(f"95 % intervals  {_bounds(first)} before, {_bounds(last)} after", highlight=False)


def _ends(progress: Progress) -> tuple[EvalLine | None, EvalLine | None]:
    found = progress.evaluations
    return (found[0] if found else None), (found[-1] if len(found) > 1 else None)


def _by_template(
    first: EvalLine | None, last: EvalLine | None
) -> list[tuple[str, TemplateScore | None, TemplateScore | None]]:
    before = first.per_template if first is not None else {}
    after = last.per_template if last is not None else {}
    return [(name, before.get(name), after.get(name)) for name in sorted({*before, *after})]


def _eval_data(found: EvalLine | None) -> dict[str, Any] | None:
    if found is None:
        return None
    return {"step": found.version, "success": found.success, "low": found.low, "high": found.high, "n": found.n}


def _bounds(found: EvalLine) -> str:
    return f"[{found.low:.3f}, {found.high:.3f}]" if found.low is not None and found.high is not None else "unknown"


def _rate(score: TemplateScore | None) -> str:
    return f"{score.success:.2f}" if score is not None else "-"


def _change(before: TemplateScore | None, after: TemplateScore | None) -> str:
    return f"{after.success - before.success:+.2f}" if before is not None and after is not None else "-"
