"""What a build of an image borrows of this machine: package registries' settings, mounted and never copied."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

BORROWED = "/run/borrowed"  # where the files of this machine's settings lie during a build


def borrowed(folder: Path) -> list[str]:
    """Options of the builder; `folder` takes the files that they name."""
    settings = {"pip": _pip_settings(), "npm": _npm_settings()}
    mounts: set[Path] = set()
    options = ["--network", "host"]
    for tool, found in settings.items():
        moved = {key: _moved(value, mounts) for key, value in sorted(found.items())}
        file = folder / tool
        file.write_text(("[global]\n" if tool == "pip" else "") + "".join(f"{k} = {v}\n" for k, v in moved.items()))
        options += ["--secret", f"id={tool},src={file}"]
    for path in sorted(mounts):
        options += ["--volume", f"{path}:{BORROWED}{path}:ro"]
    return options


def _moved(value: str, mounts: set[Path]) -> str:
    """The setting with this machine's paths as they are in the build; adds what must be mounted there."""
    words = []
    for word in value.split():
        path = Path(word.removeprefix("file://"))
        if path.is_absolute() and path.exists():
            mounts.add(path.parent if path.name == "simple" else path)  # an index keeps its files beside itself
            word = word.replace(str(path), f"{BORROWED}{path}", 1)
        words.append(word)
    return " ".join(words)


def _pip_settings() -> dict[str, str]:
    """All of pip's settings for installs, files first, then the environment's."""
    listed = subprocess.run([sys.executable, "-m", "pip", "config", "list"], capture_output=True, text=True, check=True)
    settings = {}
    for section in ("global", "install", ":env:"):
        for line in listed.stdout.splitlines():
            name, _, value = line.partition("=")
            if name.startswith(f"{section}."):
                settings[name.removeprefix(f"{section}.")] = value.strip("'\"")
    return settings


def _npm_settings() -> dict[str, str]:
    listed = subprocess.run(["npm", "config", "list", "--json"], capture_output=True, text=True, check=True)
    settings = json.loads(listed.stdout)
    return {key: settings[key] for key in ("registry", "cafile") if settings.get(key)}
