"""Real phones in a real Chromium. Each module shares one pool, because a browser takes a second to start."""

from __future__ import annotations

from typing import Any

import pytest
from tests.conftest import missing

from mobilegym.phone.build import PhoneBuild
from mobilegym.phone.chromium import find_chromium
from mobilegym.phone.errors import SetupError
from mobilegym.world.world import World

State = dict[str, Any]


@pytest.fixture(scope="session")
def build() -> PhoneBuild:
    try:
        find_chromium()
        return PhoneBuild.load()
    except SetupError as error:
        missing(str(error))
        raise


@pytest.fixture(scope="session")
def states() -> list[State]:
    """Forty different lives, English and Chinese in turn."""
    return [World(seed, "zh" if seed % 2 else "en").state() for seed in range(40)]
