"""The Chromium binary: where it is found, and the flags that pin what it draws.

Pixels depend on the binary and on these flags, so one fleet uses one binary and nobody else adds flags.
"""

from __future__ import annotations

import os
import shutil
from enum import StrEnum
from pathlib import Path

from mobilegym.phone.errors import MissingChromium, SetupError

SANDBOX_VARIABLE = "MOBILEGYM_SANDBOX"  # off where the pod is isolated otherwise, or isolation is given up
DEBIAN_HEADLESS_SHELL = Path("/usr/lib/chromium/chromium-headless-shell")
HEADLESS_SHELLS = ("chromium-headless-shell", "headless_shell", "headless-shell", "chrome-headless-shell")
BROWSERS = ("chromium", "chromium-browser", "google-chrome")

PINNED = (
    "--disable-gpu",  # SwiftShader would composite: 95 ms a frame
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
    "--font-render-hinting=none",
    "--force-color-profile=srgb",
    "--disable-lcd-text",
    "--disable-partial-raster",  # a part painted alone may differ by a shade: no exact replay
)
BEGIN_FRAME = ("--enable-begin-frame-control", "--run-all-compositor-stages-before-draw")


class Isolation(StrEnum):
    """How phones of one browser share renderer processes."""

    SHARED = "shared"  # one renderer for all: least memory, but a crash takes them all
    CONTEXT = "context"  # a browser context and a renderer each


def find_chromium() -> Path:
    """The binary to launch; MOBILEGYM_CHROMIUM overrules the search. Raises MissingChromium."""
    chosen = os.environ.get("MOBILEGYM_CHROMIUM")
    if chosen:
        if os.access(chosen, os.X_OK):
            return Path(chosen)
        raise MissingChromium(
            f"MOBILEGYM_CHROMIUM={chosen} is not an executable file: correct it, or unset it to search PATH"
        )
    if os.access(DEBIAN_HEADLESS_SHELL, os.X_OK):  # the ELF: the script on PATH adds flags of its own
        return DEBIAN_HEADLESS_SHELL
    found = _on_path(HEADLESS_SHELLS) or _playwright_download() or _on_path(BROWSERS)
    if found is None:
        raise MissingChromium(
            "no Chromium found: run `apt-get install chromium-headless-shell`, or "
            "`python -m playwright install --only-shell chromium`, or set MOBILEGYM_CHROMIUM"
        )
    return found


def can_begin_frame(binary: Path) -> bool:
    """Whether this binary lets the client pump its frames: only headless shells do."""
    return "headless" in binary.name


def flags(isolation: Isolation, begin_frame: bool, device_scale: float) -> list[str]:
    """Command line of a browser, without the sandbox switch (Playwright sets that one)."""
    chosen = [*PINNED, "--remote-debugging-port=0", f"--force-device-scale-factor={device_scale:g}"]
    if isolation is Isolation.SHARED:
        chosen.append("--process-per-site")
    if begin_frame:
        chosen.extend(BEGIN_FRAME)
    return chosen


def sandbox() -> bool:
    """Chromium's sandbox: on, unless MOBILEGYM_SANDBOX is `off`, or under root, which it refuses. Raises SetupError."""
    chosen = os.environ.get(SANDBOX_VARIABLE, "on")
    if chosen not in ("on", "off"):
        raise SetupError(f"{SANDBOX_VARIABLE}={chosen} is neither on nor off: correct it, or unset it for on")
    return chosen == "on" and os.geteuid() != 0


def _on_path(names: tuple[str, ...]) -> Path | None:
    for name in names:
        found = shutil.which(name)
        if found:
            return Path(found)
    return None


def _playwright_download() -> Path | None:
    """Newest headless shell, else newest Chromium, in Playwright's own cache."""
    root = Path(os.environ.get("PLAYWRIGHT_BROWSERS_PATH") or Path.home() / ".cache" / "ms-playwright")
    for pattern in ("chromium_headless_shell-*/*/*headless*shell", "chromium-*/*/chrome"):
        for found in sorted(root.glob(pattern), reverse=True):
            if found.is_file() and os.access(found, os.X_OK):
                return found
    return None
