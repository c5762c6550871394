"""Trained tokens a second: our train step beside a row-by-row one in the manner of TRL, same model, data and threads.

    python -m bench.learner [--rows 600] [--images 160] [--runs 3]

The other side is what `GRPOTrainer` does for a vision model: rows padded in batches, each with its own image through
the tower (frozen and without gradients here too, in its favour), logits on completion tokens, the same loss and AdamW.
Prints one JSON object a line: {name, unit, runs, median, low, high}; low and high are the slowest and fastest run.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import torch

from mobilegym.learner.engine import Engine, OptimizerConfig
from mobilegym.learner.forward import TeacherForced
from mobilegym.learner.losses import Denominators, LossConfig, LossKind, policy_loss
from mobilegym.learner.pack import share
from mobilegym.learner.rows import Row, count_tokens
from mobilegym.learner.scene import Scene
from mobilegym.pocket.model import build
from mobilegym.policy.model import Policy
from mobilegym.policy.prompt import left_pad

CANVAS = (192, 416)  # px
GOAL_WORDS, STATUS_WORDS = 36, 12
BATCH = 16  # rows of the other side's micro-batches
ZERO = {
    "train_micro_batch_size_per_gpu": 1,
    "gradient_clipping": 1.0,
    "steps_per_print": 2**31 - 1,
    "zero_optimization": {"stage": 1, "reduce_bucket_size": 2_000_000, "allgather_bucket_size": 2_000_000},
}


def pixels(policy: Policy, seed: int) -> tuple[torch.Tensor, torch.Tensor]:
    from mobilegym.policy.images import patchify

    noise = np.random.default_rng(seed).normal(size=(3, CANVAS[1], CANVAS[0])).astype(np.float32)
    return patchify(torch.from_numpy(noise), policy.image_spec)


def rows_of_a_step(policy: Policy, words: Sequence[str], rows: int, images: int, groups: int) -> list[Row]:
    """As roll-outs leave them: an image belongs to one group's goal; siblings meet on the early screens."""
    rng = random.Random(0)
    grid = policy.grid(pixels(policy, 0)[1])
    allowed = [i for i in range(len(policy.tokenizer)) if i not in policy.suppressed]
    goals = [" ".join(rng.choices(words, k=GOAL_WORDS)) for _ in range(groups)]
    made = []
    for i in range(rows):
        image = min(int(rng.expovariate(3.0) * images), images - 1)
        text = f"{goals[image % groups]} {' '.join(rng.choices(words, k=STATUS_WORDS))}"
        content = [{"type": "image"}, {"type": "text", "text": text}]
        made.append(
            Row(
                trajectory=f"t{image % groups}-{i % 8}",
                step=i,
                image=str(image),
                prompt_ids=tuple(policy.prompt_ids([{"role": "user", "content": content}], [grid])),
                token_ids=(*rng.choices(allowed, k=3), policy.eos),
                logprobs=(-5.0,) * 4,
                advantage=rng.choice([-1.0, 1.0]),
                sequence_tokens=4 * rows // (8 * groups),
                policy_version=0,
            )
        )
    return made


def loss_of(
    rows: Sequence[Row], logp: torch.Tensor, entropy: torch.Tensor, mask: torch.Tensor, whole: Denominators
) -> torch.Tensor:
    advantages = torch.tensor([r.advantage for r in rows])
    return policy_loss(
        LossKind.DAPO, logp, None, None, None, advantages, mask, LossConfig(), denominators=whole, entropy=entropy
    ).loss


def ours(engine: Engine, scene: Scene, rows: Sequence[Row]) -> Callable[[], None]:
    whole = Denominators(sequences=1, tokens=count_tokens(rows))

    def step() -> None:
        for batch in scene.pack(share(rows, engine.rank, engine.ranks), budget=4096):
            logp, entropy = engine.module(batch, scene.see(batch.images))
            engine.accumulate(loss_of(batch.rows, logp, entropy, batch.mask, whole))
        engine.update()

    return step


def row_by_row(
    engine: Engine, policy: Policy, seen: dict[str, tuple[torch.Tensor, torch.Tensor]], rows: Sequence[Row]
) -> Callable[[], None]:
    whole = Denominators(sequences=1, tokens=count_tokens(rows))
    model = policy.model

    def step() -> None:
        for at in range(0, len(rows), BATCH):
            lot = rows[at : at + BATCH]
            ids, mask = left_pad([(*r.prompt_ids, *r.token_ids) for r in lot], policy.pad)
            out = model(
                input_ids=ids,
                attention_mask=mask,
                pixel_values=torch.cat([seen[r.image][0] for r in lot]),
                image_grid_thw=torch.cat([seen[r.image][1] for r in lot]),
                mm_token_type_ids=(ids == policy.image_token).int(),
                logits_to_keep=5,
            )
            logits = out.logits[:, :-1].float() + policy.bias
            logp = torch.log_softmax(logits, -1)
            entropy = -(logp.exp() * logp.masked_fill(logp == float("-inf"), 0.0)).sum(-1)
            chosen = logp.gather(-1, ids[:, -4:].unsqueeze(-1)).squeeze(-1)
            engine.accumulate(loss_of(lot, chosen, entropy, torch.ones_like(chosen), whole))
        engine.update()

    return step


def measure(name: str, step: Callable[[], None], tokens: int, runs: int) -> dict[str, object]:
    """Prompt and sampled tokens of all rows by CPU second, so that a busy machine disturbs little."""
    step()  # warm
    rates = []
    for _ in range(runs):
        started = time.process_time()
        step()
        rates.append(tokens / (time.process_time() - started))
    low, high = min(rates), max(rates)
    rounded = [round(x) for x in (statistics.median(rates), low, high)]
    return dict(
        zip(("name", "unit", "runs", "median", "low", "high"), (name, "tokens/CPU-s", runs, *rounded), strict=True)
    )


def main() -> None:
    parser = argparse.ArgumentParser()
    for name, value in (("--rows", 600), ("--images", 160), ("--groups", 14), ("--runs", 3)):
        parser.add_argument(name, type=int, default=value)
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    words = [f"word{i}" for i in range(1500)]
    with tempfile.TemporaryDirectory() as folder:
        policy = build(Path(folder), 0, words)
    rows = rows_of_a_step(policy, words, arguments.rows, arguments.images, arguments.groups)
    tokens = sum(len(r.prompt_ids) + len(r.token_ids) for r in rows)
    scene = Scene(policy, train_vision=False, cache_bytes=0)  # every step sees its images anew
    seen = {str(i): pixels(policy, i) for i in range(arguments.images)}
    scene.load_pixels(seen)
    engine = Engine(TeacherForced(policy), OptimizerConfig(lr=1e-5), ZERO, device="cpu")
    for name, step in (("ours", ours(engine, scene, rows)), ("row by row", row_by_row(engine, policy, seen, rows))):
        print(json.dumps(measure(f"train step, {name}", step, tokens, arguments.runs)), flush=True)
    engine.close()


if __name__ == "__main__":
    main()
