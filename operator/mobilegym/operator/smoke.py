"""What an installation needs, tried once: its Redis answers, the cluster serves MobileGymRun.

python -m mobilegym.operator.smoke --redis /etc/mobilegym/redis
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

from redis.asyncio import Redis
from redis.exceptions import RedisError

from mobilegym.operator import names
from mobilegym.operator.api import Api
from mobilegym.operator.connect import NoCredentials, connect
from mobilegym.operator.errors import ApiError
from mobilegym.operator.kinds import CRD

AGAIN_SECONDS = 1.0


class NotWell(Exception):
    """One thing is not as an installation needs it; the message says which."""


async def redis_answers(folder: Path) -> str:
    """One line on it. Raises NotWell."""
    try:
        url = (folder / "operator").read_text().strip()
    except OSError as error:
        raise NotWell(f"no Redis URL: {error}") from error
    client = Redis.from_url(url, protocol=2, socket_connect_timeout=5, socket_timeout=5)
    try:
        await client.ping()
        version = (await client.info("server"))["redis_version"]
    except (RedisError, OSError) as error:
        raise NotWell(f"Redis does not serve the user operator: {error}") from error
    finally:
        await client.aclose()
    return f"Redis {version} serves the user operator"


async def definition_is_served() -> str:
    """One line on it. Raises NotWell."""
    name = f"{names.PLURAL}.{names.GROUP}"
    try:
        api = Api(await connect(), writes=1)
        try:
            definition = await api.get(CRD, None, name)
        finally:
            await api.close()
    except (ApiError, NoCredentials) as error:
        raise NotWell(str(error)) from error
    served = [version["name"] for version in definition["spec"]["versions"] if version["served"]]
    conditions = definition.get("status", {}).get("conditions", ())
    if not any(one["type"] == "Established" and one["status"] == "True" for one in conditions):
        raise NotWell(f"{name} is not established yet")
    if names.VERSION not in served:
        raise NotWell(f"{name} serves {', '.join(served)} and not {names.VERSION}: upgrade it (crds.install)")
    return f"{names.KIND} {names.VERSION} is served"


async def patiently(check: Callable[[], Awaitable[str]], seconds: float) -> str:
    """The check's line once it is well: an installation may still be starting. Raises NotWell after `seconds`."""
    deadline = asyncio.get_running_loop().time() + seconds
    while True:
        try:
            return await check()
        except NotWell:
            if asyncio.get_running_loop().time() >= deadline:
                raise
        await asyncio.sleep(AGAIN_SECONDS)


async def smoke(folder: Path, seconds: float) -> int:
    """The exit code: how many of the checks failed."""
    failed = 0
    for check in (lambda: redis_answers(folder), definition_is_served):
        try:
            print(f"ok: {await patiently(check, seconds)}", flush=True)
        except NotWell as error:
            failed += 1
            print(f"failed: {error}", flush=True)
    return failed


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m mobilegym.operator.smoke", description=__doc__)
    parser.add_argument("--redis", type=Path, required=True, help="folder with the file operator: a Redis URL")
    parser.add_argument("--wait", type=float, default=60.0, help="seconds that each check may take to come right")
    arguments = parser.parse_args()
    return asyncio.run(smoke(arguments.redis, arguments.wait))


if __name__ == "__main__":
    sys.exit(main())
