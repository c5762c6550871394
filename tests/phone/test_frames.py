"""Both frame backends give the same pixels, and the first picture is already the final one."""

from __future__ import annotations

import io

import pytest
from PIL import Image
from tests.phone.conftest import State

from mobilegym.phone.action import AnyAction, Home, OpenApp, Swipe, Tap
from mobilegym.phone.browser import BrowserOptions
from mobilegym.phone.build import PhoneBuild
from mobilegym.phone.chromium import Isolation
from mobilegym.phone.frames import Frames
from mobilegym.phone.image import Format, Picture
from mobilegym.phone.pool import PhonePool, PoolOptions

ACTIONS: list[AnyAction] = [
    OpenApp("notes"),
    Swipe(0.5, 0.6, 0.5, 0.3),
    Tap(0.4, 0.3),
    Home(),
    OpenApp("settings"),
    Swipe(0.5, 0.6, 0.5, 0.3),
    OpenApp("clock"),
    OpenApp("contacts"),
]


async def filmed(build: PhoneBuild, options: BrowserOptions, states: list[State]) -> list[bytes]:
    """Every screen of a few episodes as raw pixels; each is looked at twice."""
    film = []
    pool_options = PoolOptions(phones=1, browser=options, picture=Picture(format=Format.PNG))
    async with PhonePool(pool_options, build) as pool, pool.phone() as phone:
        for state in states:
            film.append((await phone.reset(state)).image)
            for action in ACTIONS:
                film.append((await phone.step(action)).image)
                assert (await phone.observe()).image == film[-1]
    return [Image.open(io.BytesIO(image)).convert("RGB").tobytes() for image in film]


async def test_backends_and_isolations_give_equal_pixels(build: PhoneBuild, states: list[State]) -> None:
    begin = await filmed(build, BrowserOptions(frames=Frames.BEGIN_FRAME), states[1:3])
    shot = await filmed(build, BrowserOptions(frames=Frames.SCREENSHOT), states[1:3])
    own = await filmed(build, BrowserOptions(isolation=Isolation.CONTEXT), states[1:3])
    assert begin == shot
    assert begin == own


@pytest.mark.parametrize("format", [Format.JPEG, Format.PNG, Format.WEBP])
async def test_pictures_come_in_the_format_asked_for(build: PhoneBuild, states: list[State], format: Format) -> None:
    options = PoolOptions(phones=1, picture=Picture(format=format))
    async with PhonePool(options, build) as pool, pool.phone() as phone:
        seen = await phone.reset(states[0])
    assert (Image.open(io.BytesIO(seen.image)).format or "").lower() == seen.format == format
