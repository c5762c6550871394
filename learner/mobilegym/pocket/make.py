"""Makes the pocket policy from nothing: screens, words, reading, binding, joint training, imitation, a score, a card.

Each stage leaves its result in the cache folder and is skipped when it is there, so a run that was stopped goes on.
"""

from __future__ import annotations

import asyncio
import shutil
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import torch

from mobilegym.phone.build import PhoneBuild
from mobilegym.pocket import model, vocabulary
from mobilegym.pocket.card import Card, write_card
from mobilegym.pocket.collect import Moment, collect, plans_for
from mobilegym.pocket.evaluate import Report, play
from mobilegym.pocket.imitation import agreement, train
from mobilegym.pocket.labels import Book, wishes
from mobilegym.pocket.lessons import Course, Drawer, Tokens
from mobilegym.pocket.reading import train_reading
from mobilegym.pocket.recipe import Recipe, task_set_hash
from mobilegym.pocket.store import read_moments, write_moments
from mobilegym.policy.model import Policy, load_policy, save_policy
from mobilegym.policy.prompt import Grid

Tell = Callable[[str], None]
GRID = Grid(rows=model.CANVAS[1] // 16, cols=model.CANVAS[0] // 16)
CHUNK = 5  # worlds in one file of screens
STAGES = ("reading", "binding", "joint", "imitation")


@dataclass(kw_only=True)
class Maker:
    """`cache` keeps what the stages made; `out` gets the weights and the card."""

    recipe: Recipe
    cache: Path
    out: Path
    tell: Tell = print
    seconds: dict[str, float] = field(default_factory=dict)  # CPU seconds of each stage of this process

    def run(self) -> Card:
        torch.set_num_threads(1)
        moments = self.screens("train", self.recipe.train_worlds)
        held_out = self.screens("check", self.recipe.check_worlds)
        course = self.course(moments)
        check = Course.of(held_out, Book.of([*moments, *held_out], self.recipe.templates), goals=3, seed=1)
        self.stage("reading", lambda: self._build(moments), lambda policy: self._read(policy, moments))
        self.stage("binding", None, lambda policy: self._bind(policy, course), after="reading")
        self.stage("joint", None, lambda policy: self._join(policy, course), after="binding")
        policy = self.stage("imitation", None, lambda policy: self._imitate(policy, course), after="joint")
        figures = agreement(policy, check, Tokens(policy, GRID))
        self.tell("agrees with the oracle on held-out screens: " + " ".join(f"{k} {v:.2f}" for k, v in figures.items()))
        report = self.score(policy)
        return self.ship(policy, report, dict(figures))

    def screens(self, name: str, worlds: range) -> list[Moment]:
        """Screens of roll-ins in these worlds, collected in chunks."""
        found: list[Moment] = []
        for first in range(worlds.start, worlds.stop, CHUNK):
            lot = range(first, min(first + CHUNK, worlds.stop))
            file = self.cache / "screens" / f"{name}-{lot.start}-{lot.stop}.mp"
            if not file.exists():
                started = time.process_time()
                plans = plans_for(
                    self.recipe.templates, lot, noises=self.recipe.noises, steps=self.recipe.roll_in_steps
                )
                write_moments(asyncio.run(collect(plans, tell=self.tell)), file)
                self._spent("screens", started)
            found += read_moments(file)
        self.tell(f"{name}: {len(found)} screens of {len(worlds)} worlds")
        return found

    def course(self, moments: Sequence[Moment]) -> Course:
        """Labels of the weak teacher's material: only templates that are imitated."""
        started = time.process_time()
        book = Book.of(moments, self.recipe.imitated)
        course = Course.of(moments, book, goals=self.recipe.goals, seed=self.recipe.seed)
        kinds = {k: len(v) for k, v in sorted(course.kinds().items())}
        self.tell(f"labels: {sum(kinds.values())} rows on {len(course.moments)} screens: {kinds}")
        self._spent("labels", started)
        return course

    def stage(
        self,
        name: str,
        start: Callable[[], Policy] | None,
        teach: Callable[[Policy], None],
        after: str | None = None,
    ) -> Policy:
        """The policy after this stage, from the cache or made now."""
        folder = self.cache / name
        if not (folder / "COMPLETE").exists():
            shutil.rmtree(folder, ignore_errors=True)
            policy = start() if start is not None else load_policy(self.cache / str(after))
            started = time.process_time()
            policy.model.train()
            teach(policy)
            policy.model.eval()
            self._spent(name, started)
            save_policy(policy, folder)
            (folder / "COMPLETE").touch()
        return load_policy(folder)

    def score(self, policy: Policy) -> Report:
        started = time.process_time()
        report = asyncio.run(play(policy, self.recipe.templates, self.recipe.held_out_worlds))
        self._spent("evaluation", started)
        self.tell(f"held-out success {report.total}, {report.entropy:.2f} nat a token, {report.lengths:.1f} steps")
        for template, score in report.by_template.items():
            self.tell(f"  {template:34} {score}")
        return report

    def ship(self, policy: Policy, report: Report, figures: dict[str, float]) -> Card:
        self.out.mkdir(parents=True, exist_ok=True)
        save_policy(policy, self.out)
        low, high = report.total.interval
        card = Card(
            phone_build=PhoneBuild.load().hash,
            task_set=task_set_hash(self.recipe.templates),
            templates=self.recipe.templates,
            withheld=self.recipe.withheld,
            seed=self.recipe.seed,
            train_worlds=(self.recipe.train_worlds.start, self.recipe.train_worlds.stop),
            held_out_worlds=(self.recipe.held_out_worlds.start, self.recipe.held_out_worlds.stop),
            parameters=sum(p.numel() for p in policy.model.parameters()),
            cpu_seconds={k: round(v) for k, v in self.seconds.items()},
            success=round(report.total.rate, 4),
            success_low=round(low, 4),
            success_high=round(high, 4),
            episodes=report.total.episodes,
            imitation_ceiling=round(report.total.rate, 4),
            entropy=round(report.entropy, 3),
            teacher_errors=self.recipe.weakness.share,
            agreement={k: round(v, 3) for k, v in figures.items()},
            by_template={t: round(s.rate, 3) for t, s in report.by_template.items()},
        )
        write_card(card, self.out / "card.json")
        return card

    def _build(self, moments: Sequence[Moment]) -> Policy:
        chosen = vocabulary.choose(self.corpus(moments), self.recipe.vocabulary)
        self.tell(f"vocabulary: {len(chosen)} words")
        return model.build(self.cache / "untrained", self.recipe.seed, chosen)

    def corpus(self, moments: Sequence[Moment]) -> Iterable[str]:
        """What the worlds say: words on screens, and goals of the worlds (each goal thrice: they must be whole)."""
        for moment in moments:
            yield from (word.text for word in moment.frame.words)
        for world in self.recipe.train_worlds:
            for template in self.recipe.templates:
                yield from (w.goal for w in wishes(template, world) for _ in range(3))

    def _read(self, policy: Policy, moments: Sequence[Moment]) -> None:
        train_reading(
            policy,
            [m.frame for m in moments],
            steps=self.recipe.reading_steps,
            seed=self.recipe.seed,
            tell=self.tell,
        )

    def _drawer(self, policy: Policy, course: Course, **dials: float) -> Drawer:
        return Drawer(
            course=course,
            tokens=Tokens(policy, GRID),
            rng=Random(self.recipe.seed),
            weakness=self.recipe.weakness,
            **dials,  # type: ignore[arg-type]
        )

    def _bind(self, policy: Policy, course: Course) -> None:
        drawer = self._drawer(policy, course, goals=5, finds=10)
        train(policy, drawer, steps=self.recipe.binding_steps, name="binding", tell=self.tell)

    def _imitate(self, policy: Policy, course: Course) -> None:
        drawer = self._drawer(policy, course, goals=7, finds=3, balance=0.5)
        train(policy, drawer, steps=self.recipe.imitation_steps, find_weight=0.4, name="imitation", tell=self.tell)

    def _join(self, policy: Policy, course: Course) -> None:
        """Eyes and reading head together, for a short while."""
        drawer = self._drawer(policy, course, goals=7, finds=5, balance=0.4)
        train(
            policy,
            drawer,
            steps=self.recipe.joint_steps,
            vision=True,
            muon=2e-3,
            adam=1e-3,
            find_weight=0.3,
            name="joint",
            tell=self.tell,
        )

    def _spent(self, stage: str, started: float) -> None:
        self.seconds[stage] = self.seconds.get(stage, 0.0) + time.process_time() - started
