"""A tap lands on what is under the finger: for every dialect, viewport and device pixel ratio."""

from __future__ import annotations

import io
import json
import random
from typing import Any

import pytest
from PIL import Image
from playwright.async_api import async_playwright
from tests.phone.conftest import State

from mobilegym.dialects import DIALECTS
from mobilegym.phone.action import Drag, Swipe, Tap
from mobilegym.phone.browser import Browser, BrowserOptions
from mobilegym.phone.build import PhoneBuild
from mobilegym.phone.image import Picture
from mobilegym.phone.observation import Observation
from mobilegym.phone.phone import Phone, Viewport
from mobilegym.phone.server import PhoneServer

VIEWPORTS = [Viewport(width=w, height=h) for w, h in ((320, 640), (360, 800), (390, 844), (412, 915), (800, 1280))]
SIDE = 26  # CSS px of a target
DRAW = """
document.getElementById('targets')?.remove();
const sheet = document.createElement('div');
sheet.id = 'targets';
sheet.style.cssText = 'position:fixed;inset:0;z-index:99999;background:#000';
window.hits = [];
for (const [index, [x, y, color]] of TARGETS.entries()) {
  const target = document.createElement('div');
  target.style.cssText = `position:absolute;left:${x}px;top:${y}px;width:SIDEpx;height:SIDEpx;background:${color}`;
  target.dataset.index = index;
  sheet.append(target);
}
for (const kind of ['pointerdown', 'pointerup', 'click'])
  sheet.addEventListener(kind, e => window.hits.push([kind, Number(e.target.dataset.index ?? -1)]));
sheet.addEventListener('mousedown', e => e.preventDefault());
document.body.append(sheet);
"""


async def run(phone: Phone, script: str) -> Any:
    answer = await phone.session.send("Runtime.evaluate", {"expression": f"{{{script}}}", "returnByValue": True})
    assert "exceptionDetails" not in answer, answer
    return answer["result"].get("value")


async def draw(phone: Phone, places: list[tuple[int, int]], colors: list[str]) -> None:
    targets = json.dumps([[x, y, color] for (x, y), color in zip(places, colors, strict=True)])
    await run(phone, DRAW.replace("TARGETS", targets).replace("SIDE", str(SIDE)))


def places_on(viewport: Viewport) -> list[tuple[int, int]]:
    """The four corners and a few places between that do not overlap."""
    right, low = viewport.width - SIDE, viewport.height - SIDE
    draw = random.Random(f"{viewport}")
    between = [(draw.randrange(40, right - 40), y) for y in range(60, low - 40, 8 * SIDE)]
    return [(0, 0), (right, 0), (0, low), (right, low), *between]


def pixel(seen: Observation, x: float, y: float, phone: Phone, scale: float) -> tuple[int, ...]:
    """The colour at a point of the screen, found as a model would: on the picture."""
    screen = round(phone.viewport.width * scale), round(phone.viewport.height * scale)
    left, top = phone.picture.to_image(x, y, *screen)
    image = Image.open(io.BytesIO(seen.image)).convert("RGB")
    value = image.getpixel((int(left), int(top)))
    assert isinstance(value, tuple)
    return value


async def check(phone: Phone, scale: float) -> None:
    viewport, places = phone.viewport, places_on(phone.viewport)
    colors = [f"#{40 + 12 * index:02x}80{250 - 12 * index:02x}" for index in range(len(places))]
    await draw(phone, places, colors)
    seen = await phone.observe()
    for index, (x, y) in enumerate(places):
        centre = (x + SIDE / 2) / viewport.width, (y + SIDE / 2) / viewport.height
        wanted = bytes.fromhex(colors[index][1:])
        assert pixel(seen, *centre, phone, scale) == pytest.approx(tuple(wanted), abs=5)  # JPEG
        for name, speech in DIALECTS.items():
            [tap] = speech.parse(speech.encode(Tap(*centre), seen.size), seen.size).actions
            await phone.act(tap)
            hits = await run(phone, "window.hits.splice(0)")
            assert hits == [[kind, index] for kind in ("pointerdown", "pointerup", "click")], (
                name,
                viewport,
                centre,
                tap,
            )


@pytest.mark.parametrize("scale", [1, 2, 3])
async def test_taps_land_on_their_targets(build: PhoneBuild, states: list[State], scale: int) -> None:
    server = PhoneServer(build)
    await server.start()
    async with async_playwright() as playwright:
        browser = await Browser.launch(playwright, BrowserOptions(device_scale=scale))
        for viewport in VIEWPORTS:
            phone = await Phone.open(browser, server.url, build, Picture(quality=95), viewport)
            await phone.reset(states[0], image=False)
            assert (await phone.observe()).size == (viewport.width * scale, viewport.height * scale)
            await check(phone, scale)
            await phone.close()
        await browser.close()
    await server.close()


async def test_strokes_start_and_end_where_they_should_and_edges_are_on_the_screen(
    build: PhoneBuild, states: list[State]
) -> None:
    server = PhoneServer(build)
    await server.start()
    async with async_playwright() as playwright:
        browser = await Browser.launch(playwright, BrowserOptions())
        phone = await Phone.open(browser, server.url, build)
        await phone.reset(states[0], image=False)
        await draw(phone, [(10, 10), (300, 700)], ["#f00", "#0f0"])
        start, end = (20 / 360, 20 / 800), (310 / 360, 710 / 800)
        for stroke in (Swipe(*start, *end), Drag(*start, *end)):
            await phone.act(stroke)
            hits = await run(phone, "window.hits.splice(0)")
            assert hits[:2] == [["pointerdown", 0], ["pointerup", 1]]
        await draw(phone, [(360 - SIDE, 800 - SIDE)], ["#00f"])
        await phone.act(Tap(1 - 1e-9, 1 - 1e-9))
        assert (await run(phone, "window.hits"))[0] == ["pointerdown", 0]
        await browser.close()
    await server.close()
