"""One episode on one phone: observe, decide, act, until it ends; then the judge."""

from __future__ import annotations

import asyncio
import hashlib
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

import msgspec
import orjson

from mobilegym.judge.ending import Ending
from mobilegym.judge.judge import Verdict, judge
from mobilegym.phone.action import Answer, AnyAction, Finish
from mobilegym.phone.errors import PhoneError
from mobilegym.phone.observation import Observation
from mobilegym.phone.phone import Phone
from mobilegym.protocol.messages import StepRecord, StepTiming
from mobilegym.protocol.status import EpisodeStatus
from mobilegym.tasks.instance import Instance
from mobilegym.worker.agent import Agent, Decision, PolicyFailure, Turn

MISUNDERSTOOD = 3  # unreadable answers in a row that end an episode


@dataclass(frozen=True, kw_only=True)
class Limits:
    """`steps`: cap besides the template's own budget. Deadlines in seconds."""

    steps: int | None = None
    step_seconds: float = 60.0
    episode_seconds: float = 600.0


@dataclass(frozen=True, kw_only=True)
class Played:
    """An episode as it was played. `verdict` is None unless the status is a rewarded one."""

    instance: Instance
    status: EpisodeStatus
    steps: tuple[StepRecord, ...]
    verdict: Verdict | None
    ending: Ending | None
    final_image: str
    initial_state_hash: str
    error: str = ""
    reset_seconds: float | None = None  # None where it was not reached

    @property
    def answer(self) -> str | None:
        return self.ending.answer if self.ending else None


Keep = Callable[[bytes], Awaitable[str]]  # stores a picture, returns its key


async def name_only(image: bytes) -> str:
    """Stores nothing."""
    return hashlib.sha256(image).hexdigest()


@dataclass
class Rollout:
    """Plays one instance. `keep` stores each picture; `pause` is asked between steps whether to stop early."""

    phone: Phone
    instance: Instance
    agent: Agent
    limits: Limits = field(default_factory=Limits)
    keep: Keep = name_only
    stopping: Callable[[], bool] = lambda: False
    on_step: Callable[[], None] = lambda: None

    _steps: list[StepRecord] = field(default_factory=list)
    _answer: str | None = None
    _finish: Finish | None = None
    _misunderstood: int = 0
    _reset_seconds: float | None = None
    _deciding: bool = False

    async def play(self) -> Played:
        """Never raises for what phone, policy or agent did: that is the status."""
        try:
            async with asyncio.timeout(self.limits.episode_seconds):
                return await self._play()
        except PolicyFailure as error:
            return self._failed(EpisodeStatus.POLICY_ERROR, str(error))
        except PhoneError as error:
            return self._failed(EpisodeStatus.ENV_ERROR, f"{type(error).__name__}: {error}")
        except TimeoutError:
            late = EpisodeStatus.POLICY_ERROR if self._deciding else EpisodeStatus.ENV_ERROR
            return self._failed(late, self._deadline())

    async def _play(self) -> Played:
        started = time.perf_counter()
        await self.phone.reset(self.instance.state, image=False)
        self._reset_seconds = time.perf_counter() - started
        status = None
        while status is None:
            if self.stopping():
                return self._failed(EpisodeStatus.ABORTED, "the worker is draining")
            status = await self._step()
        return await self._ended(status)

    async def _step(self) -> EpisodeStatus | None:
        started = time.perf_counter()
        async with asyncio.timeout(self.limits.step_seconds):
            observation = await self._observe()
            observed = time.perf_counter()
            decision = await self._decide(observation)
            decided = time.perf_counter()
            error = await self._act(decision)
        timing = StepTiming(observe=observed - started, policy=decided - observed, act=time.perf_counter() - decided)
        self._steps.append(await self._record(observation, decision, error, timing))
        self.on_step()
        return self._over()

    async def _observe(self) -> Observation:
        needs = self.agent.needs_tree
        return await self.phone.observe(tree=needs, state=needs)

    async def _decide(self, observation: Observation) -> Decision:
        self._deciding = True
        decision = await self.agent.decide(self._turn(observation))
        self._deciding = False
        return decision

    def _turn(self, observation: Observation) -> Turn:
        return Turn(instance=self.instance, observation=observation, history=self._steps, answered=self._answer)

    async def _act(self, decision: Decision) -> str:
        if decision.error or not decision.actions:
            self._misunderstood += 1
            await self.phone.idle()
            return decision.error or "no action"
        self._misunderstood = 0
        for action in decision.actions:
            if isinstance(action, Answer):
                self._answer = action.text
            if isinstance(action, Finish):
                self._finish = action
                break
            await self.phone.act(action)
        return ""

    def _over(self) -> EpisodeStatus | None:
        if self._finish is not None:
            return EpisodeStatus.COMPLETED
        if self._misunderstood >= MISUNDERSTOOD:
            return EpisodeStatus.AGENT_ERROR
        return EpisodeStatus.TRUNCATED if len(self._steps) >= self._most() else None

    def _most(self) -> int:
        cap = self.limits.steps
        return self.instance.budget if cap is None else min(cap, self.instance.budget)

    async def _record(self, seen: Observation, decision: Decision, error: str, timing: StepTiming) -> StepRecord:
        return StepRecord(
            image=await self.keep(seen.image) if seen.image else "",
            prompt_ids=decision.prompt_ids,
            token_ids=decision.token_ids,
            logprobs=decision.logprobs,
            policy_version=decision.policy_version,
            text=decision.text,
            action=canonical(decision.actions),
            error=error,
            timing=timing,
        )

    async def _ended(self, status: EpisodeStatus) -> Played:
        last = await self.phone.observe(state=True)
        assert last.state is not None
        ending = Ending(
            initial=self.instance.state,
            final=last.state,
            events=await self.phone.events(),
            answer=self._answer,
            finished=self._finish is not None and self._finish.status == "success",
            aborted=self._finish is not None and self._finish.status == "failure",
            steps=len(self._steps),
            budget=self.instance.budget,
        )
        verdict = judge(self.instance.template, self.instance.params, ending)
        return self._played(status, verdict=verdict, ending=ending, final_image=await self.keep(last.image))

    def _failed(self, status: EpisodeStatus, error: str) -> Played:
        return self._played(status, verdict=None, ending=None, final_image="", error=error)

    def _played(
        self,
        status: EpisodeStatus,
        *,
        verdict: Verdict | None,
        ending: Ending | None,
        final_image: str,
        error: str = "",
    ) -> Played:
        return Played(
            instance=self.instance,
            status=status,
            steps=tuple(self._steps),
            verdict=verdict,
            ending=ending,
            final_image=final_image,
            initial_state_hash=state_hash(self.instance),
            error=error,
            reset_seconds=self._reset_seconds,
        )

    def _deadline(self) -> str:
        within = f"{self.limits.step_seconds:g} s a step, {self.limits.episode_seconds:g} s an episode"
        where = f"{self.instance.template.id} seed {self.instance.seed} step {len(self._steps)}"
        return f"{where}: past its deadline ({within})"


def canonical(actions: tuple[AnyAction, ...]) -> str:
    """Canonical JSON: one action as an object, several as a list, none as ''."""
    if not actions:
        return ""
    return msgspec.json.encode(actions[0] if len(actions) == 1 else actions).decode()


def state_hash(instance: Instance) -> str:
    """sha256 of the initial state with sorted keys."""
    return hashlib.sha256(orjson.dumps(instance.state, option=orjson.OPT_SORT_KEYS)).hexdigest()
