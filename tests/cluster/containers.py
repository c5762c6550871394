"""Containers of a process node as processes of this machine."""

from __future__ import annotations

import os
import signal
from contextlib import suppress

import psutil
from tools.kube.remains import MARK


def processes(uid: str, container: str) -> list[psutil.Process]:
    """Of a pod's container, the oldest first: that one is its first process."""
    mark, found = f"{uid}/{container}", []
    for process in psutil.process_iter():
        with suppress(psutil.Error):
            if process.environ().get(MARK) == mark and process.status() != psutil.STATUS_ZOMBIE:
                found.append(process)
    return sorted(found, key=lambda process: (process.create_time(), process.pid))


def kill_container(uid: str, container: str) -> None:
    """SIGKILL to the first process and its group; the node ends what is left, as a container ends."""
    os.killpg(processes(uid, container)[0].pid, signal.SIGKILL)


def kill_redis_at(address: str) -> None:
    """SIGKILL to the Redis of a pod, found by its title: it writes that over its environment."""
    title = f"redis-server {address}:"
    (found,) = (one for one in psutil.process_iter(["cmdline"]) if title in " ".join(one.info["cmdline"] or ()))
    os.kill(found.pid, signal.SIGKILL)


def kill_program(uid: str, container: str, module: str) -> None:
    """SIGKILL to the process of `python -m module` in the container, and to no other."""
    (found,) = (one for one in processes(uid, container) if one.cmdline()[1:3] == ["-m", module])
    os.kill(found.pid, signal.SIGKILL)
