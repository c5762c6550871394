"""`python -m tests.local.drive FOLDER REDIS_URL ROLE=BEHAVIOUR...`: an executor that can be signalled."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from tests.local.helpers import child

from mobilegym.local.executor import Executor, Services, listen_for_signals
from mobilegym.local.folder import RunFolder
from mobilegym.local.process import Command
from mobilegym.local.restart import Backoff


async def drive(folder: RunFolder, redis_url: str, crew: list[Command]) -> int:
    services = Services(
        name="driven",
        logs=folder.logs,
        redis=None,
        redis_port=None,
        redis_url=redis_url,
        engine=None,
        engine_port=None,
        crew=crew,
        lock=folder.lock,
    )
    executor = Executor(services, backoff=Backoff(first=0.01))
    listen_for_signals(executor)
    return (await executor.run()).exit_code


def main() -> int:
    root, redis_url, *crew = sys.argv[1:]
    with RunFolder(Path(root)) as folder:
        commands = [
            child(role, folder.root, behaviour) for role, _, behaviour in (part.partition("=") for part in crew)
        ]
        return asyncio.run(drive(folder, redis_url, commands))


if __name__ == "__main__":
    sys.exit(main())
