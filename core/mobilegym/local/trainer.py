"""`python -m mobilegym.local.trainer`: engine and learner of one pod, side by side on its GPUs.

The engine is kept alive; the learner is not started again here. Exits as the learner does: 0 done, 75 preempted with
its state saved, 2 where a set-up is wrong, 128 + signal where it was killed.
"""

from __future__ import annotations

import argparse
import asyncio
import secrets
import signal
import sys
import urllib.error
import urllib.request
from pathlib import Path

from prometheus_client import CollectorRegistry, Gauge, generate_latest

from mobilegym.local.errors import RunFailed
from mobilegym.local.keeper import Keeper
from mobilegym.local.log import PrefixedLog
from mobilegym.local.parts import Places, engine_command, learner_command
from mobilegym.local.process import Command, Process, sweep
from mobilegym.local.restart import SETUP, Backoff
from mobilegym.protocol.address import blobs_address, redis_address
from mobilegym.protocol.errors import AddressError
from mobilegym.protocol.health import HealthServer, ListenError, Pulse
from mobilegym.protocol.ports import forget_port, read_ports
from mobilegym.run.errors import RunError
from mobilegym.run.load import load_run
from mobilegym.run.manifest import MobileGymRun

PROBE_SECONDS = 5.0


class Trainer:
    """The life of one learner, with an engine beside it."""

    def __init__(self, engine: Command, learner: Command, run_dir: Path, *, backoff: Backoff | None = None) -> None:
        self._token = secrets.token_hex(8)
        self._logs = {command.name: PrefixedLog(command.name, sys.stdout.buffer) for command in (engine, learner)}
        self._engine = Keeper(engine, self._logs[engine.name], token=self._token, backoff=backoff, say=say)
        self._command, self._run_dir = learner, run_dir
        self._asked = asyncio.Event()
        self.pulse = Pulse("the supervisor's event loop")
        self._registry = CollectorRegistry()
        self._starts = Gauge("mobilegym_trainer_engine_starts", "Starts of the engine.", registry=self._registry)

    def stop(self) -> None:
        """The learner saves its state, then both end."""
        self._asked.set()

    async def run(self) -> int:
        """Returns the exit status of the whole."""
        beating = asyncio.create_task(self.pulse.keep())
        forget_port(self._run_dir, self._command.name)  # of an earlier life: another process may have it now
        try:
            return await self._live()
        finally:
            await self._engine.stop()
            beating.cancel()
            sweep(self._token)
            for log in self._logs.values():
                log.finish()

    async def _live(self) -> int:
        engine = self._engine.start()
        try:
            learner = await Process.start(self._command, self._logs[self._command.name], token=self._token)
        except OSError as error:
            say(f"{self._command.name} cannot be started: {error}")
            return 1
        ended, asked = asyncio.create_task(learner.wait()), asyncio.create_task(self._asked.wait())
        await asyncio.wait({ended, asked, engine}, return_when=asyncio.FIRST_COMPLETED)
        asked.cancel()
        failed = None if ended.done() else self._failure(engine)
        code = await learner.stop()  # also kills what it left in its group
        if failed is not None:
            return failed
        say(f"{self._command.name} ended with {code}")
        return code if code >= 0 else 128 - code

    def _failure(self, engine: asyncio.Task[None]) -> int | None:
        """Exit status where the engine could not be kept, in words on the log."""
        error = engine.exception() if engine.done() and not engine.cancelled() else None
        if not isinstance(error, RunFailed):
            return None
        say(str(error))
        return SETUP if self._engine.exit_codes[-1:] == [SETUP] else 1

    def metrics(self) -> bytes:
        """The learner's, and one's own."""
        self._starts.set(self._engine.starts)
        status, body = self._ask("/metrics")
        return (body if status == 200 else b"") + generate_latest(self._registry)

    def alive(self) -> str | None:
        """A learner that has not begun to answer is none that has stopped to."""
        status, body = self._ask("/healthz")
        return self.pulse.check() or (None if status in (0, 200) else f"learner: {body.decode().strip()}")

    def ready(self) -> str | None:
        status, body = self._ask("/readyz")
        if status == 0:
            return "the learner does not answer yet"
        return None if status == 200 else f"learner: {body.decode().strip()}"

    def _ask(self, path: str) -> tuple[int, bytes]:
        """Status 0 where nobody listens, 504 where somebody listens and does not answer."""
        port = read_ports(self._run_dir).get(self._command.name)
        if port is None:
            return 0, b""
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=PROBE_SECONDS) as answer:
                return int(answer.status), bytes(answer.read())
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.read()
        except TimeoutError:
            return 504, f"no answer in {PROBE_SECONDS:g} s".encode()
        except OSError:
            return 0, b""


def say(line: str) -> None:
    sys.stdout.buffer.write(f"trainer | {line}\n".encode())
    sys.stdout.buffer.flush()


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m mobilegym.local.trainer", description=__doc__)
    parser.add_argument("--run-file", type=Path, required=True, help="the MobileGymRun manifest")
    parser.add_argument("--run-dir", type=Path, required=True, help="folder of the run; may hold an earlier life")
    parser.add_argument("--redis", required=True, help="redis:// URL of the streams, or @FILE that holds it")
    parser.add_argument("--blobs", help="store of screenshots: folder, URL, or @FILE that holds a URL")
    parser.add_argument("--model", type=Path, help="first weights; default: the manifest's")
    parser.add_argument("--host", default="127.0.0.1", help="that engine, metrics and probes are served on")
    parser.add_argument("--engine-port", type=int, default=8000)
    parser.add_argument("--metrics-host", help="default: --host")
    parser.add_argument("--metrics-port", type=int, default=9100)
    return parser.parse_args()


def trainer_of(args: argparse.Namespace, run: MobileGymRun) -> Trainer:
    host = f"[{args.host}]" if ":" in args.host else args.host
    at = Places(
        run_file=args.run_file,
        run_dir=args.run_dir,
        redis=args.redis,
        engine=f"http://{host}:{args.engine_port}",
        model=args.model,
        blobs=args.blobs,
    )
    return Trainer(engine_command(run, at, args.engine_port, args.host), learner_command(run, at), args.run_dir)


async def serve(args: argparse.Namespace, run: MobileGymRun) -> int:
    trainer = trainer_of(args, run)
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, trainer.stop)
    host = args.metrics_host or args.host
    with HealthServer(host, args.metrics_port, trainer.metrics, alive=trainer.alive, ready=trainer.ready):
        return await trainer.run()


def main() -> int:
    args = arguments()
    try:
        run = load_run(args.run_file)
        redis_address(args.redis)
        if args.blobs is not None:
            blobs_address(args.blobs)
    except (RunError, AddressError) as error:
        print(f"trainer: {error}", file=sys.stderr)
        return SETUP
    args.run_dir.mkdir(parents=True, exist_ok=True)
    try:
        return asyncio.run(serve(args, run))
    except ListenError as error:
        print(f"trainer: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
