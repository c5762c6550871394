"""The refusal of what cannot fit, with the knobs that would help."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mobilegym.run.learner import Layout
from mobilegym.run.manifest import RunSpec
from mobilegym.run.plan.hardware import GB
from mobilegym.run.plan.plan import Plan, PlanError, make_plan


def require_fit(spec: RunSpec) -> Plan:
    """The plan, or PlanError: what is needed, what there is, and which knobs bring how much."""
    plan = make_plan(spec)
    if plan.fits:
        return plan
    parts = sorted(plan.lines, key=lambda line: -line.bytes)[:3]
    largest = ", ".join(f"{line.what} {line.bytes / GB:.1f}" for line in parts)
    need = f"needs {plan.total / GB:.1f} GB a GPU, a {plan.gpu.name} has {plan.usable / GB:.1f} usable"
    short = f"{(plan.total - plan.usable) / GB:.1f} GB too many"
    knobs = [f"  {knob}" for knob in _knobs(spec, plan)] or ["  no single knob is enough: use GPUs with more memory"]
    raise PlanError("\n".join([f"{need}: {short} (largest: {largest})", *knobs]))


def _knobs(spec: RunSpec, plan: Plan) -> Iterator[str]:
    """Single changes: those that suffice first, the smallest of them first."""
    found: list[tuple[bool, float, str]] = []
    for name, before, after, changed in _changes(spec):
        total = make_plan(changed).total
        saved, enough = plan.total - total, total <= plan.usable
        if saved > 0.05 * GB:
            verdict = "fits" if enough else "not enough alone"
            text = f"{name} {before} -> {after}: {total / GB:.1f} GB, {verdict}"
            found.append((not enough, saved if enough else -saved, text))
    for _, _, text in sorted(found):
        yield text


def _changes(spec: RunSpec) -> Iterator[tuple[str, Any, Any, RunSpec]]:
    learner, engine, algorithm, model = spec.learner, spec.engine, spec.algorithm, spec.model
    for batch in (engine.max_batch // 2, engine.max_batch // 4):
        if batch >= 1:
            yield "engine.maxBatch", engine.max_batch, batch, _with(spec, "engine", max_batch=batch)
    if model.scale > 1.5:
        yield "model.imageScale", model.scale, 1.5, _with(spec, "model", image_scale=1.5)
    if (learner.micro_batch_rows or 1) > 1:
        yield "learner.microBatchRows", learner.micro_batch_rows, 1, _with(spec, "learner", micro_batch_rows=1)
    if algorithm.max_tokens > 128:
        half = algorithm.max_tokens // 2
        yield "algorithm.maxTokens", algorithm.max_tokens, half, _with(spec, "algorithm", max_tokens=half)
    for more in range(learner.gpus + 1, learner.gpus + 9):
        changed = _with(spec, "learner", gpus=more)
        if algorithm.episodes_per_step % changed.learner.world_size == 0:
            yield "learner.gpus", learner.gpus, more, changed
            break
    splits = learner.gpus > 1 and algorithm.episodes_per_step % (learner.gpus - 1) == 0
    if learner.layout is Layout.COLOCATED and splits:
        yield "learner.layout", "colocated", "split", _with(spec, "learner", layout=Layout.SPLIT)


def _with(spec: RunSpec, part: str, **changes: Any) -> RunSpec:
    return spec.model_copy(update={part: getattr(spec, part).model_copy(update=changes)})
