"""Episodes as a page: each screenshot with the action drawn on it, the model's words, the verdict goal by goal."""

from __future__ import annotations

import base64
import html
import json
from collections.abc import Iterable, Sequence
from typing import Any

from mobilegym.protocol.blobs import BlobStore
from mobilegym.protocol.errors import BlobError
from mobilegym.protocol.messages import StepRecord, Trajectory

STYLE = """
body { margin: 0; padding: 24px 32px; font: 15px/1.5 system-ui, sans-serif; background: #f4f3f8; color: #1b1b21 }
h1 { font-size: 22px } h2 { font-size: 18px; margin: 0 } a { color: #3f51b5; text-decoration: none }
table { border-collapse: collapse; background: #fff; border-radius: 12px; overflow: hidden }
td, th { padding: 6px 14px; text-align: left; border-bottom: 1px solid #ecebf2 } th { background: #e9e7f2 }
td.n { text-align: right; font-variant-numeric: tabular-nums }
article { background: #fff; border-radius: 16px; padding: 20px 24px; margin: 20px 0 }
.steps { display: flex; gap: 14px; overflow-x: auto; padding: 12px 0 }
figure { margin: 0; flex: none; width: 192px }
figcaption { font: 12px/1.4 ui-monospace, monospace; word-break: break-word }
.shot { position: relative; line-height: 0; border-radius: 10px; overflow: hidden; border: 1px solid #d9d7e4 }
.shot img { width: 192px } .shot svg { position: absolute; inset: 0; width: 100%; height: 100% }
.good { color: #2e7d4f } .bad { color: #ba1a1a } small { color: #5d5c68 }
.missing { width: 192px; height: 416px; display: grid; place-items: center; color: #5d5c68; line-height: 1.4 }
"""


class Frame:
    """Where the screen lies in a stored picture, in shares of it: a pocket picture has a margin."""

    def __init__(self, left: float = 0.0, top: float = 0.0, width: float = 1.0, height: float = 1.0) -> None:
        self.left, self.top, self.width, self.height = left, top, width, height

    def percent(self, x: float, y: float) -> tuple[float, float]:
        return 100 * (self.left + x * self.width), 100 * (self.top + y * self.height)


POCKET_FRAME = Frame(6 / 192, 16 / 416, 180 / 192, 400 / 416)


def page(title: str, body: str) -> str:
    return f"<!doctype html><meta charset=utf-8><title>{html.escape(title)}</title><style>{STYLE}</style>{body}"


def index(run: str, trajectories: Sequence[Trajectory]) -> str:
    """The list of a run's episodes, each linking to its anchor."""
    rows = "".join(
        f"<tr><td><a href='#{t.id}'>{html.escape(t.template)}</a><td>{html.escape(t.purpose)}<td>{html.escape(t.group)}"
        f"<td class=n>{t.member}<td>{t.status.value}<td class=n>{'' if t.reward is None else f'{t.reward:.2f}'}"
        f"<td class=n>{len(t.steps)}<td class=n>{t.min_version}"
        for t in trajectories
    )
    head = "<tr><th>template<th>purpose<th>group<th>member<th>status<th>reward<th>steps<th>policy version"
    return f"<h1>{html.escape(run)}: {len(trajectories)} episodes</h1><table>{head}{rows}</table>"


def episode(t: Trajectory, blobs: BlobStore, frame: Frame) -> str:
    """One episode: goal, verdict, filmstrip."""
    steps = "".join(step(n, s, blobs, frame) for n, s in enumerate(t.steps))
    last = figure(t.final_image, blobs, "", "at the end") if t.final_image else ""
    reward = "" if t.reward is None else f", reward {t.reward:.2f}"
    return (
        f"<article id='{t.id}'><h2>{html.escape(t.goal)}</h2>"
        f"<small>{html.escape(t.template)} · seed {t.seed} · group {html.escape(t.group)} member {t.member}"
        f" · attempt {t.attempt} · {t.status.value}{reward}</small>{verdict(t)}"
        f"<div class=steps>{steps}{last}</div></article>"
    )


def verdict(t: Trajectory) -> str:
    if t.verdict is None:
        return f"<p class=bad>not judged: {html.escape(t.error)}</p>"
    lines = [
        f"<li class={'good' if g.holds else 'bad'}>{'✓' if g.holds else '✗'} {html.escape(f'{g.name} {g.reason}')}"
        for g in t.verdict.goals
    ]
    lines += [
        f"<li class=bad>side effect at step {e.step}: {html.escape(e.action)} changed {html.escape(e.path)}"
        for e in t.verdict.side_effects
    ]
    if t.answer is not None:
        lines.append(f"<li>answered: {html.escape(t.answer)}")
    return f"<ul>{''.join(lines)}</ul>"


def step(number: int, record: StepRecord, blobs: BlobStore, frame: Frame) -> str:
    words = record.text or record.action
    error = f"<br><span class=bad>{html.escape(record.error)}</span>" if record.error else ""
    return figure(record.image, blobs, overlay(record.action, frame), f"{number}: {html.escape(words)}{error}")


def figure(key: str, blobs: BlobStore, drawing: str, caption: str) -> str:
    try:
        data = blobs.get(key)
    except BlobError:
        shot = "<div class=missing>screenshot no longer stored</div>"
    else:
        kind = "png" if data.startswith(b"\x89PNG") else "jpeg"
        shot = f"<img alt='' src='data:image/{kind};base64,{base64.b64encode(data).decode()}'>{drawing}"
    return f"<figure><div class=shot>{shot}</div><figcaption>{caption}</figcaption></figure>"


def overlay(action: str, frame: Frame) -> str:
    """The gesture drawn over the picture: a ring for a tap, an arrow for a movement."""
    marks = "".join(mark(a, frame) for a in parsed(action))
    return f"<svg>{marks}</svg>" if marks else ""


def parsed(action: str) -> Iterable[dict[str, Any]]:
    if not action:
        return ()
    value = json.loads(action)
    return value if isinstance(value, list) else (value,)


def mark(action: dict[str, Any], frame: Frame) -> str:
    if "x" not in action:
        return ""
    x, y = frame.percent(action["x"], action["y"])
    ring = f"<circle cx='{x:.2f}%' cy='{y:.2f}%' r='11' fill='#e91e6344' stroke='#e91e63' stroke-width='3'/>"
    if "x2" not in action:
        return ring
    x2, y2 = frame.percent(action["x2"], action["y2"])
    line = f"<line x1='{x:.2f}%' y1='{y:.2f}%' x2='{x2:.2f}%' y2='{y2:.2f}%' stroke='#e91e63' stroke-width='4'/>"
    return ring + line + f"<circle cx='{x2:.2f}%' cy='{y2:.2f}%' r='5' fill='#e91e63'/>"
