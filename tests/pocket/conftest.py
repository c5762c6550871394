from __future__ import annotations

import io
from pathlib import Path

import pytest
import torch
from PIL import Image, ImageDraw

from mobilegym.pocket.collect import Moment
from mobilegym.pocket.frame import Frame, Word, pack_state
from mobilegym.pocket.model import build
from mobilegym.policy.model import Policy

WORDS = ["Open", "the", "Gym", "Timer", "find", "07:30", "on", "off"]


@pytest.fixture(scope="session")
def policy(tmp_path_factory: pytest.TempPathFactory) -> Policy:
    torch.set_num_threads(1)
    return build(tmp_path_factory.mktemp("pocket") / "tiny", seed=2, vocabulary=WORDS)


@pytest.fixture(scope="session")
def moment() -> Moment:
    """A drawn screen with two words, without a phone."""
    image = Image.new("RGB", (192, 416), "white")
    ImageDraw.Draw(image).text((20, 70), "Gym Timer", fill="black")
    out = io.BytesIO()
    image.save(out, "PNG")
    words = (Word("Gym", (28, 108, 40, 20), (0.5, 0.16)), Word("Timer", (76, 108, 50, 20), (0.5, 0.16)))
    nodes = [{"role": "button", "name": "Gym", "box": [0, 96, 360, 64]}]
    tree = {"app": "clock", "screen": "home", "heading": "", "overlay": "none", "keyboard": False, "nodes": nodes}
    frame = Frame(image=out.getvalue(), words=words, tree=tree, state=pack_state({"os": {}}), seed=1)
    return Moment(frame=frame, template="clock.start-timer", seed=1, step=0)


@pytest.fixture(scope="session")
def phone_build() -> Path:
    from tests.conftest import missing

    from mobilegym.phone.build import PhoneBuild
    from mobilegym.phone.errors import MissingPhoneBuild

    try:
        return PhoneBuild.load().root
    except MissingPhoneBuild:
        missing("the phone's build (make phone)")
        raise
