"""Plays an agent on a phone and tells how it ended."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from typing import Any

from mobilegym.judge.ending import Ending
from mobilegym.phone.action import Answer, AnyAction, Finish
from mobilegym.phone.phone import Phone
from mobilegym.tasks.agents import Agent
from mobilegym.tasks.instance import Instance
from mobilegym.tasks.view import View


@dataclass
class Recording:
    """What was done, and the SHA-256 of each screenshot: one before the first action, one after each."""

    actions: list[AnyAction] = field(default_factory=list)
    images: list[str] = field(default_factory=list)
    answer: str | None = None
    finish: Finish | None = None


async def play(
    phone: Phone,
    instance: Instance,
    agent: Agent,
    *,
    start: dict[str, Any] | None = None,
    most_steps: int | None = None,
    recording: Recording | None = None,
) -> Ending:
    """Resets the phone to the instance, or to `start`; the agent acts until it finishes, stops, or is out of steps.

    Screenshots are taken only for a `recording`. Every action counts as a step, answer and finish too. Errors of the
    phone pass through.
    """
    record = recording or Recording()
    initial = start or instance.state
    limit = instance.budget if most_steps is None else most_steps
    seen = await phone.reset(initial, image=False)
    while len(record.actions) < limit and record.finish is None:
        seen = await phone.observe(tree=True, state=True, image=recording is not None)
        assert seen.tree is not None
        assert seen.state is not None
        _keep(record, seen.image)
        action = agent(View(seen.state, seen.tree, record.answer, (phone.viewport.width, phone.viewport.height)))
        if action is None:
            break
        record.actions.append(action)
        if isinstance(action, Answer):
            record.answer = action.text
        elif isinstance(action, Finish):
            record.finish = action
        await phone.act(action)
    if recording is not None:
        _keep(record, (await phone.observe()).image)
    return await ending(phone, instance, record, initial)


def _keep(record: Recording, image: bytes) -> None:
    if image:
        record.images.append(hashlib.sha256(image).hexdigest())


async def ending(phone: Phone, instance: Instance, record: Recording, initial: dict[str, Any]) -> Ending:
    return Ending(
        initial=initial,
        final=(await phone.snapshot()).state,
        events=await phone.events(),
        answer=record.answer,
        finished=record.finish is not None and record.finish.status == "success",
        aborted=record.finish is not None and record.finish.status == "failure",
        steps=len(record.actions),
        budget=instance.budget,
    )


async def wander(phone: Phone, instance: Instance, agent: Agent, harmless: Any) -> dict[str, Any]:
    """The state in which an agent leaves the phone, any action undone whose events `harmless(paths)` refuses."""
    await phone.reset(instance.state, image=False)
    while True:
        before = await phone.snapshot()
        seen = await phone.observe(tree=True, image=False)
        assert seen.tree is not None
        action = agent(View(before.state, seen.tree))
        if action is None:
            return before.state
        await phone.act(action)
        if not all(harmless(event["paths"]) for event in await phone.events()):
            await phone.restore(before, image=False)
