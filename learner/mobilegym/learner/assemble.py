"""Puts a learner together from a manifest and the places of its parts."""

from __future__ import annotations

import random
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from transformers.utils.logging import disable_progress_bar

from mobilegym.learner.checkpoint import Checkpoints
from mobilegym.learner.courier import Courier
from mobilegym.learner.engine import Engine, OptimizerConfig, init_ranks, local_device
from mobilegym.learner.forward import TeacherForced
from mobilegym.learner.launch import die_with_parent
from mobilegym.learner.loop import Lead, Rank
from mobilegym.learner.scene import Scene
from mobilegym.learner.settings import Settings, checkpoint_folder, settings_of
from mobilegym.learner.status import Metrics
from mobilegym.learner.update import Reference, Trainer
from mobilegym.policy.model import Policy, load_policy
from mobilegym.protocol.blobs import open_blobs
from mobilegym.protocol.streams import RedisStreams
from mobilegym.run.deepspeed import deepspeed_config
from mobilegym.run.manifest import MobileGymRun


@dataclass(frozen=True, kw_only=True)
class Places:
    run_dir: Path
    model: Path  # first weights
    redis_url: str
    engine_url: str | None
    blobs: str
    metrics_host: str = "127.0.0.1"
    metrics_port: int = 0


def learn(run: MobileGymRun, places: Places, stopping: threading.Event) -> int:
    """One rank's whole life. Returns the process's exit status."""
    die_with_parent()
    disable_progress_bar()
    settings = settings_of(run.name, run.spec)
    torch.manual_seed(settings.seed)
    np.random.seed(settings.seed % 2**32)
    random.seed(settings.seed)
    trainer = build_trainer(settings, places.model, deepspeed_config(run.spec), stopping)
    rank = Rank(policy=trainer.scene.policy, trainer=trainer, blobs=open_blobs(places.blobs, run.name))
    try:
        if trainer.engine.rank:
            rank.restore()
            rank.follow()
            return 0
        return _lead(run, settings, places, rank, stopping)
    finally:
        trainer.engine.close()


def build_trainer(settings: Settings, model: Path, zero: dict[str, Any], stopping: threading.Event) -> Trainer:
    init_ranks(settings.device)
    policy = _policy(settings, model)
    scene = Scene(policy, train_vision=settings.train_vision)
    module = TeacherForced(policy, temperature=settings.temperature)
    engine = Engine(module, OptimizerConfig(lr=settings.learning_rate), zero, device=settings.device)
    reference = None
    if settings.needs_reference:
        frozen = _policy(settings, model)
        frozen.model.requires_grad_(False)
        reference = Reference(
            forward=TeacherForced(frozen, temperature=settings.temperature).eval(),
            # A frozen tower is the same in both; sharing it halves the seeing.
            scene=Scene(frozen, train_vision=False) if settings.train_vision else scene,
        )
    return Trainer(engine=engine, scene=scene, settings=settings, reference=reference, stopping=stopping.is_set)


def _policy(settings: Settings, model: Path) -> Policy:
    policy = load_policy(model, local_device(settings.device))
    if settings.device != "cpu":
        policy.model.gradient_checkpointing_enable()
        policy.model.train()
    return policy


def _lead(run: MobileGymRun, settings: Settings, places: Places, rank: Rank, stopping: threading.Event) -> int:
    places.run_dir.mkdir(parents=True, exist_ok=True)
    metrics = Metrics()
    metrics.serve(places.metrics_host, places.metrics_port, places.run_dir)
    with Courier() as courier:
        streams = RedisStreams(places.redis_url, run.name, capacity=run.spec.stream.capacity)
        lead = Lead(
            rank=rank,
            settings=settings,
            run_dir=places.run_dir,
            checkpoints=Checkpoints(checkpoint_folder(places.run_dir, run.spec), settings.keep_last),
            streams=streams,
            engine_url=places.engine_url,
            courier=courier,
            metrics=metrics,
            stopping=stopping.is_set,
        )
        try:
            return lead.run()
        finally:
            courier.call(streams.close())
