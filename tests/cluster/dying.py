"""An operator that dies at its writes, again and again, until its work is done. `python -m tests.cluster.dying --help`.

The parent imports everything and forks: each life is a process of its own that begins with nothing. A life ends at its
n-th write, after the API server has done it and before the answer is known. A life that finds the work done ends well.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import os
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from mobilegym.operator.api import Api
from mobilegym.operator.connect import connect
from mobilegym.operator.controller import Controller
from mobilegym.operator.handlers import listen
from mobilegym.operator.runs import Run
from mobilegym.operator.settings import Settings

DIED, DONE, LOST = 9, 0, 1
LIVES = 80

Goal = Callable[[Controller, Run], bool]


def is_up(controller: Controller, run: Run) -> bool:
    status = run.get("status") or {}
    workers = status.get("workers") or {}
    return status.get("phase") == "Running" and workers.get("ready") == run["spec"]["workers"]["replicas"]


def has_failed_once(controller: Controller, run: Run) -> bool:
    learner = (run.get("status") or {}).get("learner") or {}
    return is_up(controller, run) and learner.get("failures", 0) >= 1 and "pod" in learner


def is_suspended(controller: Controller, run: Run) -> bool:
    return (run.get("status") or {}).get("phase") == "Suspended" and not len(controller.children.pods)


GOALS: dict[str, Goal] = {"up": is_up, "failed-once": has_failed_once, "suspended": is_suspended}


def mortal(write: Callable[..., Awaitable[Any]], lives: int) -> Callable[..., Awaitable[Any]]:
    """The API client's way to write, fatal at the `lives`-th use."""
    left = lives

    async def fatal(*args: Any, **more: Any) -> Any:
        nonlocal left
        answer = await write(*args, **more)
        left -= 1
        if left <= 0:
            os._exit(DIED)
        return answer

    return fatal


async def live(namespace: str, redis: Path, writes: int, goal: Goal, seconds: float) -> int:
    settings = Settings(
        namespace=namespace,
        watch=namespace,
        identity="mortal",
        redis=redis,
        status_seconds=1.0,
        numbers_seconds=1.0,
        resync_seconds=5.0,
    )
    controller = Controller(await connect(), settings)
    Api._write = mortal(Api._write, writes)  # type: ignore[method-assign,assignment]
    stop, ready = asyncio.Event(), asyncio.Event()
    work = asyncio.create_task(controller.run())
    watch = asyncio.create_task(listen(controller.event, namespace=namespace, stop=stop, ready=ready))
    try:
        async with asyncio.timeout(seconds):
            while not all(goal(controller, run) for run in controller.runs) or not len(controller.runs):
                if work.done() or watch.done():
                    return LOST
                await asyncio.sleep(0.05)
    except TimeoutError:
        print([run.get("status") for run in controller.runs], file=sys.stderr)
        return LOST
    return DONE


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.cluster.dying", description=__doc__)
    parser.add_argument("namespace")
    parser.add_argument("redis", type=Path, help="folder with the URLs")
    parser.add_argument("goal", choices=GOALS)
    parser.add_argument("--growing", action="store_true", help="the n-th life dies at its n-th write, not at its first")
    options = parser.parse_args()
    logging.basicConfig(level=logging.INFO, stream=sys.stderr, format="%(process)d %(asctime)s %(name)s %(message)s")
    for life in range(1, LIVES + 1):
        pid = os.fork()
        if pid == 0:
            writes = life if options.growing else 1
            os._exit(asyncio.run(live(options.namespace, options.redis, writes, GOALS[options.goal], 40.0)))
        code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        if code != DIED:
            print(life - 1)
            return code
    return LOST


if __name__ == "__main__":
    sys.exit(main())
