from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import pytest
import torch
from PIL import Image, ImageDraw

from mobilegym.pocket.model import build
from mobilegym.policy.model import Policy

WORDS = ["Open", "the", "Gym", "alarm", "07:30", "and", "save", "it", "goal", "last", "Error"]


@pytest.fixture(scope="session")
def policy(tmp_path_factory: pytest.TempPathFactory) -> Policy:
    torch.set_num_threads(1)
    folder: Path = tmp_path_factory.mktemp("pocket") / "tiny"
    return build(folder, seed=1, vocabulary=WORDS)


@pytest.fixture(scope="session")
def png() -> Callable[..., bytes]:
    def draw(text: str = "Gym", size: tuple[int, int] = (192, 416)) -> bytes:
        image = Image.new("RGB", size, "white")
        ImageDraw.Draw(image).text((20, 40), text, fill="black")
        out = io.BytesIO()
        image.save(out, "PNG")
        return out.getvalue()

    return draw
