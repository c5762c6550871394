"""The plan: memory a GPU and time a step, and a refusal with numbers where it cannot fit.

ZeRO-1 (arXiv:1910.02054): weights and gradients in bf16 on every rank (4 bytes a parameter), fp32 master weights and
two Adam moments (12 bytes) split over the ranks. Activations are checkpointed once a layer. Logits exist for sampled
tokens only. A colocated engine keeps weights of its own and a KV cache; nothing is put to sleep.
"""

from __future__ import annotations

from dataclasses import dataclass

from mobilegym.run.learner import Layout
from mobilegym.run.manifest import RunSpec
from mobilegym.run.model import Preset
from mobilegym.run.plan.hardware import GB, Gpu, smallest
from mobilegym.run.plan.shape import BF16, FP32, QWEN3_VL_4B, Shape, image_tokens

CONTEXTS = 3.0 * GB  # CUDA and NCCL contexts of learner and engine
WORKSPACE = 3.5 * GB  # engine's graphs, prefill and the vision tower's activations
BUCKETS = 2.0 * GB  # reduce and all-gather buckets of the optimizer, double-buffered
SLACK = 0.03  # of all else, lost by the allocator
UTILISATION = 0.4  # of the GPU's peak, training and prefill
EPISODE_STEPS = 20  # where the spec does not cap them
USABLE = 0.95  # of a GPU's memory


class PlanError(ValueError):
    """The run cannot fit; the message has the numbers and the knobs."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Line:
    what: str
    bytes: float
    why: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Plan:
    """Of one GPU, the fullest."""

    gpu: Gpu
    gpus: int
    ranks: int
    layout: Layout
    trainer: tuple[Line, ...]
    engine: tuple[Line, ...]
    tokens_per_step: int
    tokens_per_row: int
    train_seconds: float
    rollout_seconds: float
    unknown_products: tuple[str, ...] = ()

    @property
    def lines(self) -> tuple[Line, ...]:
        """What the fullest GPU holds."""
        if self.layout is Layout.COLOCATED:
            return (*self.trainer, *self.engine)
        return max((self.trainer, self.engine), key=lambda lines: sum(line.bytes for line in lines))

    @property
    def total(self) -> float:
        return sum(line.bytes for line in self.lines) * (1 + SLACK)

    @property
    def usable(self) -> float:
        return self.gpu.memory * USABLE

    @property
    def fits(self) -> bool:
        return self.total <= self.usable

    @property
    def step_seconds(self) -> float:
        """Colocated GPUs sample and train in turn; split ones at the same time."""
        if self.layout is Layout.COLOCATED:
            return self.train_seconds + self.rollout_seconds
        return max(self.train_seconds, self.rollout_seconds)


def make_plan(spec: RunSpec, *, shape: Shape | None = None) -> Plan:
    """Raises PlanError where there is nothing to plan: no GPU, or none that is known."""
    learner = spec.learner
    if not learner.gpus:
        raise PlanError("learner.gpus is 0: a run on the CPU has no GPU plan")
    gpu, unknown = smallest(learner.gpu_products)
    if gpu is None:
        raise PlanError(f"memory and speed of {', '.join(unknown)} are not known: name another of learner.gpuProducts")
    shape = shape or _shape(spec)
    tokens = image_tokens(spec.model.scale) + shape.text_tokens
    episodes, steps = spec.algorithm.episodes_per_step, spec.algorithm.episode_steps or EPISODE_STEPS
    total_tokens = episodes * steps * tokens
    serving = learner.gpus if learner.layout is Layout.COLOCATED else 1
    return Plan(
        gpu=gpu,
        gpus=learner.gpus,
        ranks=learner.world_size,
        layout=learner.layout,
        trainer=_trainer(spec, shape, tokens),
        engine=_engine(spec, shape, tokens, serving),
        tokens_per_step=total_tokens,
        tokens_per_row=tokens,
        train_seconds=_train_flops(spec, shape, total_tokens) / (learner.world_size * gpu.flops * UTILISATION),
        rollout_seconds=2 * shape.parameters * total_tokens / (serving * gpu.flops * UTILISATION),
        unknown_products=unknown,
    )


def _shape(spec: RunSpec) -> Shape:
    if spec.model.preset is not Preset.QWEN3_VL_4B:
        raise PlanError("only the preset qwen3-vl-4b has a plan: model.preset says otherwise")
    return QWEN3_VL_4B


def zero1_states(parameters: float, ranks: int) -> float:
    """Bytes a rank: bf16 weights and gradients, and a share of fp32 master weights and two moments."""
    return parameters * (2 * BF16 + 3 * FP32 / ranks)


def _trainer(spec: RunSpec, shape: Shape, tokens: int) -> tuple[Line, ...]:
    ranks = spec.learner.world_size
    rows = spec.learner.rows or max(1, (spec.learner.micro_batch_tokens or tokens) // tokens)
    batch = rows * tokens
    kept = shape.layers * shape.hidden * BF16 * batch
    one_layer = (16 * shape.hidden + 6 * shape.intermediate) * BF16 * batch
    sampled = rows * spec.algorithm.max_tokens
    logits = 3 * shape.vocabulary * FP32 * sampled
    lines = [
        Line(what="ZeRO-1 states", bytes=zero1_states(shape.parameters, ranks), why=f"(4 + 12/{ranks}) B a parameter"),
        Line(what="reduce and gather buckets", bytes=BUCKETS, why="double-buffered"),
        Line(what="activations", bytes=kept + one_layer, why=f"{rows} x {tokens:,} tokens, one checkpoint a layer"),
        Line(what="logits", bytes=logits, why=f"{sampled:,} sampled tokens x {shape.vocabulary:,} x fp32 x 3"),
        Line(what="CUDA and NCCL contexts", bytes=CONTEXTS, why="learner and engine"),
    ]
    return tuple(lines)


def _engine(spec: RunSpec, shape: Shape, tokens: int, serving: int) -> tuple[Line, ...]:
    if spec.engine.url is not None:
        return ()
    sequences = min(spec.engine.max_batch, -(-spec.workers.phones // serving))
    kv = sequences * tokens * shape.kv_per_token
    return (
        Line(what="engine weights", bytes=shape.weights, why="bf16, a copy of its own"),
        Line(what="KV cache", bytes=kv, why=f"{sequences} x {tokens:,} tokens x {shape.kv_per_token / 1e3:.0f} kB"),
        Line(what="engine workspace", bytes=WORKSPACE, why="graphs, prefill, vision tower"),
    )


def _train_flops(spec: RunSpec, shape: Shape, tokens: int) -> float:
    """Forward 2, backward 4, recomputed forward 2; a reference forward 2 where there is a KL term."""
    once = 8 * shape.parameters * tokens * spec.algorithm.updates_per_step
    return once + (2 * shape.parameters * tokens if spec.algorithm.kl_coefficient else 0)
