from __future__ import annotations

import hashlib
from collections.abc import Callable

import pytest
import torch

from mobilegym.policy.model import Policy
from mobilegym.policy.sampler import Request, Sample, Sampler, SeenImage


def request(policy: Policy, data: bytes, text: str, seed: int, temperature: float = 1.0) -> Request:
    pixel_values, grid_thw = policy.image_tensors(data)
    grid = policy.grid(grid_thw)
    image = SeenImage(key=hashlib.sha256(data).hexdigest(), pixel_values=pixel_values, grid_thw=grid_thw, grid=grid)
    messages = [{"role": "user", "content": [{"type": "text", "text": text}, {"type": "image_url"}]}]
    ids = tuple(policy.prompt_ids(messages, [grid]))
    return Request(prompt_ids=ids, images=(image,), seed=seed, max_tokens=6, temperature=temperature)


def teacher_forced(policy: Policy, asked: Request, sample: Sample) -> list[float]:
    """Log-probabilities of the sampled tokens by one plain forward of the whole model."""
    ids = torch.tensor([asked.prompt_ids + sample.token_ids])
    image = asked.images[0]
    with torch.no_grad():
        logits = policy.model(
            input_ids=ids,
            pixel_values=image.pixel_values,
            image_grid_thw=image.grid_thw,
            mm_token_type_ids=(ids == policy.image_token).int(),
            attention_mask=torch.ones_like(ids),
        ).logits[0, len(asked.prompt_ids) - 1 : -1]
    picked = policy.logprobs(logits, asked.temperature or 1.0)
    return [float(picked[i, t]) for i, t in enumerate(sample.token_ids)]


@pytest.mark.parametrize("temperature", [1.0, 0.7, 0.0])
def test_sampled_logprobs_equal_teacher_forced_ones(
    policy: Policy, png: Callable[..., bytes], temperature: float
) -> None:
    asked = [
        request(policy, png("Gym"), "Open the Gym alarm", 1, temperature),
        request(policy, png("alarm"), "save", 2, temperature),
        request(policy, png("Gym"), "Open", 3, temperature),
    ]
    for one, sample in zip(asked, Sampler(policy).sample(asked), strict=True):
        assert sample.logprobs == pytest.approx(teacher_forced(policy, one, sample), abs=1e-5)


def test_a_request_samples_the_same_tokens_in_any_batch(policy: Policy, png: Callable[..., bytes]) -> None:
    cases = [("Gym", "Open it"), ("a", "save"), ("b", "x y z")]
    asked = [request(policy, png(word), text, seed) for seed, (word, text) in enumerate(cases)]
    together = Sampler(policy).sample(asked)
    alone = [Sampler(policy).sample([one])[0] for one in reversed(asked)][::-1]
    assert [s.token_ids for s in together] == [s.token_ids for s in alone]


def test_cached_prefixes_change_nothing(policy: Policy, png: Callable[..., bytes]) -> None:
    sampler = Sampler(policy)
    asked = [request(policy, png(), "Open", seed) for seed in range(4)]
    first, second = sampler.sample(asked), sampler.sample(asked)
    assert [s.token_ids for s in first] == [s.token_ids for s in second]
    assert len(sampler.prefixes) == 1
    assert sampler.prefixes.hits > 0


def test_seeds_differ_and_repeat(policy: Policy, png: Callable[..., bytes]) -> None:
    asked = [request(policy, png(), "Open", seed) for seed in (5, 6, 5)]
    a, b, c = Sampler(policy).sample(asked)
    assert a.token_ids == c.token_ids
    assert a.token_ids != b.token_ids


def test_suppressed_ids_are_never_sampled(policy: Policy, png: Callable[..., bytes]) -> None:
    samples = Sampler(policy).sample([request(policy, png(), "Open", seed) for seed in range(32)])
    drawn = {t for s in samples for t in s.token_ids}
    assert not drawn & set(policy.suppressed)
    assert policy.image_token in policy.suppressed
    assert policy.eos not in policy.suppressed


def test_new_weights_are_seen_after_forget(policy: Policy, png: Callable[..., bytes]) -> None:
    sampler = Sampler(policy)
    one = request(policy, png(), "Open", 1)
    before = sampler.sample([one])[0]
    weight = policy.model.model.visual.merger.linear_fc2.weight
    kept = weight.detach().clone()
    try:
        with torch.no_grad():
            weight.mul_(3)
        sampler.forget()
        assert sampler.sample([one])[0].logprobs != before.logprobs
    finally:
        with torch.no_grad():
            weight.copy_(kept)
