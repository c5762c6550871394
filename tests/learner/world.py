"""A tiny policy, screenshots and fabricated trajectories for the learner's tests."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from PIL import Image

from mobilegym.learner.rows import Row, rows_of
from mobilegym.pocket.model import build
from mobilegym.policy.model import Policy
from mobilegym.protocol.messages import StepRecord, Trajectory, VerdictRecord, trajectory_id
from mobilegym.protocol.status import EpisodeStatus

WORDS = ("open", "the", "alarm", "app", "and", "turn", "it", "on", "off", "for", "seven", "eight", "call", "Nora")


def tiny_policy(folder: Path, seed: int = 0) -> Policy:
    return build(folder, seed, WORDS)


def screenshot(seed: int, size: tuple[int, int] = (64, 96)) -> bytes:
    """A PNG of coloured blocks."""
    rng = np.random.default_rng(seed)
    blocks = rng.integers(0, 255, (size[1] // 16, size[0] // 16, 3), dtype=np.uint8)
    image = Image.fromarray(blocks).resize(size, Image.Resampling.NEAREST)
    out = io.BytesIO()
    image.save(out, "PNG")
    return out.getvalue()


def blob_key(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


@torch.no_grad()
def sample(policy: Policy, image: bytes, goal: str, seed: int, *, temperature: float = 1.0, most: int = 5) -> Any:
    """Draws a completion token by token as an engine would: no cache, one row, whole forward each token.

    Returns (prompt ids, token ids, log-probabilities).
    """
    patches, grid = policy.image_tensors(image)
    content = [{"type": "image"}, {"type": "text", "text": goal}]
    prompt = policy.prompt_ids([{"role": "user", "content": content}], [policy.grid(grid)])
    generator = torch.Generator().manual_seed(seed)
    ids, logprobs = list(prompt), []
    while len(ids) - len(prompt) < most and (len(ids) == len(prompt) or ids[-1] != policy.eos):
        tokens = torch.tensor([ids])
        logits = policy.model(
            input_ids=tokens,
            attention_mask=torch.ones_like(tokens),
            pixel_values=patches,
            image_grid_thw=grid,
            mm_token_type_ids=(tokens == policy.image_token).int(),
        ).logits[0, -1]
        logp = policy.logprobs(logits, temperature)
        token = int(torch.multinomial(logp.exp(), 1, generator=generator))
        ids.append(token)
        logprobs.append(float(logp[token]))
    return tuple(prompt), tuple(ids[len(prompt) :]), tuple(logprobs)


def sampled_rows(
    policy: Policy, images: Sequence[bytes], goals: Sequence[str], *, per_pair: int = 2, **sampling: Any
) -> list[Row]:
    """Rows for every image and goal, with alternating advantages."""
    rows: list[Row] = []
    for i, image in enumerate(images):
        for j, goal in enumerate(goals):
            for k in range(per_pair):
                prompt, tokens, logprobs = sample(policy, image, goal, seed=1000 * i + 10 * j + k, **sampling)
                step = StepRecord(image=blob_key(image), prompt_ids=prompt, token_ids=tokens, logprobs=logprobs)
                made = trajectory(f"g{i}", 10 * j + k, [step], reward=k % 2)
                rows.extend(rows_of(made, 1.0 if k % 2 else -0.5, set(policy.suppressed)).rows)
    return rows


def trajectory(
    group: str, member: int, steps: Sequence[StepRecord], *, reward: float, run: str = "test", **over: Any
) -> Trajectory:
    fields: dict[str, Any] = {
        "id": trajectory_id(run, group, member),
        "run": run,
        "group": group,
        "member": member,
        "template": "clock.alarm",
        "seed": 1,
        "status": EpisodeStatus.COMPLETED,
        "verdict": VerdictRecord(success=reward >= 1, progress=float(reward), clean=True),
        "reward": float(reward),
        "steps": tuple(steps),
    }
    return Trajectory(**(fields | over))
