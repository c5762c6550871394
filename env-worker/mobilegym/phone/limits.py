"""The operating system's limits, looked at before browsers start instead of met at the ninety-sixth phone."""

from __future__ import annotations

import resource
from pathlib import Path

from mobilegym.phone.errors import LimitTooLow

# Measured with chromium-headless-shell 156, rounded up.
INOTIFY_PER_BROWSER = 4
FILES_PER_BROWSER = 100
FILES_PER_PHONE = 8
PROCESSES_PER_BROWSER = 120  # threads count too
PROCESSES_PER_PHONE = 16

INOTIFY_INSTANCES = Path("/proc/sys/fs/inotify/max_user_instances")


def check_limits(phones: int, browsers: int, *, own_processes: bool) -> None:
    """Raises LimitTooLow, naming the limit and the need. `own_processes`: a renderer for each phone."""
    _need(
        "fs.inotify.max_user_instances",
        _inotify_instances(),
        browsers * INOTIFY_PER_BROWSER,
        "run `sysctl -w fs.inotify.max_user_instances=1024` on the host, or use fewer browsers",
    )
    _need(
        "the open files limit (ulimit -n)",
        _raised(resource.RLIMIT_NOFILE),
        -(-phones // browsers) * FILES_PER_PHONE + FILES_PER_BROWSER,
        "raise the hard limit (`ulimit -Hn`, or --ulimit nofile for a container), or use more browsers",
    )
    _need(
        "the process limit (ulimit -u)",
        _raised(resource.RLIMIT_NPROC),
        browsers * PROCESSES_PER_BROWSER + (phones * PROCESSES_PER_PHONE if own_processes else 0),
        "raise it (`ulimit -u`, or --ulimit nproc for a container), or use fewer phones",
    )


def _need(name: str, have: int, need: int, fix: str) -> None:
    if have < need:
        raise LimitTooLow(name, have, need, fix)


def _inotify_instances() -> int:
    try:
        return int(INOTIFY_INSTANCES.read_text())
    except OSError:  # not Linux, or hidden: nothing to check
        return 1 << 30


def _raised(kind: int) -> int:
    """The limit, after raising the soft one to the hard one (children inherit it)."""
    soft, hard = resource.getrlimit(kind)
    if soft != hard:
        resource.setrlimit(kind, (hard, hard))
    return 1 << 30 if hard == resource.RLIM_INFINITY else hard
