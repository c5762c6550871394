"""What the learner takes from a run's manifest, in its own words."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from mobilegym.learner.losses import LossConfig, LossKind
from mobilegym.learner.overlong import Overlong
from mobilegym.run.manifest import RunSpec
from mobilegym.run.tasks import TasksSpec

CPU_TOKENS = 4096  # in a micro-batch, padding included
GPU_TOKENS = 8192


@dataclass(frozen=True, kw_only=True)
class Settings:
    run: str
    tasks: TasksSpec
    steps: int
    groups: int  # a step
    group_size: int
    staleness: int  # policy versions; 0 is synchronous
    updates: int  # optimizer updates a step
    loss: LossKind
    loss_config: LossConfig
    temperature: float
    max_tokens: int
    episode_steps: int | None
    episode_seconds: float
    learning_rate: float
    train_vision: bool
    shuffle_advantages: bool
    overlong: Overlong
    seed: int
    eval_every: int  # steps; 0: only before the first and after the last
    eval_episodes: int
    enough: float | None  # held-out success that ends the run
    enough_evals: int  # evaluations in a row that must reach it
    budget: int  # tokens of a micro-batch, padding included
    max_rows: int | None  # rows of a micro-batch
    checkpoint_every: int  # steps
    keep_last: int
    resume: bool
    device: str  # cpu | cuda

    @property
    def needs_reference(self) -> bool:
        return self.loss_config.kl > 0

    def evaluates_at(self, version: int) -> bool:
        if version in (0, self.steps):
            return True
        return self.eval_every > 0 and version % self.eval_every == 0


def settings_of(run: str, spec: RunSpec) -> Settings:
    algorithm, learner = spec.algorithm, spec.learner
    return Settings(
        run=run,
        tasks=spec.tasks,
        steps=algorithm.total_steps,
        groups=algorithm.prompts_per_step,
        group_size=algorithm.group_size,
        staleness=algorithm.staleness,
        updates=algorithm.updates_per_step,
        loss=LossKind(algorithm.loss.value),
        loss_config=LossConfig(
            clip_low=algorithm.clip_low,
            clip_high=algorithm.clip_high,
            kl=algorithm.kl_coefficient,
            entropy=algorithm.entropy_coefficient,
            max_tokens=algorithm.max_tokens,
        ),
        temperature=algorithm.temperature,
        max_tokens=algorithm.max_tokens,
        episode_steps=algorithm.episode_steps,
        episode_seconds=spec.workers.episode_deadline_seconds,
        learning_rate=algorithm.learning_rate,
        train_vision=algorithm.train_vision,
        shuffle_advantages=algorithm.shuffle_advantages,
        overlong=Overlong.KEEP,
        seed=algorithm.seed,
        eval_every=algorithm.eval_every,
        eval_episodes=algorithm.eval_episodes,
        enough=spec.stop_when.success_rate,
        enough_evals=spec.stop_when.evaluations,
        budget=learner.micro_batch_tokens or (GPU_TOKENS if learner.gpus else CPU_TOKENS),
        max_rows=learner.micro_batch_rows,
        checkpoint_every=learner.checkpoint.interval,
        keep_last=learner.checkpoint.keep_last,
        resume=learner.resume,
        device="cuda" if learner.gpus else "cpu",
    )


def checkpoint_folder(run_dir: Path, spec: RunSpec) -> Path:
    return Path(spec.learner.checkpoint.directory or run_dir / "checkpoints")
