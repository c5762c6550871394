"""Teacher forcing gives generation's log-probabilities, however the rows are packed."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch
from tests.learner.world import blob_key, sampled_rows, screenshot, tiny_policy, trajectory

from mobilegym.learner.forward import TeacherForced
from mobilegym.learner.pack import MicroBatch, share
from mobilegym.learner.rows import Row, rows_of
from mobilegym.learner.scene import Scene
from mobilegym.learner.tree import split_rows
from mobilegym.policy.model import Policy, Visual
from mobilegym.protocol.messages import StepRecord

GOALS = ("open the alarm app", "turn it off and call Nora", "open the alarm for seven")
IMAGES = (screenshot(1), screenshot(2), screenshot(3, (128, 64)))


@pytest.fixture(scope="module")
def policy(tmp_path_factory: pytest.TempPathFactory) -> Policy:
    return tiny_policy(tmp_path_factory.mktemp("policy"))


@pytest.fixture(scope="module")
def rows(policy: Policy) -> list[Row]:
    return sampled_rows(policy, IMAGES, GOALS, per_pair=3, temperature=0.7)


def run(
    policy: Policy, rows: list[Row], *, budget: int = 1024, temperature: float = 0.7, trained: bool = False
) -> tuple[list[MicroBatch], list[tuple[torch.Tensor, torch.Tensor]]]:
    scene = Scene(policy, train_vision=trained)
    scene.load({blob_key(image): image for image in IMAGES})
    forward = TeacherForced(policy, temperature=temperature)
    batches = scene.pack(rows, budget=budget)
    return batches, [forward(b, scene.see(b.images)) for b in batches]


def by_row(
    batches: list[MicroBatch], outputs: list[tuple[torch.Tensor, torch.Tensor]], what: int = 0
) -> dict[tuple[str, int], torch.Tensor]:
    return {
        (row.trajectory, row.step): outputs[b][what][i, : len(row.token_ids)].detach()
        for b, batch in enumerate(batches)
        for i, row in enumerate(batch.rows)
    }


@pytest.mark.parametrize("budget", [40, 150, 4096])
def test_logprobs_are_generations(policy: Policy, rows: list[Row], budget: int) -> None:
    batches, outputs = run(policy, rows, budget=budget)
    assert all(bool(torch.isfinite(part).all()) for output in outputs for part in output)  # padding too
    found = by_row(batches, outputs)
    assert len(found) == len(rows)
    for row in rows:
        expected = torch.tensor(row.logprobs)
        torch.testing.assert_close(found[row.trajectory, row.step], expected, atol=1e-5, rtol=0)


def test_another_temperature_is_noticed(policy: Policy, rows: list[Row]) -> None:
    batches, outputs = run(policy, rows, temperature=1.0)
    gap = max(
        float((logp - b.sampler_logp).detach().abs().max()) for b, (logp, _) in zip(batches, outputs, strict=True)
    )
    assert gap > 1e-2


def test_a_dropped_image_is_noticed(policy: Policy, rows: list[Row]) -> None:
    """Were pixels lost on the wire, reward would only sink; the gap to the sampler says so at once."""
    scene = Scene(policy, train_vision=False)
    blank = {
        blob_key(image): screenshot(99, size)
        for image, size in zip(IMAGES, [(64, 96), (64, 96), (128, 64)], strict=True)
    }
    scene.load(blank)
    forward = TeacherForced(policy, temperature=0.7)
    batches = scene.pack(rows, budget=1024)
    gaps = [((forward(b, scene.see(b.images))[0] - b.sampler_logp).abs() * b.mask).max() for b in batches]
    assert float(torch.stack(gaps).max().detach()) > 1e-2


def test_an_image_of_another_size_is_refused(policy: Policy, rows: list[Row]) -> None:
    scene = Scene(policy, train_vision=False)
    scene.load({blob_key(image): screenshot(5, (128, 128)) for image in IMAGES})
    (batch, *_) = scene.pack(rows, budget=1024)
    with pytest.raises(ValueError, match="same image size"):
        TeacherForced(policy)(batch, scene.see(batch.images))


def test_entropy_is_that_of_the_sampling_distribution(policy: Policy, rows: list[Row]) -> None:
    batches, outputs = run(policy, rows)
    allowed = int((policy.bias == 0).sum())
    for batch, (_, entropy) in zip(batches, outputs, strict=True):
        values = entropy[batch.mask > 0]
        assert float(values.detach().min()) > 0
        assert float(values.detach().max()) <= torch.log(torch.tensor(float(allowed))) + 1e-4


def test_gradients_do_not_depend_on_the_packing(policy: Policy, rows: list[Row]) -> None:
    def gradients(budget: int, trained: bool) -> dict[str, torch.Tensor]:
        policy.model.zero_grad()
        batches, outputs = run(policy, rows, budget=budget, trained=trained)
        parts = [(logp * b.advantages.unsqueeze(1)).sum() for b, (logp, _) in zip(batches, outputs, strict=True)]
        (torch.stack(parts).sum() / 100).backward()  # type: ignore[no-untyped-call]
        return {n: p.grad.clone() for n, p in policy.model.named_parameters() if p.grad is not None}

    for trained in (False, True):
        one, other = gradients(40, trained), gradients(4096, trained)
        assert any("visual" in name for name in one) == trained
        for name in one:
            torch.testing.assert_close(one[name], other[name], atol=2e-5, rtol=1e-3, msg=name)


def test_shared_prefixes_are_computed_once(policy: Policy, rows: list[Row]) -> None:
    batches, _ = run(policy, rows, budget=4096)
    alone = sum(len(r.prompt_ids) + len(r.token_ids) - 1 for r in rows)
    assert sum(b.nodes for b in batches) < 0.75 * alone


def test_a_frozen_tower_sees_each_image_once(policy: Policy, rows: list[Row], monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[int] = []
    see = Policy.see

    def counted(self: Policy, pixels: torch.Tensor, grids: torch.Tensor) -> list[Visual]:
        seen.append(len(grids))
        return see(self, pixels, grids)

    monkeypatch.setattr(Policy, "see", counted)
    run(policy, rows, budget=40)
    assert sum(seen) == len(IMAGES)


def test_split_rows_respects_the_limit_and_loses_none(rows: list[Row]) -> None:
    one_image = [r for r in rows if r.image == rows[0].image]
    lots = split_rows(one_image, 40)
    assert sorted(r.trajectory for lot in lots for r in lot) == sorted(r.trajectory for r in one_image)
    assert len(lots) > 1


def test_ranks_share_all_rows_and_keep_images_whole(rows: list[Row]) -> None:
    parts = [share(rows, rank, 2) for rank in range(2)]
    assert len(parts[0]) + len(parts[1]) == len(rows)
    assert not {r.image for r in parts[0]} & {r.image for r in parts[1]}
    assert [share(rows[:1], rank, 3) for rank in range(3)] == [rows[:1], [], []]


def test_suppressed_ids_are_quarantined(policy: Policy) -> None:
    good = StepRecord(image="a", prompt_ids=(1,), token_ids=(9, policy.eos), logprobs=(-0.1, -0.2))
    bad = StepRecord(image="a", prompt_ids=(1,), token_ids=(policy.image_token, 3), logprobs=(-0.1, -0.2))
    short = StepRecord(image="a", prompt_ids=(1,), token_ids=(9, 9), logprobs=(-0.1,))
    broken = StepRecord(image="a", prompt_ids=(1,), token_ids=(9,), logprobs=(float("nan"),))
    got = rows_of(trajectory("g", 0, [good, bad, short, broken], reward=1), 1.0, set(policy.suppressed))
    assert [r.step for r in got.rows] == [0]
    assert got.rows[0].sequence_tokens == 2
    assert [q.step for q in got.quarantined] == [1, 2, 3]
    assert "suppressed" in got.quarantined[0].reason


def test_a_row_alone_equals_the_row_among_others(policy: Policy, rows: list[Row]) -> None:
    batches, outputs = run(policy, rows)
    together = by_row(batches, outputs)
    alone = by_row(*run(policy, [replace(rows[4], advantage=0.0)]))
    key = (rows[4].trajectory, rows[4].step)
    torch.testing.assert_close(alone[key], together[key], atol=1e-5, rtol=0)
