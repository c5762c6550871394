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
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mobilegym.learner import checkpoint as ck
from mobilegym.learner.batch import Groups, training_batch
from mobilegym.learner.courier import Courier
from mobilegym.learner.inbox import Inbox, Stopped
from mobilegym.learner.ledger import Ledger, LedgerLine, read_lines
from mobilegym.learner.pack import share
from mobilegym.learner.publish import Publisher
from mobilegym.learner.records import Records, eval_line, step_line
from mobilegym.learner.rows import Row
from mobilegym.learner.sampler import TaskSampler
from mobilegym.learner.settings import Settings
from mobilegym.learner.status import Metrics, Phase, Status, keep_beating
from mobilegym.learner.update import Interrupted, Trainer, UpdateStats
from mobilegym.policy.model import Policy, save_policy
from mobilegym.protocol.blobs import BlobStore
from mobilegym.protocol.messages import TaskCard, Trajectory
from mobilegym.protocol.status import RunState
from mobilegym.protocol.streams import Streams, persist

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
            self.trainer.scene.load({key: self.blobs.get(key) for key in sorted(mine)})
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
    streams: Streams
    engine_url: str | None
    courier: Courier
    metrics: Metrics
    stopping: Callable[[], bool]
    version: int = 0  # learner steps taken
    evaluated: dict[int, float] = field(default_factory=dict)  # success by version
    discards: dict[str, str] = field(default_factory=dict)  # since the last ledger line

    def __post_init__(self) -> None:
        self.status = Status(total_steps=self.settings.steps)
        self.ledger = Ledger(self.run_dir / "ledger.jsonl")
        self.records = Records(self.run_dir)
        self.inbox = Inbox(self.streams, self.stopping)
        self.publisher = Publisher(self.rank.policy, self.run_dir / "policy", self.streams, self.engine_url)
        self.saved: int | None = None  # version of the newest checkpoint
        self.unsaved = False  # whether the ledger has more than it

    def run(self) -> int:
        """Learns until the last step. Returns the process's exit status: 0, or 75 when asked to stop."""
        self.courier.start(keep_beating(self.streams, self.status))
        try:
            self._prepare()
            self._learn()
        except (Stopped, Interrupted):
            log.info("asked to stop at step %d", self.version)
            if self.saved != self.version:
                self._checkpoint()
            self.status.phase = Phase.PREEMPTED
            return PREEMPTED
        finally:
            self._command(Stop())
        self.status.phase = Phase.DONE
        return 0

    def _prepare(self) -> None:
        self._restore()
        settled = self.ledger.settled
        if not settled and self.courier.call(persist(self.streams.counters)).trained:
            raise ck.CheckpointError(
                f"run {self.settings.run} has trained before, but {self.checkpoints.folder} holds no checkpoint: give "
                "the run another name, or restore its checkpoints"
            )
        back = self.courier.call(self.inbox.recall(settled))
        log.info("starting at step %d of %d; %d trajectories came back", self.version, self.settings.steps, back)
        self.sampler = TaskSampler(self.courier.call(self._catalogue()), self.settings)
        self._publish()

    def _learn(self) -> None:
        s = self.settings
        while True:
            if s.evaluates_at(self.version) and self.version not in self.evaluated:
                self._evaluate()
            if self.version >= s.steps or self._good_enough():
                break
            for ahead in range(self.version, min(self.version + s.staleness + 1, s.steps)):
                self.courier.call(self.inbox.offer(self.sampler.batch(ahead)))
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
        trajectories = self.courier.call(self.inbox.collect(batch, self._discarded))
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
        self.status.wait_share = waited / max(time.monotonic() - started, 1e-9)
        self.metrics.gauges["wait_ratio"].set(self.status.wait_share)
        log.info(
            "step %d/%d: success %.3f reward %.3f loss %.4f entropy %.3f, roll-out %.1f s, training %.1f s%s",
            *(self.version, self.settings.steps, line["success"], line["reward"], line["loss"], line["entropy"]),
            *(waited, update.seconds, "" if made.parts else "; no group had signal, nothing was updated"),
        )

    def _evaluate(self) -> None:
        """Plays the held-out set with the current version."""
        self._enter(Phase.EVALUATING)
        batch = self.sampler.evaluation(self.version)
        trajectories = self.courier.call(self.inbox.collect(batch, self._discarded))
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
        self.courier.call(self.publisher.publish(version, self.stopping))
        self.status.version = self.version

    def _checkpoint(self) -> None:
        """Everything that a restart needs; then the trajectories it covers are settled."""
        self.status.phase = Phase.CHECKPOINTING
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
        self.status.last_checkpoint = time.time()
        self.metrics.gauges["last_checkpoint_timestamp_seconds"].set(self.status.last_checkpoint)
        self.courier.call(self.inbox.settle())

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
            self.evaluated = {int(k): v for k, v in state["evaluated"].items()}
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
        self.courier.call(self.inbox.abandon(self.ledger.settled, ended, self._discarded))
        if self.discards:
            self._write_down("end", [], {})
        if self.unsaved:
            self._checkpoint()
        self.courier.call(persist(lambda: self.streams.set_state(RunState.DONE)))

    def _good_enough(self) -> bool:
        s = self.settings
        last = [self.evaluated[v] for v in sorted(self.evaluated)][-s.enough_evals :]
        return s.enough is not None and len(last) == s.enough_evals and min(last) >= s.enough

    def _lost_images(self, trajectories: list[Trajectory]) -> set[str]:
        keys = {step.image for t in trajectories for step in t.steps if step.image}
        return {key for key in keys if not self.rank.blobs.has(key)}

    def _discarded(self, id: str, reason: str) -> None:
        self.discards[id] = reason

    async def _catalogue(self) -> list[TaskCard]:
        """Waits for the first worker to publish it."""
        while not (cards := await persist(self.streams.tasks)):
            if self.stopping():
                raise Stopped
            await asyncio.sleep(0.2)
        return cards

    def _enter(self, phase: Phase) -> None:
        self.status.phase = phase
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
