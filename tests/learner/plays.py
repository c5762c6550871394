"""A worker without a phone: leases episodes and pushes fabricated trajectories, the same for the same episode."""

from __future__ import annotations

import asyncio
import random
import threading
from typing import Self

from tests.learner.world import screenshot, trajectory

from mobilegym.policy.model import Policy
from mobilegym.protocol.blobs import BlobStore, open_blobs
from mobilegym.protocol.messages import Episode, StepRecord, TaskCard, Trajectory
from mobilegym.protocol.streams import Lease, RedisStreams

CARDS = [
    TaskCard(id=f"clock.{name}", apps=("clock",), split="train", level=1, budget=9)
    for name in ("alarm", "timer", "world", "stopwatch")
]
SCREENS = [screenshot(i) for i in range(6)]


def play(episode: Episode, policy: Policy, blobs: BlobStore) -> Trajectory:
    """Two steps of tokens that the policy could have drawn; half of the episodes succeed."""
    rng = random.Random(episode.id)
    allowed = [i for i in range(len(policy.tokenizer)) if i not in policy.suppressed]
    steps = []
    for at in range(2):
        screen = SCREENS[0] if at == 0 else rng.choice(SCREENS)
        grid = policy.grid(policy.image_tensors(screen)[1])
        content = [{"type": "image"}, {"type": "text", "text": f"open the {episode.template} {episode.seed % 9}"}]
        prompt = policy.prompt_ids([{"role": "user", "content": content}], [grid])
        tokens = [rng.choice(allowed) for _ in range(3)] + [policy.eos]
        logprobs = tuple(-rng.uniform(2.0, 4.0) for _ in tokens)
        step = StepRecord(image=blobs.put(screen), prompt_ids=tuple(prompt), token_ids=tuple(tokens), logprobs=logprobs)
        steps.append(step)
    reward = float(episode.member % 2)  # so every group has signal, whatever the run is called
    fields = {"id": episode.id, "template": episode.template, "seed": episode.seed, "purpose": episode.purpose}
    return trajectory(episode.group, episode.member, steps, reward=reward, run=episode.run, **fields)


class Player:
    """Plays on a thread of its own, from entering to leaving. Batches from number `hold` on are kept waiting, so that a
    test decides how far a learner gets."""

    def __init__(self, redis_url: str, run: str, policy: Policy, blobs: str, hold: int) -> None:
        self.hold = hold
        self._redis_url, self._run_name = redis_url, run
        self._policy, self._blobs = policy, open_blobs(blobs, run)
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    def _run(self) -> None:
        asyncio.run(self._work())

    async def _work(self) -> None:
        async with RedisStreams(self._redis_url, self._run_name) as streams:
            await streams.publish_tasks(CARDS)
            waiting: list[Lease] = []
            while not self._over.is_set():
                waiting += await streams.lease("stub", 64, block=0.1)
                for lease in [w for w in waiting if self._may(w.episode)]:
                    waiting.remove(lease)
                    await streams.push(play(lease.episode, self._policy, self._blobs))
                    await streams.ack(lease)

    def _may(self, episode: Episode) -> bool:
        return episode.purpose == "eval" or int(episode.group[1:7]) < self.hold
