"""What the tests of tasks need of the machine."""

import os

import pytest

from mobilegym.phone.build import PhoneBuild
from mobilegym.phone.chromium import find_chromium
from mobilegym.phone.errors import SetupError


@pytest.fixture(scope="session")
def phones_run() -> None:
    """A browser and a built phone are here: else fails in CI, and skips elsewhere."""
    try:
        find_chromium()
        PhoneBuild.load()
    except SetupError as error:
        if os.environ.get("CI") == "true":
            pytest.fail(str(error))
        pytest.skip(str(error))
