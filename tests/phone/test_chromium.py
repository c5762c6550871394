"""How the browser is asked for its sandbox."""

from __future__ import annotations

import os

import pytest

from mobilegym.phone.chromium import SANDBOX_VARIABLE, sandbox
from mobilegym.phone.errors import SetupError


@pytest.mark.parametrize(("word", "on"), [(None, True), ("on", True), ("off", False)])
def test_the_sandbox_is_on_unless_it_is_turned_off(monkeypatch: pytest.MonkeyPatch, word: str | None, on: bool) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 10001)
    if word is None:
        monkeypatch.delenv(SANDBOX_VARIABLE, raising=False)
    else:
        monkeypatch.setenv(SANDBOX_VARIABLE, word)
    assert sandbox() is on


def test_root_has_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    assert not sandbox()


def test_another_word_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(SANDBOX_VARIABLE, "false")
    with pytest.raises(SetupError, match="neither on nor off"):
        sandbox()
