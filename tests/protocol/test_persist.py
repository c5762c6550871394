"""Waiting out a Redis that is away."""

from __future__ import annotations

import pytest

from mobilegym.protocol.errors import BlobUnavailable, StreamError, StreamUnavailable
from mobilegym.protocol.streams import persist, persist_blocking


class Away:
    """Answers from the `after`-th call on."""

    def __init__(self, after: int, error: Exception | None = None) -> None:
        self.calls, self._after, self._error = 0, after, error or StreamUnavailable("away")

    def ask(self) -> str:
        self.calls += 1
        if self.calls < self._after:
            raise self._error
        return "answer"

    async def aask(self) -> str:
        return self.ask()


async def test_what_is_not_answered_is_asked_again() -> None:
    assert await persist(Away(3).aask) == "answer"
    assert await persist(Away(3, BlobUnavailable("away")).aask) == "answer"
    assert persist_blocking(Away(3).ask) == "answer"


async def test_it_gives_up_in_the_end() -> None:
    with pytest.raises(StreamUnavailable):
        await persist(Away(99).aask, give_up_after=0.0)
    with pytest.raises(StreamUnavailable):
        persist_blocking(Away(99).ask, give_up_after=0.0)


async def test_it_gives_up_at_once_in_a_hurry() -> None:
    away = Away(99)
    with pytest.raises(StreamUnavailable):
        await persist(away.aask, hurry=lambda: away.calls >= 2)
    assert away.calls == 2


async def test_a_refusal_is_not_repeated() -> None:
    away = Away(99, StreamError("no"))
    with pytest.raises(StreamError):
        await persist(away.aask)
    assert away.calls == 1
