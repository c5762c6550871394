"""`python -m mobilegym.operator`: runs the operator until SIGTERM. Exit 2 where the set-up is wrong."""

from __future__ import annotations

import argparse
import asyncio
import logging
import signal
import sys
from collections.abc import Sequence
from pathlib import Path

from mobilegym.operator.connect import NoCredentials, connect
from mobilegym.operator.controller import Controller
from mobilegym.operator.errors import ApiError
from mobilegym.operator.handlers import EXIT_SECONDS, listen
from mobilegym.operator.schema import NoCrd, Schema, own_hash
from mobilegym.operator.serve import serve
from mobilegym.operator.settings import Settings
from mobilegym.operator.urls import RedisMissing

log = logging.getLogger("mobilegym.operator")

SETUP_WRONG = 2


def main(argv: Sequence[str] | None = None) -> int:
    options = parser().parse_args(argv)
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(name)s: %(message)s", stream=sys.stderr)
    try:
        asyncio.run(_run(settings_of(options), options.metrics_host))
    except (NoCredentials, NoCrd, RedisMissing) as error:
        print(f"mobilegym operator: {error}", file=sys.stderr)
        return SETUP_WRONG
    except OSError as error:  # a port that is taken
        print(f"mobilegym operator: {error}", file=sys.stderr)
        return SETUP_WRONG
    return 0


def parser() -> argparse.ArgumentParser:
    found = argparse.ArgumentParser(prog="python -m mobilegym.operator", description=__doc__)
    found.add_argument("--namespace", required=True, help="the operator's own: its Lease is there")
    found.add_argument("--watch", metavar="NAMESPACE", help="look after runs of this namespace only")
    found.add_argument("--identity", required=True, help="unique among the operators of this cluster")
    found.add_argument("--redis", type=Path, metavar="DIR", help="files operator, worker, learner: a URL each")
    found.add_argument("--worker-image", default=Settings.worker_image)
    found.add_argument("--learner-image", default=Settings.learner_image)
    found.add_argument("--pull-policy", default=Settings.pull_policy, choices=("Always", "IfNotPresent", "Never"))
    found.add_argument("--pod-monitor", action="store_true", help="make a PodMonitor for each run")
    found.add_argument("--redis-selector", type=_labels, default={}, metavar="K=V,K=V", help="labels of Redis's pods")
    found.add_argument("--redis-namespace", metavar="NAMESPACE")
    found.add_argument("--monitoring-namespace", metavar="NAMESPACE", help="from where metrics may be scraped")
    found.add_argument("--seccomp-profile", default=Settings.seccomp_profile, help="under the kubelet's seccomp folder")
    found.add_argument("--metrics-host", default="127.0.0.1")
    found.add_argument("--metrics-port", type=int, default=Settings.metrics_port)
    found.add_argument("--probe-port", type=int, default=Settings.probe_port)
    return found


def settings_of(options: argparse.Namespace) -> Settings:
    given = {name: value for name, value in vars(options).items() if name != "metrics_host"}
    return Settings(**given)


def _labels(text: str) -> dict[str, str]:
    pairs = [part.partition("=") for part in text.split(",") if part]
    if not all(name and sign for name, sign, _ in pairs):
        raise argparse.ArgumentTypeError(f"got {text!r}, must be name=value,name=value")
    return {name: value for name, _, value in pairs}


async def _run(settings: Settings, host: str) -> None:
    client = await connect()
    controller = Controller(client, settings, own_schema=own_hash())
    try:
        await _check(controller)
        doors = await serve(controller, host, settings.metrics_port, settings.probe_port)
        try:
            await _operate(controller)
        finally:
            await doors.cleanup()
    finally:
        await controller.api.close()


async def _check(controller: Controller) -> None:
    """Raises what no waiting mends. An API server that does not answer is waited for."""
    controller.urls.own()
    try:
        await Schema(controller.api, own_hash() or "").check()
    except ApiError as error:
        log.warning("the CRD could not be looked for: %s", error)


async def _operate(controller: Controller) -> None:
    stop, told, ready = asyncio.Event(), asyncio.Event(), asyncio.Event()
    kopf = asyncio.create_task(
        listen(controller.event, namespace=controller.settings.watch, stop=stop, ready=ready), name="kopf"
    )
    work = asyncio.create_task(controller.run(), name="controller")
    started = asyncio.create_task(ready.wait())
    await asyncio.wait((kopf, work, started), return_when=asyncio.FIRST_COMPLETED)
    for number in (signal.SIGTERM, signal.SIGINT):  # kopf has set its own, which do not know of the Lease
        asyncio.get_running_loop().add_signal_handler(number, told.set)
    log.info("ready")
    over = asyncio.create_task(told.wait())
    done, _ = await asyncio.wait((kopf, work, over), return_when=asyncio.FIRST_COMPLETED)
    log.info("stopping")
    await controller.release()
    stop.set()
    work.cancel()
    started.cancel()
    over.cancel()
    ended, _ = await asyncio.wait((kopf, work), timeout=EXIT_SECONDS - 5)
    for task in ended & done:
        if not task.cancelled():
            task.result()  # raises what ended it


if __name__ == "__main__":
    sys.exit(main())
