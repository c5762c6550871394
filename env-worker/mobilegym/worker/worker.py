"""A worker: many phones, each playing one leased episode after another, until it is told to drain."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from functools import lru_cache

from mobilegym.judge.judge import JudgeError
from mobilegym.judge.reward import reward
from mobilegym.phone.errors import PhoneError
from mobilegym.phone.pool import PhonePool
from mobilegym.protocol.blobs import BlobStore
from mobilegym.protocol.errors import LeaseLost, StreamError, StreamUnavailable
from mobilegym.protocol.messages import Episode, Heartbeat, Trajectory
from mobilegym.protocol.status import EpisodeStatus
from mobilegym.protocol.streams import Lease, PushResult, Streams, persist
from mobilegym.tasks.instance import Instance, catalogue
from mobilegym.worker.agent import Agent
from mobilegym.worker.engine_client import EngineError, EngineUnavailable
from mobilegym.worker.metrics import WorkerMetrics
from mobilegym.worker.rollout import Limits, Played, Rollout
from mobilegym.world.dates import Locale

log = logging.getLogger("mobilegym.worker")

BEAT_SECONDS = 1.0
LEASE_BLOCK_SECONDS = 1.0
FULL_PAUSE_SECONDS = 0.25
DEAF_SECONDS = 20.0  # without an answer of the stream, after which a worker is not ready


@dataclass(frozen=True, kw_only=True)
class WorkerOptions:
    """`claim_idle`: seconds after which another worker's silent lease is taken over."""

    name: str
    run: str
    phones: int
    reward: str
    limits: Limits
    claim_idle: float = 120.0
    drain: float = 30.0
    start_seconds: float = 0.0  # that the phones took to open


@lru_cache(maxsize=64)
def instance_of(template_id: str, seed: int, locale: Locale) -> Instance:
    """Cached: the members of a group play the same instance."""
    return Instance.of(template_id, seed, locale)


def locale_of(episode: Episode) -> Locale:
    return "zh" if episode.locale == "zh" else "en"


async def answers_always(seconds: float) -> None:
    """Of agents without an engine."""


class Worker:
    """`agent_for` makes the agent of one episode; `engine_answers` returns once what it asks does, or raises
    EngineUnavailable after so many seconds."""

    def __init__(
        self,
        options: WorkerOptions,
        streams: Streams,
        blobs: BlobStore,
        pool: PhonePool,
        agent_for: Callable[[Episode], Agent],
        metrics: WorkerMetrics | None = None,
        engine_answers: Callable[[float], Awaitable[None]] = answers_always,
    ) -> None:
        self.options = options
        self.streams = streams
        self.blobs = blobs
        self.pool = pool
        self.agent_for = agent_for
        self.metrics = metrics or WorkerMetrics()
        self.engine_answers = engine_answers
        self._unanswered = False  # whether an episode has failed for want of the engine's answer
        self._busy = 0
        self._done = 0
        self._steps = 0
        self._draining = asyncio.Event()
        self._aborting = False
        self._reclaimed: asyncio.Queue[Lease] = asyncio.Queue()
        self._heard: float | None = None  # monotonic seconds, of the stream's last answer

    def ready(self) -> str | None:
        """None where it plays what it is given, else why not."""
        if self._heard is None:
            return "the stream has not answered yet"
        silent = time.monotonic() - self._heard
        return f"the stream has not answered for {silent:.0f} s" if silent > DEAF_SECONDS else None

    def drain(self) -> None:
        """Lease nothing more; what is being played may end within the drain time, then is given back."""
        self._draining.set()

    async def run(self) -> None:
        """Returns when drained."""
        self.metrics.phones.set(self.options.phones)
        self.metrics.watch(self.pool.counts)
        helpers = [asyncio.create_task(work()) for work in (self._beat, self._reclaim, self._watch_drain)]
        try:
            with contextlib.suppress(StreamUnavailable):  # drained before it answered; the first lease tells otherwise
                await persist(lambda: self.streams.publish_tasks(catalogue()), hurry=self._draining.is_set)
            async with asyncio.TaskGroup() as lanes:
                for _ in range(self.options.phones):
                    lanes.create_task(self._lane())
        finally:
            for helper in helpers:
                helper.cancel()
            await asyncio.gather(*helpers, return_exceptions=True)
            with contextlib.suppress(StreamError):
                await self._say("stopped")

    async def _lane(self) -> None:
        while not self._draining.is_set():
            if self._unanswered and not await self._engine_is_there():
                continue
            lease = await self._next()
            if lease is not None:
                await self._serve(lease)

    async def _engine_is_there(self) -> bool:
        """Else episodes would use up their deliveries while the engine is away, and count as poison."""
        try:
            await self.engine_answers(LEASE_BLOCK_SECONDS)
        except EngineUnavailable:
            return False
        except EngineError:  # another path than it has, but an answer
            pass
        self._unanswered = False
        return True

    async def _next(self) -> Lease | None:
        if not self._reclaimed.empty():
            return self._reclaimed.get_nowait()
        try:
            leases = await persist(
                lambda: self.streams.lease(self.options.name, 1, LEASE_BLOCK_SECONDS), hurry=self._draining.is_set
            )
        except StreamUnavailable:
            if not self._draining.is_set():
                raise
            return None
        return leases[0] if leases else None

    async def _serve(self, lease: Lease) -> None:
        """One lease, from its phone to its acknowledgement. Whatever fails here is counted and given back."""
        self._busy += 1
        self.metrics.busy.inc()
        try:
            played = await self._play(lease)
            await self._settle(lease, played)
        except LeaseLost:
            log.warning("lease of %s lost: another worker plays it now", lease.episode.id)
        except JudgeError as error:
            self.metrics.judge_errors.inc()
            log.error("episode %s: %s", lease.episode.id, error)
            await self._return(lease, counts=True)
        except PhoneError as error:
            log.warning("episode %s: no phone: %s", lease.episode.id, error)
            await self._return(lease, counts=True)
        finally:
            self._busy -= 1
            self.metrics.busy.dec()

    async def _play(self, lease: Lease) -> Played:
        episode = lease.episode
        instance = instance_of(episode.template, episode.seed, locale_of(episode))
        async with self._renewed(lease), self.pool.phone() as phone:
            limits = self.options.limits
            steps = episode.max_steps if episode.max_steps is not None else limits.steps
            rollout = Rollout(
                phone=phone,
                instance=instance,
                agent=self.agent_for(episode),
                limits=Limits(steps=steps, step_seconds=limits.step_seconds, episode_seconds=episode.deadline_seconds),
                keep=self._keep,
                stopping=lambda: self._aborting,
                on_step=self._count_step,
            )
            return await rollout.play()

    @contextlib.asynccontextmanager
    async def _renewed(self, lease: Lease) -> AsyncIterator[None]:
        """Renews the lease while the episode is played; cancels it where the lease is lost."""
        playing = asyncio.current_task()
        assert playing is not None
        lost = False

        async def renew() -> None:
            nonlocal lost
            while True:
                await asyncio.sleep(self.options.claim_idle / 4)
                try:
                    await persist(lambda: self.streams.renew(lease))
                except LeaseLost:
                    lost = True
                    playing.cancel()
                    return

        renewing = asyncio.create_task(renew())
        try:
            yield
        except asyncio.CancelledError:
            if not lost:
                raise
            playing.uncancel()
            raise LeaseLost(f"lease of {lease.episode.id}") from None
        finally:
            renewing.cancel()

    async def _keep(self, image: bytes) -> str:
        """Off the loop: a store across the network may take its time, or be away for a while."""
        return await persist(lambda: asyncio.to_thread(self.blobs.put, image))

    def _count_step(self) -> None:
        self._steps += 1
        self.metrics.steps.inc()

    async def _settle(self, lease: Lease, played: Played) -> None:
        self.metrics.observe(played, lease.episode.purpose)
        if played.status.retried:
            self._unanswered |= played.status is EpisodeStatus.POLICY_ERROR
            log.warning(
                "episode %s (%s): %s: %s", lease.episode.id, lease.episode.template, played.status, played.error
            )
            await self._return(lease, counts=played.status is not EpisodeStatus.ABORTED)
            return
        await self._push(trajectory_of(lease, played, self.options))
        await persist(lambda: self.streams.ack(lease))
        self._done += 1

    async def _push(self, trajectory: Trajectory) -> None:
        """Waits while the stream is full: back-pressure, nothing is dropped."""
        while True:
            result = await persist(lambda: self.streams.push(trajectory))
            if result is not PushResult.FULL:
                return
            self.metrics.full.inc()
            await asyncio.sleep(FULL_PAUSE_SECONDS)

    async def _return(self, lease: Lease, *, counts: bool) -> None:
        self.metrics.returned.inc()
        with contextlib.suppress(LeaseLost):
            await persist(lambda: self.streams.release(lease, counts=counts))

    async def _reclaim(self) -> None:
        """Takes over what dead workers left, this one's own former life included."""
        while True:
            await asyncio.sleep(min(5.0, self.options.claim_idle / 4))
            free = self.options.phones - self._busy - self._reclaimed.qsize()
            if free <= 0 or self._draining.is_set():
                continue
            name, idle = self.options.name, self.options.claim_idle
            for lease in await persist(lambda: self.streams.reclaim(name, idle, free)):  # noqa: B023
                self._reclaimed.put_nowait(lease)

    async def _beat(self) -> None:
        while True:
            try:
                await self._say("running" if not self._draining.is_set() else "draining")
                if not (await self.streams.state()).leases:
                    self.drain()
                self._heard = time.monotonic()
            except StreamError as error:
                log.warning("no heartbeat: %s", error)
            await asyncio.sleep(BEAT_SECONDS)

    async def _say(self, phase: str) -> None:
        detail = {
            "phase": phase,
            "phones": self.options.phones,
            "busy": self._busy,
            "episodes": self._done,
            "steps": self._steps,
            "start_seconds": round(self.options.start_seconds, 1),
        }
        await self.streams.beat(Heartbeat(who=self.options.name, role="worker", at=time.time(), detail=detail))

    async def _watch_drain(self) -> None:
        await self._draining.wait()
        await asyncio.sleep(self.options.drain)
        self._aborting = True


def trajectory_of(lease: Lease, played: Played, options: WorkerOptions) -> Trajectory:
    episode, verdict = lease.episode, played.verdict
    return Trajectory(
        id=episode.id,
        run=episode.run,
        group=episode.group,
        member=episode.member,
        attempt=lease.deliveries,
        purpose=episode.purpose,
        template=episode.template,
        seed=episode.seed,
        locale=episode.locale,
        goal=played.instance.goal,
        status=played.status,
        verdict=verdict.record() if verdict else None,
        reward=reward(options.reward, verdict) if verdict else None,
        answer=played.answer,
        steps=played.steps,
        initial_state_hash=played.initial_state_hash,
        final_image=played.final_image,
        worker=options.name,
        started_at=episode.issued_at,
        ended_at=time.time(),
        error=played.error,
    )
