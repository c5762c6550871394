"""Rules over several fields: broken ones are told alike by a real API server and by `mobilegym run`."""

from __future__ import annotations

import random
from typing import Any

import pytest
from tests.operator.crd.runs import Manifest, Runs, local, manifest, put

from mobilegym.operator import names
from mobilegym.operator.crd.rules import RULES

# Model, the broken one, its good twin, where it is told, and in which words.
RULE_CASES: list[tuple[str, Manifest, Manifest, str, str]] = [
    ("RunSpec", {"algorithm": {"promptsPerStep": 5}, "learner": {"ranks": 3}},
     {"algorithm": {"promptsPerStep": 6}, "learner": {"ranks": 3}},
     "spec.algorithm.promptsPerStep", "5 x 8 = 40 episodes a step must be divisible by the learner's 3 ranks"),
    ("RunSpec", {"algorithm": {"promptsPerStep": 5}, "learner": {"gpus": 3}},
     {"algorithm": {"promptsPerStep": 5}, "learner": {"gpus": 3, "layout": "split"}},
     "spec.algorithm.promptsPerStep", "5 x 8 = 40 episodes a step must be divisible by the learner's 3 ranks"),
    ("RunSpec", {"algorithm": {"promptsPerStep": 4, "groupSize": 2}, "learner": {"gpus": 4, "layout": "split"}},
     {"algorithm": {"promptsPerStep": 4, "groupSize": 2}, "learner": {"gpus": 4}},
     "spec.algorithm.promptsPerStep", "4 x 2 = 8 episodes a step must be divisible by the learner's 3 ranks"),
    ("RunSpec", {"stream": {"capacity": 95}}, {"stream": {"capacity": 96}},
     "spec.stream.capacity", "got 95, must be >= 96, the episodes of one step"),
    ("RunSpec", {"stream": {"claimIdleSeconds": 60}}, {"stream": {"claimIdleSeconds": 61}},
     "spec.stream.claimIdleSeconds",
     "got 60, must be > workers.stepDeadlineSeconds (60): a busy lease would be taken over"),
    ("RunSpec", {"autoscaling": {"enabled": True}, "workers": {"min": 1}},
     {"autoscaling": {"enabled": True}, "workers": {"min": 1, "max": 2}},
     "spec.workers.max", "autoscaling needs workers.min and workers.max"),
    ("RunSpec", {"autoscaling": {"enabled": True}, "workers": {"max": 1}}, {"workers": {"max": 1}},
     "spec.workers.max", "autoscaling needs workers.min and workers.max"),
    ("ModelSpec", {"model": {}}, {"model": {"preset": "pocket"}},
     "spec.model.preset", "give preset (pocket, qwen3-vl-4b) or path (a directory with weights)"),
    ("ModelSpec", {"model": {"path": "/models/x"}}, {"model": {"path": "/models/x", "dialect": "compact"}},
     "spec.model.dialect", "must be given where there is no preset to say it"),
    ("ModelSpec", {"model": {"preset": "qwen3-vl-4b"}}, {"model": {"preset": "qwen3-vl-4b", "path": "/models/x"}},
     "spec.model.path", "must be given: the preset qwen3-vl-4b brings no weights of its own"),
    ("WorkersSpec", {"workers": {"replicas": 3, "min": 3, "max": 2}}, {"workers": {"replicas": 2, "min": 2, "max": 2}},
     "spec.workers.min", "got 3, must be <= max (2)"),
    ("WorkersSpec", {"workers": {"min": 2}}, {"workers": {"min": 1}},
     "spec.workers.replicas", "got 1, must be >= min (2)"),
    ("WorkersSpec", {"workers": {"max": 0}}, {"workers": {"max": 0, "replicas": 0}},
     "spec.workers.replicas", "got 1, must be <= max (0)"),
    ("WorkersSpec", {"workers": {"browsersPerWorker": 9}}, {"workers": {"browsersPerWorker": 8}},
     "spec.workers.browsersPerWorker", "got 9, must be <= phonesPerWorker (8)"),
    ("WorkersSpec", {"workers": {"stepDeadlineSeconds": 100, "episodeDeadlineSeconds": 99}},
     {"workers": {"stepDeadlineSeconds": 99, "episodeDeadlineSeconds": 99}},
     "spec.workers.stepDeadlineSeconds", "got 100, must be <= episodeDeadlineSeconds (99)"),
    ("WorkersSpec", {"workers": {"sandbox": "RuntimeClass"}},
     {"workers": {"sandbox": "RuntimeClass", "runtimeClassName": "gvisor"}},
     "spec.workers.runtimeClassName", "must be given with sandbox RuntimeClass, for example gvisor"),
    ("LearnerSpec", {"learner": {"gpus": 3, "ranks": 2}}, {"learner": {"gpus": 3, "ranks": 1}},
     "spec.learner.ranks", "got 2, is for CPU runs: with 3 GPUs leave it out"),
    ("LearnerSpec", {"learner": {"gpus": 1, "layout": "split"}}, {"learner": {"layout": "split"}},
     "spec.learner.layout", "got split, needs learner.gpus >= 2 (one serves), there is 1"),
    ("LearnerSpec", {"learner": {"microBatchRows": 1, "microBatchTokens": 64}}, {"learner": {"microBatchTokens": 64}},
     "spec.learner.microBatchTokens", "give microBatchRows or microBatchTokens, not both"),
    ("CheckpointSpec", {"learner": {"checkpoint": {"claim": "c", "size": "1Gi"}}},
     {"learner": {"checkpoint": {"size": "1Gi", "storageClassName": "fast"}}},
     "spec.learner.checkpoint", "give one volume for checkpoints: "),
    ("CheckpointSpec", {"learner": {"checkpoint": {"claim": "c", "ephemeral": True}}},
     {"learner": {"checkpoint": {"claim": "c", "ephemeral": False}}},
     "spec.learner.checkpoint", "give one volume for checkpoints: "),
    ("CheckpointSpec", {"learner": {"checkpoint": {"claim": "c", "storageClassName": "fast"}}},
     {"learner": {"checkpoint": {"storageClassName": "fast"}}},
     "spec.learner.checkpoint.storageClassName", "is for a claim of the run's own: give size, not claim or ephemeral"),
    ("StreamSpec", {"stream": {"redisUrl": "redis://r", "redisSecret": {"name": "s"}}},
     {"stream": {"redisSecret": {"name": "s"}}},
     "spec.stream.redisUrl", "give redisSecret or redisUrl, not both"),
    ("AutoscalingSpec", {"autoscaling": {"lowBuffer": "2.0"}}, {"autoscaling": {"lowBuffer": "1.9999"}},
     "spec.autoscaling.lowBuffer", "must be < highBuffer (2)"),
    ("AutoscalingSpec", {"autoscaling": {"idleWait": "1e-1"}}, {"autoscaling": {"idleWait": "9e-2"}},
     "spec.autoscaling.idleWait", "must be < targetWait (0.1)"),
    ("Toleration", {"workers": {"placement": {"tolerations": [{"key": "a", "value": "b"}]}}},
     {"workers": {"placement": {"tolerations": [{"key": "a", "operator": "Equal", "value": "b"}]}}},
     "spec.workers.placement.tolerations[0].value", "must be left out with operator Exists"),
    ("Toleration", {"learner": {"placement": {"tolerations": [{"operator": "Equal", "value": "b"}]}}},
     {"learner": {"placement": {"tolerations": [{}]}}},
     "spec.learner.placement.tolerations[0].key", "must be given with operator Equal"),
]  # fmt: skip


@pytest.mark.parametrize("case", RULE_CASES, ids=lambda case: f"{case[3]}: {case[4][:20]}")
def test_a_broken_rule_is_told_alike(case: tuple[str, Manifest, Manifest, str, str], gate: Runs) -> None:
    _, broken, good, path, message = case
    assert any(field == path and message in words for field, words in gate.told(manifest(broken)))
    ((field, words),) = local(manifest(broken))
    assert field.startswith(path)
    assert message in words
    assert gate.told(manifest(good)) == local(manifest(good)) == []


def test_every_rule_has_a_case() -> None:
    told = {(model, path.rpartition(".")[2], message) for model, _, _, path, message in RULE_CASES}
    rules = [(model, rule) for model, rules in RULES.items() for rule in rules if not rule.transition]
    fields = {(model, field) for model, field, _ in told} | {("CheckpointSpec", "")}
    assert {(model, rule.field.rpartition(".")[2]) for model, rule in rules} - fields == {(names.KIND, "")}


@pytest.mark.parametrize("name", ["a.b", "1a", "x" * 41])
def test_a_name_leaves_room_for_suffixes(name: str, gate: Runs) -> None:
    ((_, words),) = gate.told(manifest(name=name))
    assert "metadata.name must have at most 40 characters" in words
    assert [field for field, _ in local(manifest(name=name))] == ["metadata.name"]
    assert gate.told(manifest(name="x" * 40)) == local(manifest(name="x" * 40)) == []


def pools() -> dict[tuple[str, ...], list[Any]]:
    """Values that meet one another in rules."""
    counts: list[Any] = [1, 2, 3]
    return {
        ("algorithm", "groupSize"): [2, 3, 8],
        ("algorithm", "promptsPerStep"): [1, 2, 12],
        ("workers", "replicas"): [0, *counts],
        ("workers", "min"): [0, *counts],
        ("workers", "max"): [0, *counts],
        ("workers", "phonesPerWorker"): counts,
        ("workers", "browsersPerWorker"): counts,
        ("workers", "stepDeadlineSeconds"): [10, 120, 700],
        ("workers", "sandbox"): ["RuntimeClass", "Disabled"],
        ("workers", "runtimeClassName"): ["gvisor"],
        ("learner", "gpus"): [0, 1, 2, 3],
        ("learner", "ranks"): counts,
        ("learner", "layout"): ["colocated", "split"],
        ("learner", "microBatchRows"): [4],
        ("learner", "microBatchTokens"): [64],
        ("learner", "checkpoint", "claim"): ["c"],
        ("learner", "checkpoint", "size"): ["1Gi", 5],
        ("learner", "checkpoint", "ephemeral"): [True, False],
        ("learner", "checkpoint", "storageClassName"): ["fast"],
        ("stream", "capacity"): [2, 24, 1024],
        ("stream", "claimIdleSeconds"): [11, 120],
        ("autoscaling", "enabled"): [True, False],
        ("autoscaling", "lowBuffer"): ["0.5", "3", "1e-1"],
        ("autoscaling", "targetWait"): ["0.01", "0.3"],
        ("model", "preset"): ["pocket", "qwen3-vl-4b"],
        ("model", "path"): ["/models/x"],
        ("model", "dialect"): ["compact"],
    }


def test_any_combination_is_taken_by_both_or_by_none(gate: Runs) -> None:
    rng = random.Random(0)
    taken = 0
    for _ in range(300):
        spec: Manifest = {"model": {"preset": "pocket"}} if rng.random() < 0.8 else {"model": {}}
        for path, values in rng.sample(sorted(pools().items()), rng.randint(1, 5)):
            put(spec, path, rng.choice(values))
        run = manifest(spec)
        there, here = gate.told(run), local(run)
        assert bool(there) == bool(here), f"{spec}: {there} {here}"
        taken += not here
    assert 30 < taken < 270
