"""Which tasks are played: a pure function of (seed, batch), so a resumed run draws what it would have drawn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mobilegym.learner.errors import SetupError
from mobilegym.learner.settings import Settings
from mobilegym.protocol.messages import Episode, Sampling, TaskCard, trajectory_id
from mobilegym.run.tasks import TasksSpec

HELD_OUT = 10_000_000  # world seeds from here on are for evaluation only
EVAL_STREAM = 2**32 - 1  # the batch number that the evaluation set is drawn from


class NoTasks(SetupError):
    """The manifest selects no template of the catalogue."""


@dataclass(frozen=True, kw_only=True)
class Batch:
    """The episodes of one learner step, or of one evaluation; members of a group stand together."""

    number: int  # the learner step it is trained in, or the version that it evaluates
    episodes: tuple[Episode, ...]
    evaluation: bool = False

    @property
    def ids(self) -> frozenset[str]:
        return frozenset(e.id for e in self.episodes)


def choose(cards: Sequence[TaskCard], tasks: TasksSpec) -> list[TaskCard]:
    """Templates that the manifest selects, by id. Raises NoTasks."""
    chosen = sorted((card for card in cards if tasks.selects(card.id, card.apps, card.split)), key=lambda card: card.id)
    if not chosen:
        raise NoTasks(f"spec.tasks selects none of {len(cards)} templates ({tasks.words}): see `mobilegym tasks list`")
    return chosen


class TaskSampler:
    """Every template comes up once before any comes up again, in an order that is new each time round."""

    def __init__(self, cards: Sequence[TaskCard], settings: Settings) -> None:
        self.cards = choose(cards, settings.tasks)
        self._settings = settings

    def batch(self, number: int) -> Batch:
        """Groups for learner step `number`, admitted once the policy is at most `staleness` versions behind."""
        s = self._settings
        rng = self._rng(number)
        episodes: list[Episode] = []
        for i in range(s.groups):
            card = self._card(number * s.groups + i)
            seed = int(rng.integers(HELD_OUT))
            locale = s.tasks.locales[int(rng.integers(len(s.tasks.locales)))].value
            group = f"s{number:06d}-g{i:03d}"
            for member in range(s.group_size):
                version = max(0, number - s.staleness)
                draw = int(rng.integers(2**31))
                episodes.append(self._episode(card, group, member, seed, locale, draw, "train", version))
        return Batch(number=number, episodes=tuple(episodes))

    def evaluation(self, version: int) -> Batch:
        """The held-out set: the same tasks and sampling seeds at every version."""
        s = self._settings
        rng = self._rng(EVAL_STREAM)
        episodes = []
        for i in range(s.eval_episodes):
            card = self.cards[i % len(self.cards)]
            seed = HELD_OUT + int(rng.integers(HELD_OUT))
            locale = s.tasks.locales[int(rng.integers(len(s.tasks.locales)))].value
            draw = int(rng.integers(2**31))
            episodes.append(self._episode(card, f"eval-v{version:06d}-{i:04d}", 0, seed, locale, draw, "eval", version))
        return Batch(number=version, episodes=tuple(episodes), evaluation=True)

    def _episode(
        self, card: TaskCard, group: str, member: int, seed: int, locale: str, draw: int, purpose: str, version: int
    ) -> Episode:
        s = self._settings
        return Episode(
            id=trajectory_id(s.run, group, member),
            run=s.run,
            group=group,
            member=member,
            purpose=purpose,
            template=card.id,
            seed=seed,
            locale=locale,
            sample_seed=draw,
            min_policy_version=version,
            sampling=Sampling(temperature=s.temperature, max_tokens=s.max_tokens),
            max_steps=s.episode_steps if s.episode_steps and s.episode_steps < card.budget else None,
            deadline_seconds=s.episode_seconds,
        )

    def _card(self, position: int) -> TaskCard:
        lap, at = divmod(position, len(self.cards))
        order = np.random.default_rng((self._settings.seed, self._settings.tasks.seed, 1, lap)).permutation(
            len(self.cards)
        )
        return self.cards[int(order[at])]

    def _rng(self, number: int) -> np.random.Generator:
        return np.random.default_rng((self._settings.seed, self._settings.tasks.seed, 0, number))
