"""A task for a person: the phone in a page beside its goal, and the judge at the end."""

from __future__ import annotations

import html
import json
import mimetypes
from typing import Any

from aiohttp import web

from mobilegym.judge.ending import Ending
from mobilegym.judge.judge import Verdict, judge
from mobilegym.phone.build import PhoneBuild
from mobilegym.tasks.instance import Instance

PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><title>MobileGym: {title}</title>
<style>
body {{ margin: 0; min-height: 100vh; display: flex; gap: 48px; justify-content: center; align-items: center;
  font: 16px/1.5 system-ui, sans-serif; background: #eceaf2; color: #1b1b21; flex-wrap: wrap }}
iframe {{ width: 360px; height: 800px; border: 10px solid #16161c; border-radius: 36px; background: #000;
  box-shadow: 0 20px 60px rgba(20, 20, 40, .3) }}
main {{ width: 380px }} h1 {{ font-size: 22px; font-weight: 600 }} small {{ color: #5d5c68 }}
input {{ width: 100%; padding: 10px 12px; font: inherit; border: 1px solid #c9c6d4; border-radius: 10px }}
button {{ margin: 12px 8px 0 0; padding: 10px 20px; font: inherit; border: 0; border-radius: 20px; cursor: pointer;
  background: #3f51b5; color: #fff }} button.plain {{ background: #dcdae6; color: #1b1b21 }}
pre {{ white-space: pre-wrap; background: #fff; padding: 14px; border-radius: 12px;
  font: 14px/1.5 ui-monospace, monospace }}
</style>
<iframe id="phone" src="phone/index.html?hand" title="phone"></iframe>
<main><small>{id} · seed {seed}</small><h1>{goal}</h1>
<p>Tap with the mouse, drag to scroll, hold for a long press. Drag down from the top edge for the shade.</p>
{answer}
<button id="done">I am done</button>
<button class="plain" id="back">Back</button><button class="plain" id="home">Home</button>
<pre id="verdict" hidden></pre></main>
<script src="play.js"></script>"""

SCRIPT = """
const phone = () => document.getElementById('phone').contentWindow.phone;
const press = (kind) => phone().input(JSON.stringify({ kind }));
document.getElementById('back').onclick = () => press('back');
document.getElementById('home').onclick = () => press('home');
document.getElementById('done').onclick = async () => {
  const answer = document.getElementById('answer');
  const said = { final: phone().snapshot(), events: phone().events(0), answer: answer && answer.value };
  const reply = await fetch('verdict', { method: 'POST', body: JSON.stringify(said) });
  const out = document.getElementById('verdict');
  out.hidden = false;
  out.textContent = await reply.text();
};
"""

ANSWER = '<label>Your answer<input id="answer" autocomplete="off"></label>'


def report(verdict: Verdict) -> str:
    """A verdict in words, a line a goal and a line a side effect."""
    lines = ["SUCCESS" if verdict.success else "NOT YET", ""]
    for goal in verdict.goals:
        lines.append(f"{'[x]' if goal.holds else '[ ]'} {goal.name}{': ' + goal.reason if goal.reason else ''}")
    lines += [f"side effect: {effect.action} changed {effect.path}" for effect in verdict.side_effects]
    return "\n".join(lines)


def application(instance: Instance, build: PhoneBuild) -> web.Application:
    """Serves one instance; `POST verdict` judges what the page sends."""
    app = web.Application(client_max_size=64 * 2**20)

    async def page(_: web.Request) -> web.Response:
        asks = instance.template.answer(instance.params) is not None
        text = PAGE.format(
            title=html.escape(instance.template.id),
            id=html.escape(instance.template.id),
            seed=instance.seed,
            goal=html.escape(instance.goal),
            answer=ANSWER if asks else "",
        )
        return web.Response(text=text, content_type="text/html")

    async def script(_: web.Request) -> web.Response:
        return web.Response(text=SCRIPT, content_type="text/javascript")

    async def file(request: web.Request) -> web.Response:
        path = request.match_info["path"]
        if path == "demo.json":
            return web.json_response(instance.state)
        body = build.files.get(path)
        if body is None:
            raise web.HTTPNotFound
        return web.Response(body=body, content_type=mimetypes.guess_type(path)[0] or "application/octet-stream")

    async def verdict(request: web.Request) -> web.Response:
        return web.Response(text=report(judged(instance, await request.json())))

    app.add_routes(
        [web.get("/", page), web.get("/play.js", script), web.get("/phone/{path}", file), web.post("/verdict", verdict)]
    )
    app.router.add_get("/phone/fonts/{path}", fonts(build))
    return app


def fonts(build: PhoneBuild) -> Any:
    async def font(request: web.Request) -> web.Response:
        body = build.files.get(f"fonts/{request.match_info['path']}")
        if body is None:
            raise web.HTTPNotFound
        return web.Response(body=body, content_type="font/woff2")

    return font


def judged(instance: Instance, said: dict[str, Any]) -> Verdict:
    events = json.loads(said["events"])
    ending = Ending(
        initial=instance.state,
        final=json.loads(said["final"]),
        events=events,
        answer=said.get("answer") or None,
        finished=True,
        steps=len({event["step"] for event in events}),
        budget=instance.budget,
    )
    return judge(instance.template, instance.params, ending)
