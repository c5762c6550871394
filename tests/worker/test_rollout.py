"""Episodes in the real phone, played by programs."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from mobilegym.phone.action import Tap
from mobilegym.phone.phone import Phone
from mobilegym.phone.pool import PhonePool, PoolOptions
from mobilegym.protocol.status import EpisodeStatus
from mobilegym.tasks.instance import Instance
from mobilegym.worker.agent import Decision, PolicyFailure, Turn
from mobilegym.worker.rollout import Limits, Rollout
from mobilegym.worker.scripted import scripted

TASK = "clock.toggle-alarm"


@pytest.fixture
async def pool() -> AsyncIterator[PhonePool]:
    async with PhonePool(PoolOptions(phones=1)) as pool:
        yield pool


class Says:
    """Answers with what it is told, turn by turn; the last one again and again."""

    name = "says"
    needs_tree = False

    def __init__(self, *decisions: Decision) -> None:
        self.decisions = list(decisions)

    async def decide(self, turn: Turn) -> Decision:
        return self.decisions.pop(0) if len(self.decisions) > 1 else self.decisions[0]


class Fails:
    name = "fails"
    needs_tree = False

    async def decide(self, turn: Turn) -> Decision:
        raise PolicyFailure("the engine is away")


class Hangs:
    name = "hangs"
    needs_tree = False

    async def decide(self, turn: Turn) -> Decision:
        await asyncio.Event().wait()
        raise AssertionError("unreachable")


class Kills:
    """Ends the browser under the phone."""

    name = "kills"
    needs_tree = False

    def __init__(self, phone: Phone) -> None:
        self.phone = phone

    async def decide(self, turn: Turn) -> Decision:
        if turn.step == 1:
            await self.phone.browser.close()
        return Decision(actions=(Tap(0.5, 0.5),))


async def test_the_oracle_completes_with_reward(pool: PhonePool) -> None:
    instance = Instance.of(TASK, 1)
    async with pool.phone() as phone:
        played = await Rollout(phone, instance, scripted("oracle", instance)).play()
    assert played.status is EpisodeStatus.COMPLETED
    assert played.verdict is not None
    assert played.verdict.success
    assert played.verdict.clean
    assert all(len(step.image) == 64 for step in played.steps)


async def test_doing_nothing_is_truncated_without_success(pool: PhonePool) -> None:
    instance = Instance.of(TASK, 1)
    async with pool.phone() as phone:
        played = await Rollout(phone, instance, scripted("noop", instance), Limits(steps=3)).play()
    assert played.status is EpisodeStatus.TRUNCATED
    assert played.verdict is not None
    assert not played.verdict.success
    assert len(played.steps) == 3


async def test_three_unreadable_answers_in_a_row_end_the_episode(pool: PhonePool) -> None:
    garbage = Decision(error="no action in 'hello'", text="hello")
    async with pool.phone() as phone:
        played = await Rollout(phone, Instance.of(TASK, 1), Says(garbage)).play()
    assert played.status is EpisodeStatus.AGENT_ERROR
    assert [step.error for step in played.steps] == ["no action in 'hello'"] * 3
    assert played.verdict is not None


async def test_an_engine_that_fails_is_no_failure_of_the_agent(pool: PhonePool) -> None:
    async with pool.phone() as phone:
        played = await Rollout(phone, Instance.of(TASK, 1), Fails()).play()
    assert played.status is EpisodeStatus.POLICY_ERROR
    assert played.verdict is None
    assert played.error == "the engine is away"


async def test_a_step_past_its_deadline_is_an_error_with_the_step_named(pool: PhonePool) -> None:
    async with pool.phone() as phone:
        played = await Rollout(phone, Instance.of(TASK, 1), Hangs(), Limits(step_seconds=3)).play()
    assert played.status is EpisodeStatus.POLICY_ERROR  # the phone had done its part
    assert f"{TASK} seed 1 step 0" in played.error


async def test_a_killed_browser_is_an_error_of_the_environment(pool: PhonePool) -> None:
    async with pool.phone() as phone:
        played = await Rollout(phone, Instance.of(TASK, 1), Kills(phone)).play()
    assert played.status is EpisodeStatus.ENV_ERROR
    async with pool.phone() as phone:
        instance = Instance.of(TASK, 1)
        assert (await Rollout(phone, instance, scripted("oracle", instance)).play()).verdict.success  # type: ignore[union-attr]


async def test_members_of_a_group_start_from_the_same_state(pool: PhonePool) -> None:
    hashes = set()
    for _ in range(2):
        async with pool.phone() as phone:
            instance = Instance.of(TASK, 5)
            hashes.add(
                (await Rollout(phone, instance, scripted("noop", instance), Limits(steps=1)).play()).initial_state_hash
            )
    assert len(hashes) == 1
