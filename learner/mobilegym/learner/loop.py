"""GRPO for agents on phones, top to bottom.

What is kept of the algorithm: groups of episodes of one task, advantages within the group, a clipped ratio, several
losses of the family. What is not: no value model, no reward model (verdicts are programs), no generation in this
process (an engine samples, workers play, trajectories come by stream).

Rank 0 leads: it issues episodes, collects, keeps the books and tells the other ranks what to do. Every trajectory stays
pending in its stream until a complete checkpoint holds it; a killed learner therefore trains on the same trajectories
again, in the same order, from its checkpoint, and ends with the same parameters.
"""

from __future__ import annotations

import asyncio
import logging
import shutil
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from mobilegym.learner import checkpoint as ck
from mobilegym.learner.batch import Groups, training_batch
from mobilegym.learner.desk import Desk
from mobilegym.learner.inbox import Inbox, Stopped
from mobilegym.learner.ledger import Ledger, LedgerLine, read_lines
from mobilegym.learner.pack import share
from mobilegym.learner.publish import Publisher
from mobilegym.learner.records import Records, eval_line, step_line
from mobilegym.learner.rows import Row
from mobilegym.learner.sampler import TaskSampler
from mobilegym.learner.settings import Settings
from mobilegym.learner.status import Phase
from mobilegym.learner.update import Interrupted, Trainer, UpdateStats
from mobilegym.policy.model import Policy, save_policy
from mobilegym.protocol.blobs import BlobStore
from mobilegym.protocol.messages import TaskCard, Trajectory
from mobilegym.protocol.status import RunState
from mobilegym.protocol.streams import persist, persist_blocking
from mobilegym.protocol.streams.persist import AWAY

log = logging.getLogger(__name__)
PREEMPTED = 75  # exit status: stopped by a signal, state saved, start me again


@dataclass(frozen=True)
class Train:
    parts: tuple[tuple[Row, ...], ...]


@dataclass(frozen=True)
class Save:
    step: int
    folder: Path


@dataclass(frozen=True)
class Stop:
    pass


Command = Train | Save | Stop


@dataclass(kw_only=True)
class Rank:
    """What every rank does."""

    policy: Policy
    trainer: Trainer
    blobs: BlobStore

    def obey(self, command: Command) -> UpdateStats | None:
        """Raises Interrupted, CheckpointError: on all ranks alike."""
        if isinstance(command, Train):
            engine = self.trainer.engine
            mine = {row.image for part in command.parts for row in share(part, engine.rank, engine.ranks)}
            # Without a hurry: a rank that left alone would leave the others waiting for it.
            self.trainer.scene.load({key: persist_blocking(partial(self.blobs.get, key)) for key in sorted(mine)})
            return self.trainer.run(command.parts)
        if isinstance(command, Save):
            self._save(command)
        return None

    def follow(self) -> None:
        """The life of ranks other than 0."""
        while not isinstance(command := self.trainer.engine.broadcast(None), Stop):
            try:
                self.obey(command)
            except Interrupted:
                continue

    def _save(self, command: Save) -> None:
        engine, failure = self.trainer.engine, None
        try:
            with ck.named_errors(command.folder):
                engine.save(command.folder)
                ck.save_rng(command.folder, engine.rank)
        except ck.CheckpointError as error:
            failure = error
        if engine.agree(failure is not None):
            raise failure or ck.CheckpointError(f"checkpoint in {command.folder} failed on another rank: see its log")

    def restore(self, newest: Path | None = None) -> dict[str, Any] | None:
        """Loads the checkpoint that rank 0 names, on all ranks. Returns its state, or None where there is none."""
        newest = self.trainer.engine.broadcast(newest)
        if newest is None:
            return None
        state = ck.read_state(newest)
        self.trainer.engine.load(newest, int(state["updates"]))
        ck.load_rng(newest, self.trainer.engine.rank)
        return state


@dataclass(kw_only=True)
class Lead:
    """Rank 0. `stopping` is set by a signal and looked at between micro-batches and while waiting."""

    rank: Rank
    settings: Settings
    run_dir: Path
    checkpoints: ck.Checkpoints
    desk: Desk
    engine_url: str | None
    stopping: Callable[[], bool]
    version: int = 0  # learner steps taken
    evaluated: dict[int, float] = field(default_factory=dict)  # success by version
    discards: dict[str, str] = field(default_factory=dict)  # since the last ledger line

    def __post_init__(self) -> None:
        self.status, self.metrics, self.streams = self.desk.status, self.desk.metrics, self.desk.streams
        self.ledger = Ledger(self.run_dir / "ledger.jsonl")
        self.records = Records(self.run_dir)
        self.inbox = Inbox(self.streams, self.stopping)
        self.publisher = Publisher(self.rank.policy, self.run_dir / "policy", self.streams, self.engine_url)
        self.saved: int | None = None  # version of the newest checkpoint
        self.unsaved = False  # whether the ledger has more than it

    def run(self) -> int:
        """Learns until the last step. Returns the process's exit status: 0, or 75 when asked to stop."""
        try:
            self._prepare()
            self._learn()
        except (Stopped, Interrupted, *AWAY):
            if not self.stopping():
                raise
            self._save_and_go()
            return PREEMPTED
        finally:
            self._command(Stop())
        self.desk.enter(Phase.DONE)
        return 0

    def _save_and_go(self) -> None:
        """A stream that is away learns from the next process what this one's checkpoint holds."""
        log.info("asked to stop at step %d", self.version)
        if self.saved != self.version:
            with suppress(*AWAY):
                self._checkpoint()
        self.desk.enter(Phase.PREEMPTED)

    def _prepare(self) -> None:
        self._restore()
        settled = self.ledger.settled
        if not settled and self.desk.call(persist(self.streams.counters, hurry=self.stopping)).trained:
            raise ck.NoCheckpoint(
                f"run {self.settings.run} has trained before, but {self.checkpoints.folder} holds no checkpoint: give "
                "the run another name, or restore its checkpoints"
            )
        back = self.desk.call(self.inbox.recall(settled))
        log.info("starting at step %d of %d; %d trajectories came back", self.version, self.settings.steps, back)
        self.sampler = TaskSampler(self.desk.call(self._catalogue()), self.settings)
        self._publish()

    def _learn(self) -> None:
        s = self.settings
        while True:
            if s.evaluates_at(self.version) and self.version not in self.evaluated:
                self._evaluate()
            self.status.stopped_early = self.version < s.steps and self._good_enough()
            if self.version >= s.steps or self.status.stopped_early:
                break
            for ahead in range(self.version, min(self.version + s.staleness + 1, s.steps)):
                self.desk.call(self.inbox.offer(self.sampler.batch(ahead)))
            self._step()
            self._publish()
            if self.version % s.checkpoint_every == 0 and self.version < s.steps:
                self._checkpoint()
        self._finish()

    def _step(self) -> None:
        """Collects one batch, trains on it, and writes down what happened."""
        self._enter(Phase.COLLECTING)
        started = time.monotonic()
        batch = self.sampler.batch(self.version)
        trajectories = self.desk.call(self.inbox.collect(batch, self._discarded))
        waited = time.monotonic() - started
        self._enter(Phase.TRAINING)
        groups = by_group(trajectories)
        lost = self._lost_images(trajectories)
        policy = self.rank.policy
        made = training_batch(groups, self.settings, self.version, set(policy.suppressed), {policy.eos}, lost)
        for q in made.quarantined[:5]:
            log.warning("step %d of trajectory %s is not trained on: %s", q.step, q.trajectory, q.reason)
        update = self._command(Train(made.parts)) if made.parts else UpdateStats()
        assert update is not None
        self.version += 1
        line = step_line(self.version, made.stats, update, waited)
        self._write_down("step", trajectories, line)
        self.metrics.observe_step(line)
        self.status.step, self.status.success, self.status.reward = self.version, line["success"], line["reward"]
        self.status.trajectories += len(trajectories)
        self._count(stale_trajectories=sum(self._is_stale(t) for t in trajectories), lost_images=len(lost))
        self.status.wait_share = waited / max(time.monotonic() - started, 1e-9)
        self.metrics.gauges["wait_ratio"].set(self.status.wait_share)
        log.info(
            "step %d/%d: success %.3f reward %.3f loss %.4f entropy %.3f, roll-out %.1f s, training %.1f s%s",
            *(self.version, self.settings.steps, line["success"], line["reward"], line["loss"], line["entropy"]),
            *(waited, update.seconds, "" if made.parts else "; no group had signal, nothing was updated"),
        )

    def _is_stale(self, trajectory: Trajectory) -> bool:
        """Of the step just taken."""
        return bool(trajectory.steps) and self.version - 1 - trajectory.min_version > self.settings.staleness

    def _count(self, *, stale_trajectories: int, lost_images: int) -> None:
        self.status.stale += stale_trajectories
        self.status.lost += lost_images
        self.metrics.counters["stale_trajectories"].inc(stale_trajectories)
        self.metrics.counters["lost_images"].inc(lost_images)

    def _evaluate(self) -> None:
        """Plays the held-out set with the current version."""
        self._enter(Phase.EVALUATING)
        batch = self.sampler.evaluation(self.version)
        trajectories = self.desk.call(self.inbox.collect(batch, self._discarded))
        line = eval_line(self.version, trajectories)
        self.evaluated[self.version] = self.status.eval_success = line["success"]
        self._write_down("eval", trajectories, line)
        self.metrics.gauges["eval_success_ratio"].set(line["success"])
        log.info("version %d: held-out success %.3f [%.3f, %.3f], n = %d", *(line[k] for k in EVAL_WORDS))

    def _write_down(self, kind: str, trajectories: list[Trajectory], line: dict[str, Any]) -> None:
        """The ledger first: it is what a restart trusts, as far as a checkpoint goes."""
        self.unsaved = True
        ids = tuple(t.id for t in trajectories)
        self.ledger.append(LedgerLine(step=self.version, kind=kind, trained=ids, discarded=dict(self.discards)))
        self.metrics.counters["discarded"].inc(len(self.discards))
        self.discards.clear()
        if not line:
            return
        self.records.write(line)
        self.records.keep_trajectories(f"{kind}-{self.version:06d}", trajectories)

    def _publish(self) -> None:
        self._enter(Phase.PUBLISHING)
        version = self.publisher.save(self.version)
        self.desk.call(self.publisher.publish(version, self.stopping))
        self.status.version, self.status.published = self.version, True
        self.metrics.gauges["policy_version"].set(self.version)

    def _checkpoint(self) -> None:
        """Everything that a restart needs; then the trajectories it covers are settled."""
        self.desk.enter(Phase.CHECKPOINTING)
        folder = self.checkpoints.begin(self.version)
        try:
            with ck.named_errors(folder):
                save_policy(self.rank.policy, folder / "model")
                ck.write_state(folder, self._state())
                shutil.copyfile(self.ledger.path, folder / "ledger.jsonl")
            self._command(Save(self.version, folder))
            self.checkpoints.seal(self.version)
        except ck.CheckpointError:
            self.checkpoints.abandon(self.version)
            raise
        self.saved, self.unsaved = self.version, False
        self.status.last_checkpoint, self.status.checkpoint_step = time.time(), self.version
        self.metrics.gauges["last_checkpoint_timestamp_seconds"].set(self.status.last_checkpoint)
        self.desk.call(self.inbox.settle())

    def _state(self) -> dict[str, Any]:
        return {
            "version": self.version,
            "updates": self.rank.trainer.engine.updates,
            "evaluated": {str(k): v for k, v in self.evaluated.items()},
            "next_batch": self.version,
            "run": self.settings.run,
        }

    def _restore(self) -> None:
        """From the newest complete checkpoint; later steps in the books are struck out and taken again."""
        newest = self.checkpoints.newest() if self.settings.resume else None
        state = self.rank.restore(newest)
        if newest is not None and state is not None:
            self.version = self.saved = self.status.step = int(state["version"])
            self.status.checkpoint_step = self.version
            self.evaluated = {int(k): v for k, v in state["evaluated"].items()}
            self.status.eval_success = self.evaluated[max(self.evaluated)] if self.evaluated else None
            self.metrics.resume(self.version, self.status.eval_success)
            log.info("resuming from %s", newest)
        self.ledger.restore(read_lines(newest / "ledger.jsonl") if newest is not None else [])
        self.records.restore(self._is_known)

    def _is_known(self, line: dict[str, Any]) -> bool:
        if line.get("kind") == "eval":
            return line.get("version") in self.evaluated
        return int(line.get("step", 0)) <= self.version

    def _finish(self) -> None:
        """Nothing stays open: what was issued ahead and will not be trained on is discarded with that reason."""
        ended = "the run ended before its turn"
        self.desk.call(self.inbox.abandon(self.ledger.settled, ended, self._discarded))
        if self.discards:
            self._write_down("end", [], {})
        if self.unsaved:
            self._checkpoint()
        self.desk.call(persist(lambda: self.streams.set_state(RunState.DONE), hurry=self.stopping))

    def _good_enough(self) -> bool:
        s = self.settings
        last = [self.evaluated[v] for v in sorted(self.evaluated)][-s.enough_evals :]
        return s.enough is not None and len(last) == s.enough_evals and min(last) >= s.enough

    def _lost_images(self, trajectories: list[Trajectory]) -> set[str]:
        keys = {step.image for t in trajectories for step in t.steps if step.image}
        return {key for key in keys if not persist_blocking(partial(self.rank.blobs.has, key), hurry=self.stopping)}

    def _discarded(self, id: str, reason: str) -> None:
        self.discards[id] = reason

    async def _catalogue(self) -> list[TaskCard]:
        """Waits for the first worker to publish it."""
        while not (cards := await persist(self.streams.tasks, hurry=self.stopping)):
            if self.stopping():
                raise Stopped
            await asyncio.sleep(0.2)
        return cards

    def _enter(self, phase: Phase) -> None:
        self.desk.enter(phase)
        if self.stopping():
            raise Stopped

    def _command(self, command: Command) -> UpdateStats | None:
        self.rank.trainer.engine.broadcast(command)
        return self.rank.obey(command)


EVAL_WORDS = ("version", "success", "low", "high", "n")


def by_group(trajectories: list[Trajectory]) -> Groups:
    groups: Groups = {}
    for t in trajectories:
        groups.setdefault(t.group, []).append(t)
    return groups
