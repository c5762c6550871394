"""The seccomp profile: Chromium keeps its sandbox under it, and what else the default forbids stays forbidden."""

from __future__ import annotations

import ctypes
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.chart import under_seccomp
from tests.chart.chart import CHART
from tests.conftest import missing

from mobilegym.phone.chromium import find_chromium
from mobilegym.phone.errors import MissingChromium

PROFILE: dict[str, Any] = json.loads((CHART / "files" / "seccomp" / "mobilegym-chromium.json").read_text())
SANDBOX = {"clone", "unshare", "setns", "chroot", "pkey_mprotect"}
NAMESPACES = 0x7E020000  # every CLONE_NEW flag: the default allows a clone without any of them
HELLO = (
    "--headless --disable-gpu --no-first-run --disable-quic --disable-dev-shm-usage --dump-dom data:text/html,<b>hi</b>"
)


@pytest.fixture
def folder() -> Iterator[Path]:
    """That a process without root may reach and write to."""
    found = Path("/tmp") / f"mobilegym-seccomp-{os.getpid()}"
    found.mkdir(mode=0o777)
    found.chmod(0o777)
    yield found
    subprocess.run(["rm", "-rf", str(found)], check=True)


def under(profile: dict[str, Any], folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    try:
        ctypes.CDLL(under_seccomp.LIBRARY)
    except OSError:
        missing("libseccomp2")
    (folder / "profile.json").write_text(json.dumps(profile))
    (folder / "under.py").write_text(Path(under_seccomp.__file__).read_text())
    words = [sys.executable, str(folder / "under.py"), str(folder / "profile.json"), *command]
    home = {"PATH": os.environ["PATH"], "HOME": str(folder), "TMPDIR": str(folder)}
    return subprocess.run(words, capture_output=True, text=True, timeout=60, env=home, cwd=folder)


def default() -> dict[str, Any]:
    """The container runtimes' own, of which ours is an extension."""
    rules = [rule for rule in PROFILE["syscalls"] if not SANDBOX & set(rule["names"])]
    masked = {"index": 0, "value": NAMESPACES, "valueTwo": 0, "op": "SCMP_CMP_MASKED_EQ"}
    return PROFILE | {"syscalls": [*rules, {"names": ["clone"], "action": "SCMP_ACT_ALLOW", "args": [masked]}]}


def chromium() -> str:
    try:
        return str(find_chromium())
    except MissingChromium as error:
        missing(str(error))


def test_chromium_runs_in_its_own_sandbox(folder: Path) -> None:
    done = under(PROFILE, folder, chromium(), f"--user-data-dir={folder}/profile", *HELLO.split())
    assert "<b>hi</b>" in done.stdout, done.stderr


def test_under_the_default_profile_it_does_not(folder: Path) -> None:
    done = under(default(), folder, chromium(), f"--user-data-dir={folder}/profile", *HELLO.split())
    assert "<b>hi</b>" not in done.stdout
    assert "No usable sandbox" in done.stderr


@pytest.mark.parametrize(
    "name", ["mount", "bpf", "keyctl", "init_module", "kexec_load", "io_uring_setup", "userfaultfd"]
)
def test_what_it_does_not_need_is_refused(name: str) -> None:
    allowed = {each for rule in PROFILE["syscalls"] for each in rule["names"] if rule["action"] == "SCMP_ACT_ALLOW"}
    assert allowed >= SANDBOX
    assert name not in allowed


def test_it_is_plain_oci() -> None:
    """containerd reads no `includes`, `excludes` or `archMap`: they would be dropped without a word."""
    assert PROFILE.keys() == {"defaultAction", "defaultErrnoRet", "architectures", "syscalls"}
    assert all(rule.keys() <= {"names", "action", "errnoRet", "args"} for rule in PROFILE["syscalls"])
    names = [name for rule in PROFILE["syscalls"] if "args" not in rule for name in rule["names"]]
    assert len(names) == len(set(names))
