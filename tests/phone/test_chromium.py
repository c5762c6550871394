"""How the browser is asked for its sandbox."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from playwright.async_api import async_playwright

from mobilegym.phone.browser import Browser, BrowserOptions
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


async def test_a_browser_that_does_not_start_is_quoted_without_its_command_line(tmp_path: Path) -> None:
    binary = tmp_path / "headless_shell"
    binary.write_text("#!/bin/sh\necho 'no space for a profile' >&2\nexit 1\n")
    binary.chmod(0o755)
    async with async_playwright() as playwright:
        with pytest.raises(SetupError, match="no space for a profile") as refused:
            await Browser.launch(playwright, BrowserOptions(binary=binary))
    assert "--disable-gpu" not in str(refused.value)
