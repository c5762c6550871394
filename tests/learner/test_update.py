"""One learner step on a real policy: it is on-policy at first, and moves where the advantages point."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from tests.learner.test_batch import SETTINGS
from tests.learner.world import blob_key, sampled_rows, screenshot, tiny_policy

from mobilegym.learner.assemble import build_trainer
from mobilegym.learner.losses import LossConfig, LossKind
from mobilegym.learner.rows import Row
from mobilegym.learner.settings import Settings
from mobilegym.learner.update import Interrupted, Trainer
from mobilegym.run.deepspeed import deepspeed_config
from mobilegym.run.load import parse_run

# DeepSpeed and torch warn about each other.
pytestmark = [pytest.mark.filterwarnings("ignore"), pytest.mark.timeout(1200)]
IMAGES = (screenshot(1), screenshot(2))
GOALS = ("open the alarm", "call Nora")
MANIFEST = """\
apiVersion: mobilegym.io/v1alpha1
kind: MobileGymRun
metadata: {name: update}
spec: {model: {preset: pocket}}
"""


class Stop:
    def __init__(self) -> None:
        self.asked = 0
        self.at = 10**9

    def is_set(self) -> bool:
        self.asked += 1
        return self.asked >= self.at


@pytest.fixture(scope="module")
def stop() -> Stop:
    return Stop()


@pytest.fixture(scope="module")
def trainer(tmp_path_factory: pytest.TempPathFactory, stop: Stop) -> Iterator[Trainer]:
    folder = tmp_path_factory.mktemp("policy")
    tiny_policy(folder)
    made = make(folder, replace(SETTINGS, learning_rate=1e-3, loss_config=LossConfig(kl=0.01)), stop)
    yield made
    made.engine.close()


def make(folder: Path, settings: Settings, stop: Stop) -> Trainer:
    made = build_trainer(settings, folder, deepspeed_config(parse_run(MANIFEST).spec), stop)  # type: ignore[arg-type]
    made.scene.load({blob_key(image): image for image in IMAGES})
    return made


def logprob(trainer: Trainer, rows: list[Row]) -> float:
    """Mean log-probability of positive rows minus that of negative ones."""
    total = 0.0
    with torch.no_grad():
        for batch in trainer.scene.pack(rows, budget=1024):
            logp, _ = trainer.engine.module(batch, trainer.scene.see(batch.images))
            total += float((logp.sum(1) * batch.advantages.sign()).sum())
    return total


def test_the_first_update_is_on_policy_and_later_ones_are_not(trainer: Trainer) -> None:
    rows = sampled_rows(trainer.scene.policy, IMAGES, GOALS)
    before = logprob(trainer, rows)
    stats = trainer.run([rows])
    assert stats.ratio_max == 1.0
    assert stats.clip_fraction == 0.0
    assert stats.sampler_gap < 1e-5
    assert stats.kl == pytest.approx(0.0, abs=1e-6)
    assert stats.tokens == sum(len(r.token_ids) for r in rows)
    assert stats.optimizer_steps == 1
    assert stats.grad_norm > 0
    assert logprob(trainer, rows) > before
    again = trainer.run([rows[::2], rows[1::2]])
    assert again.optimizer_steps == 2
    assert again.ratio_max > 1.0
    assert again.kl > 0
    assert again.sampler_gap > 1e-4


def test_nothing_to_train_on_moves_nothing(trainer: Trainer) -> None:
    before = [p.detach().clone() for p in trainer.engine.module.parameters()]
    assert trainer.run([]).optimizer_steps == 0
    assert all(torch.equal(a, b) for a, b in zip(before, trainer.engine.module.parameters(), strict=True))


def test_an_interrupted_update_leaves_the_parameters_and_no_gradient(trainer: Trainer, stop: Stop) -> None:
    rows = sampled_rows(trainer.scene.policy, IMAGES, GOALS)
    trainer.settings = replace(trainer.settings, budget=60)
    before = [p.detach().clone() for p in trainer.engine.module.parameters()]
    stop.at = stop.asked + 3  # after two micro-batches
    with pytest.raises(Interrupted):
        trainer.run([rows])
    assert all(torch.equal(a, b) for a, b in zip(before, trainer.engine.module.parameters(), strict=True))
    stop.at = 10**9
    dead = [replace(row, advantage=0.0) for row in rows]
    trainer.settings = replace(trainer.settings, loss_config=LossConfig(), loss=LossKind.DAPO)
    reference, trainer.reference = trainer.reference, None
    assert trainer.run([dead]).grad_norm == 0.0
    trainer.reference = reference
