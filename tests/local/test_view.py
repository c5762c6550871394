"""What a person sees of a run."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from rich.console import Console

from mobilegym.learner.curve import main as draw_curve
from mobilegym.local.snapshot import LIVE, Snapshot, Watch
from mobilegym.local.summary import as_data, print_summary
from mobilegym.local.view import PlainView, duration, panel
from mobilegym.protocol.messages import Heartbeat
from mobilegym.protocol.progress import Progress, read_progress
from mobilegym.protocol.streams import Counters

STEP = {
    "kind": "step",
    "success": 0.5,
    "reward": 0.6,
    "loss": 0.01,
    "staleness": 0.5,
    "seconds_rollout": 8,
    "seconds_train": 2,
}
EVAL = {"kind": "eval", "n": 4, "low": 0.2, "high": 0.8}


def write(file: Path, *rows: dict[str, object], end: str = "") -> Progress:
    file.write_text("".join(json.dumps(row) + "\n" for row in rows) + end)
    return read_progress(file)


@pytest.fixture
def progress(tmp_path: Path) -> Progress:
    return write(
        tmp_path / "metrics.jsonl",
        EVAL | {"version": 0, "success": 0.25, "per_template": {"clock.alarm": [1, 2], "notes.pin": [0, 2]}},
        STEP | {"step": 1},
        STEP | {"step": 2},
        EVAL | {"version": 2, "success": 0.75, "per_template": {"clock.alarm": [2, 2], "notes.pin": [1, 2]}},
    )


def counters(trained: int) -> Counters:
    return Counters(issued=200, waiting=1, leased=5, depth=2, pending=3, trained=trained, discarded=1, dead=0)


BEATS = [
    Heartbeat(who="worker-0", role="worker", at=0, detail={"phones": 8, "busy": 5}),
    Heartbeat(who="worker-1", role="worker", at=0, detail={"phones": 8, "busy": 8}),
    Heartbeat(who="learner", role="learner", at=0, detail={"phase": "collecting"}),
]


def look(progress: Progress) -> Snapshot:
    watch = Watch(name="pocket", total_steps=10)
    watch.look(0.0, Progress(), BEATS, counters(10), LIVE)
    watch.look(10.0, Progress(steps=progress.steps[:1]), BEATS, counters(20), LIVE)
    return watch.look(30.0, progress, BEATS, counters(40), LIVE)


def shown(thing: object) -> str:
    out = io.StringIO()
    Console(file=out, width=100).print(thing)
    return out.getvalue()


def test_a_line_being_written_is_left_out(tmp_path: Path) -> None:
    assert [line.step for line in write(tmp_path / "m", STEP | {"step": 1}, end='{"step": 2, "suc').steps] == [1]


def test_a_step_done_again_counts_once(tmp_path: Path) -> None:
    again = write(tmp_path / "m", STEP | {"step": 1}, STEP | {"step": 2}, STEP | {"step": 2, "success": 0.9})
    assert [(line.step, line.success) for line in again.steps] == [(1, 0.5), (2, 0.9)]


def test_rates_and_time_left_come_from_what_was_seen(progress: Progress) -> None:
    snapshot = look(progress)
    assert (snapshot.step, snapshot.phones, snapshot.busy, snapshot.workers) == (2, 16, 13, 2)
    assert snapshot.episodes_per_minute == 60.0
    assert snapshot.seconds_left == 160.0  # 20 s a step, 8 to go
    assert snapshot.doing == "collecting"


def test_before_two_steps_the_learner_is_believed(progress: Progress) -> None:
    watch = Watch(name="pocket", total_steps=10)
    one = watch.look(0.0, Progress(steps=progress.steps[:1]), [], None)
    assert one.seconds_left == 90.0


def test_the_panel_says_how_it_stands(progress: Progress) -> None:
    text = shown(panel(look(progress)))
    for part in (
        "step 2 of 10",
        "collecting, 3 min left",
        "success 0.50, reward 0.60",
        "success 0.750 [0.200, 0.800] (n=4) after step 2, 0.250 [0.200, 0.800] (n=4) before",
        "45, 60 a minute",
        "13 of 16 busy, 2 workers",
        "1 discarded",
    ):
        assert part in text, text


def test_plain_lines_come_once_a_step(progress: Progress) -> None:
    out = io.StringIO()
    view = PlainView(Console(file=out, width=100))
    for _ in range(3):
        view.show(look(progress))
    assert out.getvalue().splitlines() == [
        "held-out after step 2: 0.750 [0.200, 0.800] (n=4)",
        "step 2/10: success 0.50, reward 0.60, loss 0.0100, staleness 0.5, 3 min left",
    ]


def test_the_summary_compares_before_and_after(progress: Progress) -> None:
    out = io.StringIO()
    print_summary(Console(file=out, width=120), progress)
    rows = {line.split()[1]: line for line in out.getvalue().splitlines() if line.startswith("│")}
    assert "0.50" in rows["clock.alarm"]
    assert "1.00" in rows["clock.alarm"]
    assert "+0.500" in rows["all"]
    data = as_data(progress, Path("/runs/a"), 0, "done")
    assert data["templates"]["notes.pin"] == {"before": 0.0, "after": 0.5}
    assert data["after"]["success"] == 0.75


def test_a_run_without_evaluations_says_so() -> None:
    out = io.StringIO()
    print_summary(Console(file=out), Progress())
    assert out.getvalue() == "no evaluation was finished\n"


def test_the_curve_is_a_picture(tmp_path: Path, progress: Progress) -> None:
    draw_curve(tmp_path / "metrics.jsonl", tmp_path / "curve.png")
    assert (tmp_path / "curve.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(("seconds", "text"), [(None, "?"), (89, "89 s"), (600, "10 min"), (9000, "2 h 30 min")])
def test_durations(seconds: float | None, text: str) -> None:
    assert duration(seconds) == text
