"""The losses are TRL's, on the same tensors; and what they promise beyond that."""

from __future__ import annotations

import ast
import importlib.util
import itertools
import math
import types
from collections import defaultdict
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from tests.conftest import missing

from mobilegym.learner.advantage import group_advantages, has_signal
from mobilegym.learner.losses import Denominators, LossConfig, LossKind, policy_loss

ROWS, TOKENS = 6, 9


@cache
def trl_compute_loss() -> Callable[..., torch.Tensor]:
    """TRL's `GRPOTrainer._compute_loss`, from its installed source. Its module imports data-set libraries that a loss
    does not need, so the one method is compiled alone."""
    spec = importlib.util.find_spec("trl")
    if spec is None or spec.origin is None:
        missing("trl 1.16.0")
    source = (Path(spec.origin).parent / "trainer" / "grpo_trainer.py").read_text()
    (trainer,) = (n for n in ast.parse(source).body if isinstance(n, ast.ClassDef) and n.name == "GRPOTrainer")
    (method,) = (n for n in trainer.body if isinstance(n, ast.FunctionDef) and n.name == "_compute_loss")
    scope: dict[str, Any] = {"torch": torch, "math": math, "nanmin": torch.min, "nanmax": torch.max}
    exec(compile(ast.Module(body=[method], type_ignores=[]), "grpo_trainer.py", "exec"), scope)
    function: Callable[..., torch.Tensor] = scope["_compute_loss"]
    return function


class Tensors:
    def __init__(self, seed: int) -> None:
        g = torch.Generator().manual_seed(seed)
        self.logp = (-2 * torch.rand(ROWS, TOKENS, generator=g, dtype=torch.float64)).requires_grad_()
        noise = torch.randn(4, ROWS, TOKENS, generator=g, dtype=torch.float64)
        self.old = (self.logp + 0.4 * noise[0]).detach()
        self.sampler = (self.old + 0.5 * noise[1]).detach()
        self.ref = (self.logp + 0.5 * noise[2]).detach()
        self.entropy = noise[3].abs()
        self.advantages = torch.randn(ROWS, generator=g, dtype=torch.float64)
        lengths = torch.randint(1, TOKENS + 1, (ROWS,), generator=g)
        self.mask = (torch.arange(TOKENS) < lengths.unsqueeze(1)).double()


def trl_loss(kind: LossKind, t: Tensors, config: LossConfig) -> torch.Tensor:
    stub = types.SimpleNamespace(
        model=types.SimpleNamespace(training=True),
        accelerator=types.SimpleNamespace(num_processes=1, gather=lambda x: x, reduce=lambda x, reduction: x),
        args=types.SimpleNamespace(delta=None, use_bias_correction_kl=False, steps_per_generation=1),
        loss_type="grpo" if kind is LossKind.GSPO else str(kind),
        importance_sampling_level="sequence" if kind is LossKind.GSPO else "token",
        beta=config.kl,
        epsilon_low=config.clip_low,
        epsilon_high=config.cispo_max if kind is LossKind.CISPO else config.clip_high,
        top_entropy_quantile=1.0,
        off_policy_mask_threshold=None,
        aux_loss_enabled=False,
        use_vllm=config.truncation > 0,
        vllm_importance_sampling_correction=True,
        max_completion_length=config.max_tokens,
        current_gradient_accumulation_steps=1,
        _entropy_bonus_enabled=config.entropy != 0,
        use_adaptive_entropy=False,
        entropy_coef=config.entropy,
        _metrics=defaultdict(lambda: defaultdict(list)),
    )
    stub.accelerator.sync_gradients = True
    stub._get_per_token_logps_and_entropies = lambda *a, **k: (t.logp, t.entropy, None)
    inputs = {
        "prompt_ids": torch.zeros(ROWS, 1, dtype=torch.long),
        "prompt_mask": torch.ones(ROWS, 1, dtype=torch.long),
        "completion_ids": torch.zeros(ROWS, TOKENS, dtype=torch.long),
        "completion_mask": t.mask,
        "advantages": t.advantages,
        "old_per_token_logps": t.old,
        "ref_per_token_logps": t.ref,
        "importance_sampling_ratio": torch.exp(t.old - t.sampler).clamp(max=config.truncation or math.inf),
        "num_items_in_batch": t.mask.sum(),
    }
    loss: torch.Tensor = trl_compute_loss()(stub, None, inputs)
    return loss


def our_loss(kind: LossKind, t: Tensors, config: LossConfig, **over: Any) -> Any:
    arguments: dict[str, Any] = {
        "denominators": Denominators(sequences=ROWS, tokens=float(t.mask.sum())),
        "entropy": t.entropy,
    } | over
    ref = t.ref if config.kl else None
    return policy_loss(kind, t.logp, t.old, t.sampler, ref, t.advantages, t.mask, config, **arguments)


CONFIGS = {
    "plain": LossConfig(truncation=0.0, max_tokens=TOKENS),
    "kl": LossConfig(truncation=0.0, kl=0.04, max_tokens=TOKENS),
    "truncated weights": LossConfig(truncation=1.5, max_tokens=TOKENS),
    "everything": LossConfig(truncation=2.0, kl=0.01, entropy=0.02, clip_high=0.28, max_tokens=TOKENS),
}


@pytest.mark.parametrize("name", CONFIGS)
@pytest.mark.parametrize("kind", list(LossKind))
def test_loss_and_gradient_are_trls(kind: LossKind, name: str) -> None:
    for seed in range(3):
        t = Tensors(seed)
        ours = our_loss(kind, t, CONFIGS[name]).loss
        theirs = trl_loss(kind, t, CONFIGS[name])
        torch.testing.assert_close(ours, theirs, atol=1e-6, rtol=0)
        mine, others = (torch.autograd.grad(x, t.logp, retain_graph=True)[0] for x in (ours, theirs))
        torch.testing.assert_close(mine, others, atol=1e-6, rtol=0)


GOLDEN = {
    LossKind.GRPO: 0.085128,
    LossKind.DAPO: -0.162092,
    LossKind.DR_GRPO: -0.107960,
    LossKind.GSPO: 0.033430,
    LossKind.CISPO: 0.526903,
    LossKind.BNPO: -0.162092,
}


@pytest.mark.parametrize("kind", list(LossKind))
def test_golden_values(kind: LossKind) -> None:
    assert our_loss(kind, Tensors(7), CONFIGS["everything"]).loss.item() == pytest.approx(GOLDEN[kind], abs=2e-6)


@pytest.mark.parametrize("kind", list(LossKind))
def test_micro_batches_add_up_to_the_whole(kind: LossKind) -> None:
    t, config = Tensors(11), CONFIGS["everything"]
    whole = our_loss(kind, t, config).loss
    parts = []
    for rows in (slice(0, 1), slice(1, 4), slice(4, 6)):
        piece = Tensors(11)
        for name in ("old", "sampler", "ref", "entropy", "advantages", "mask"):
            setattr(piece, name, getattr(t, name)[rows])
        piece.logp = t.logp[rows]
        denominators = Denominators(sequences=ROWS, tokens=float(t.mask.sum()))
        parts.append(our_loss(kind, piece, config, denominators=denominators).loss)
    torch.testing.assert_close(torch.stack(parts).sum(), whole)


@pytest.mark.parametrize("kind", list(LossKind))
def test_on_the_first_update_the_ratio_is_one(kind: LossKind) -> None:
    t = Tensors(3)
    config = LossConfig(truncation=0.0)
    denominators = Denominators(sequences=ROWS, tokens=float(t.mask.sum()))
    parts = policy_loss(kind, t.logp, None, None, None, t.advantages, t.mask, config, denominators=denominators)
    assert float(parts.ratio_max) == 1.0
    assert float(parts.clipped) == 0.0
    if kind is not LossKind.CISPO:  # with ratio 1 the loss is minus the mean advantage, and its gradient is not 0
        (gradient,) = torch.autograd.grad(parts.loss, t.logp)
        expected = -t.advantages.unsqueeze(1) * t.mask
        assert torch.all(gradient * expected >= 0)
        assert float(gradient.abs().sum()) > 0


@pytest.mark.parametrize("kind", list(LossKind))
def test_a_dead_group_beside_a_live_one_adds_nothing(kind: LossKind) -> None:
    """Group A is all equal, group B is not: the gradient is B's alone."""
    t = Tensors(5)
    rewards = ([1.0, 1.0, 1.0], [0.0, 1.0, 0.5])
    t.advantages = torch.tensor([a for r in rewards for a in group_advantages(r)], dtype=torch.float64)
    config = LossConfig(truncation=0.0, max_tokens=TOKENS)
    (gradient,) = torch.autograd.grad(our_loss(kind, t, config).loss, t.logp)
    assert float(gradient[:3].abs().max()) == 0.0
    assert float(gradient[3:].abs().max()) > 0.0
    assert not has_signal(rewards[0])
    assert has_signal(rewards[1])


def test_a_trajectory_of_many_rows_weighs_as_one_sequence() -> None:
    """Two trajectories, of 3 rows and of 1 row: GRPO weighs each by its own number of tokens."""
    logp = torch.zeros(4, 2, requires_grad=True)
    advantages = torch.tensor([1.0, 1.0, 1.0, -1.0])
    parts = policy_loss(
        LossKind.GRPO,
        logp,
        None,
        None,
        None,
        advantages,
        torch.ones(4, 2),
        LossConfig(),
        denominators=Denominators(sequences=2, tokens=8),
        sequence_tokens=torch.tensor([6.0, 6.0, 6.0, 2.0]),
    )
    (gradient,) = torch.autograd.grad(parts.loss, logp)
    assert float(gradient[:3].sum()) == pytest.approx(-0.5)
    assert float(gradient[3].sum()) == pytest.approx(0.5)


rewards = st.lists(st.floats(0, 1, width=32), min_size=2, max_size=16)


@given(rewards)
def test_advantages_sum_to_zero_and_keep_the_order(values: list[float]) -> None:
    advantages = group_advantages(values)
    assert sum(advantages) == pytest.approx(0, abs=1e-6)
    by_reward = sorted(range(len(values)), key=lambda i: values[i])
    assert all(advantages[a] <= advantages[b] + 1e-9 for a, b in itertools.pairwise(by_reward))


@given(rewards, st.floats(0.1, 1))
def test_advantages_ignore_the_scale_of_rewards_up_to_epsilon(values: list[float], factor: float) -> None:
    if max(values) - min(values) < 0.2:
        return
    scaled = group_advantages([v * factor for v in values])
    assert scaled == pytest.approx(group_advantages(values), abs=0.05)


@given(st.floats(0, 1), st.integers(1, 16))
def test_equal_rewards_teach_nothing(value: float, size: int) -> None:
    assert group_advantages([value] * size) == [0.0] * size


def test_advantages_are_trls() -> None:
    values = [0.0, 1.0, 1.0, 0.5, 0.0]
    tensor = torch.tensor(values)
    expected = (tensor - tensor.mean()) / (tensor.std() + 1e-4)
    assert group_advantages(values) == pytest.approx(expected.tolist(), abs=1e-6)
    assert group_advantages(values, scale_by_std=False) == pytest.approx((tensor - tensor.mean()).tolist(), abs=1e-6)
