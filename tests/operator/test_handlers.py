"""How kopf is told to behave."""

from __future__ import annotations

from itertools import islice

from mobilegym.operator.handlers import LONGEST_WAIT, settings


def test_a_request_is_tried_again_soon_and_without_end() -> None:
    waits = settings().networking.error_backoffs
    assert not isinstance(waits, int | float)
    for _ in range(2):  # for each request anew
        first, *others = islice(waits, 1000)
        assert first <= 0.5
        assert 0 < max(others) <= LONGEST_WAIT
        assert len(others) == 999
