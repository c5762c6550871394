"""Policy versions on their way out: saved, named on the stream, loaded by the engine."""

from __future__ import annotations

import asyncio
import logging
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import aiohttp

from mobilegym.learner.checkpoint import named_errors
from mobilegym.learner.inbox import Stopped
from mobilegym.policy.model import Policy, save_policy, weights_digest
from mobilegym.protocol.messages import PolicyVersion
from mobilegym.protocol.streams import Streams, persist

log = logging.getLogger(__name__)
KEEP = 3  # an engine may still be reading the one before
RETRY_SECONDS = 1.0
ANSWER_SECONDS = 120.0  # loading weights included
REFUSALS = 10  # in a row, after which it is no disk that is a moment behind


class WeightsNotTaken(Exception):
    """The engine answers, and refuses what was published."""


class Publisher:
    """Weights go to `folder`/v000005, a whole Hugging Face folder, so that an engine can start from it too."""

    def __init__(
        self,
        policy: Policy,
        folder: Path,
        streams: Streams,
        engine_url: str | None,
        *,
        retry_seconds: float = RETRY_SECONDS,
    ) -> None:
        self._retry_seconds = retry_seconds
        self._policy = policy
        self._folder = folder
        self._streams = streams
        self._engine = engine_url.rstrip("/") if engine_url else None

    def save(self, version: int) -> PolicyVersion:
        """Raises CheckpointError when the disk does not take it."""
        final, aside = self._folder / f"v{version:06d}", self._folder / f"tmp-{version:06d}"
        with named_errors(self._folder):
            shutil.rmtree(aside, ignore_errors=True)
            aside.mkdir(parents=True)
            save_policy(self._policy, aside)
            shutil.rmtree(final, ignore_errors=True)
            aside.rename(final)
        for old in sorted(self._folder.glob("v*"))[:-KEEP]:
            shutil.rmtree(old, ignore_errors=True)
        return PolicyVersion(version=version, path=str(final.resolve()), digest=weights_digest(final))

    async def publish(self, version: PolicyVersion, stopping: Callable[[], bool]) -> None:
        """First on the stream, where an engine that starts finds it, then to the engine; waits for one that is down.

        Raises Stopped, or WeightsNotTaken after REFUSALS answers of the kind 4xx.
        """
        await persist(lambda: self._streams.publish_policy(version), hurry=stopping)
        if self._engine is None:
            return
        timeout = aiohttp.ClientTimeout(total=ANSWER_SECONDS)
        async with aiohttp.ClientSession(self._engine, timeout=timeout) as session:
            failures = refusals = 0
            while True:
                if stopping():
                    raise Stopped
                try:
                    await _swap(session, version)
                    return
                except (aiohttp.ClientError, TimeoutError) as error:
                    failures += 1
                    refusals = refusals + 1 if _is_refusal(error) else 0
                    what = f"engine {self._engine} did not take version {version.version} ({error})"
                    if refusals >= REFUSALS:
                        raise WeightsNotTaken(
                            f"{what} {refusals} times: does it see {version.path}, and is it an engine of this model?"
                        ) from error
                    if failures == 1:
                        log.warning("%s; trying again", what)
                    await asyncio.sleep(self._retry_seconds)


def _is_refusal(error: Exception) -> bool:
    return isinstance(error, aiohttp.ClientResponseError) and 400 <= error.status < 500


async def _swap(session: aiohttp.ClientSession, version: PolicyVersion) -> None:
    """An engine that follows the stream may have the version already; a killed learner may have left it paused."""
    now = await _ask(session, "GET", "/version")
    if now["version"] == version.version:
        if now["paused"]:
            await _ask(session, "POST", "/resume")
        return
    await _ask(session, "POST", "/pause")
    try:
        body = {"path": version.path, "version": version.version, "digest": version.digest}
        await _ask(session, "POST", "/update_weights", body)
    finally:
        await _ask(session, "POST", "/resume")


async def _ask(session: aiohttp.ClientSession, method: str, path: str, body: Any = None) -> dict[str, Any]:
    async with session.request(method, path, json=body) as response:
        if response.status >= 400:
            raise aiohttp.ClientResponseError(
                response.request_info, response.history, status=response.status, message=await response.text()
            )
        answer: dict[str, Any] = await response.json()
        return answer
