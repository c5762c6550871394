"""`python -m tools.dashboards.picture`: a real run, and what its dashboards show, in docs/images/dashboard-*.png."""

from __future__ import annotations

import argparse
import io
import tempfile
import time
from dataclasses import replace
from pathlib import Path

from PIL import Image
from tools.dashboards.boards.engine import SERVING
from tools.dashboards.boards.fleet import SPEED, THROUGHPUT
from tools.dashboards.boards.learner import TIME
from tools.dashboards.boards.streams import BUFFER
from tools.dashboards.boards.training import CURVES, PLACES
from tools.dashboards.catalogue import BOARDS
from tools.dashboards.drawing.board import picture
from tools.dashboards.drawing.box import Sheet
from tools.dashboards.drawing.kinds import Span
from tools.dashboards.live import Window
from tools.dashboards.panel import Board, Panel, Row
from tools.dashboards.scene import RunEnded, scene

REPO = Path(__file__).parents[2]
IMAGES = REPO / "docs/images"
PICTURED = Path(__file__).with_name("picture.yaml")

TAIL_SECONDS = 25.0  # of a run's end, when it plays nothing more


def collage() -> Board:
    """The panels that say most, for the README."""
    picked = (
        (CURVES, "Success", 12),
        (PLACES, "Success by level", 6),
        (PLACES, "Success by app", 6),
        (THROUGHPUT, "Episodes a minute by status", 8),
        (SPEED, "Step by stage", 8),
        (BUFFER, "Trajectories in the stream", 8),
        (TIME, "A step by phase", 12),
        (SERVING, "Seconds of an answer", 12),
    )
    panels = tuple(_resized(row, title, width) for row, title, width in picked)
    return Board(name="all", title="MobileGym", about="", rows=(Row("", panels),))


def _resized(row: Row, title: str, width: int) -> Panel:
    return replace(next(panel for panel in row.panels if panel.title == title), width=width)


def save(sheet: Sheet, path: Path) -> None:
    raw = io.BytesIO()
    sheet.figure.savefig(raw, format="png", facecolor=sheet.figure.get_facecolor())
    raw.seek(0)
    with Image.open(raw) as image:
        image.convert("RGB").save(path, optimize=True)


def draw_all(url: str, span: Span, images: Path) -> None:
    length = span.end - span.start
    rate, slow = max(20, round(length / 15)), max(40, round(length / 8))
    window = Window(rate=f"{rate}s", slow_rate=f"{slow}s", range=f"{round(length)}s")
    for board in BOARDS:
        save(picture(board, url, span, window), images / f"dashboard-{board.name}.png")
    save(picture(collage(), url, span, window), images / "dashboards.png")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tools.dashboards.picture", description=__doc__)
    parser.add_argument("-f", "--file", type=Path, default=PICTURED, help="the run's manifest")
    parser.add_argument("--minutes", type=float, default=30.0, help="stop the run then, if it has not ended")
    parser.add_argument("--out", type=Path, default=IMAGES)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, scene(args.file, Path(folder) / "run") as live:
        started = time.time()
        try:
            live.until(lambda: time.time() - started > args.minutes * 60, args.minutes * 60 + 60)
        except RunEnded:
            print("the run has ended; drawing")
        draw_all(live.prometheus.url, Span(started, time.time() - TAIL_SECONDS), args.out)


if __name__ == "__main__":
    main()
