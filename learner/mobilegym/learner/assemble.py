"""Puts a learner together from a manifest and the places of its parts."""

from __future__ import annotations

import os
import random
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import torch
from transformers.utils.logging import disable_progress_bar

from mobilegym.learner.checkpoint import Checkpoints
from mobilegym.learner.desk import Desk
from mobilegym.learner.engine import Engine, OptimizerConfig, init_ranks, local_device
from mobilegym.learner.forward import TeacherForced
from mobilegym.learner.launch import die_with_parent
from mobilegym.learner.loop import Lead, Rank
from mobilegym.learner.places import Places
from mobilegym.learner.scene import Scene
from mobilegym.learner.settings import Settings, checkpoint_folder, settings_of
from mobilegym.learner.update import Reference, Trainer
from mobilegym.policy.model import Policy, open_policy
from mobilegym.protocol.blobs import open_blobs
from mobilegym.protocol.streams import RedisStreams
from mobilegym.run.deepspeed import deepspeed_config
from mobilegym.run.manifest import MobileGymRun


def learn(run: MobileGymRun, places: Places, stopping: threading.Event) -> int:
    """One rank's whole life. Returns the process's exit status. Raises SetupError and WeightsUnusable, among others."""
    die_with_parent()
    disable_progress_bar()
    settings = settings_of(run.stream_name, run.spec)
    torch.manual_seed(settings.seed)
    np.random.seed(settings.seed % 2**32)
    random.seed(settings.seed)
    blobs = open_blobs(places.blobs, run.stream_name, keep_seconds=run.spec.blobs.keep_seconds)
    with ExitStack() as stack:
        desk = stack.enter_context(open_desk(run, places)) if os.environ.get("RANK", "0") == "0" else None
        trainer = build_trainer(settings, places.model, deepspeed_config(run.spec), stopping)
        stack.callback(trainer.engine.close)
        rank = Rank(policy=trainer.scene.policy, trainer=trainer, blobs=blobs)
        if desk is None:
            rank.restore()
            rank.follow()
            return 0
        return _lead(run, settings, places, rank, desk, stopping)


@contextmanager
def open_desk(run: MobileGymRun, places: Places) -> Iterator[Desk]:
    """Probes are answered before the model is there: loading it may take minutes. Raises ListenError."""
    streams = RedisStreams(places.redis_url, run.stream_name, capacity=run.spec.stream.capacity)
    with Desk(streams, run.spec.algorithm.total_steps) as desk:
        places.run_dir.mkdir(parents=True, exist_ok=True)
        desk.serve(places.metrics_host, places.metrics_port, places.run_dir)
        yield desk


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
    policy = open_policy(model, local_device(settings.device))
    if settings.device != "cpu":
        policy.model.gradient_checkpointing_enable()
        policy.model.train()
    return policy


def _lead(
    run: MobileGymRun, settings: Settings, places: Places, rank: Rank, desk: Desk, stopping: threading.Event
) -> int:
    lead = Lead(
        rank=rank,
        settings=settings,
        run_dir=places.run_dir,
        checkpoints=Checkpoints(checkpoint_folder(places.run_dir, run.spec), settings.keep_last),
        desk=desk,
        engine_url=places.engine_url,
        stopping=stopping.is_set,
    )
    return lead.run()
