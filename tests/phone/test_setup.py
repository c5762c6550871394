"""What this machine must have, and what is said where it does not."""

from __future__ import annotations

from pathlib import Path

import pytest

from mobilegym.phone import chromium, limits
from mobilegym.phone.build import PhoneBuild
from mobilegym.phone.errors import BadState, LimitTooLow, MissingChromium, MissingPhoneBuild
from mobilegym.phone.schema import StateSchema


def executable(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    return path


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A machine without any browser."""
    monkeypatch.delenv("MOBILEGYM_CHROMIUM", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path / "playwright"))
    monkeypatch.setattr(chromium, "DEBIAN_HEADLESS_SHELL", tmp_path / "debian")
    return tmp_path


def test_the_named_binary_comes_first(bare: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    executable(bare / "debian")
    named = executable(bare / "mine")
    monkeypatch.setenv("MOBILEGYM_CHROMIUM", str(named))
    assert chromium.find_chromium() == named


def test_headless_shells_come_before_playwrights_own_and_full_browsers_last(bare: Path) -> None:
    full = executable(bare / "bin" / "chromium")
    assert chromium.find_chromium() == full
    own = executable(bare / "playwright" / "chromium_headless_shell-1200" / "chrome-linux" / "headless_shell")
    assert chromium.find_chromium() == own
    shell = executable(bare / "bin" / "headless_shell")
    assert chromium.find_chromium() == shell
    debian = executable(bare / "debian")
    assert chromium.find_chromium() == debian


def test_without_any_the_error_holds_the_command(bare: Path) -> None:
    with pytest.raises(MissingChromium, match="apt-get install chromium-headless-shell"):
        chromium.find_chromium()


def test_a_wrong_name_is_not_silently_passed_over(bare: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    executable(bare / "debian")
    monkeypatch.setenv("MOBILEGYM_CHROMIUM", "/nowhere/chromium")
    with pytest.raises(MissingChromium, match="/nowhere/chromium"):
        chromium.find_chromium()


def test_without_a_build_the_error_holds_the_command(tmp_path: Path) -> None:
    with pytest.raises(MissingPhoneBuild, match="make phone"):
        PhoneBuild.load(tmp_path)


def test_a_low_limit_is_named_with_the_need(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    low = tmp_path / "max_user_instances"
    low.write_text("3\n")
    monkeypatch.setattr(limits, "INOTIFY_INSTANCES", low)
    with pytest.raises(LimitTooLow, match=r"inotify.max_user_instances is 3, but 8 are needed.*sysctl"):
        limits.check_limits(phones=4, browsers=2, own_processes=False)


def test_a_bad_state_is_told_by_json_pointer() -> None:
    schema = StateSchema('{"properties": {"a/b": {"items": {"type": "number"}}}, "required": ["a/b"]}')
    schema.check({"a/b": [1, 2]})
    with pytest.raises(BadState) as refused:
        schema.check({"a/b": [1, "two"]})
    assert refused.value.path == "/a~1b/1"
    with pytest.raises(BadState, match="required"):
        schema.check({})
