"""The memory plan stands by figures computed by hand."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from mobilegym.cli.main import main
from mobilegym.run.deepspeed import deepspeed_config
from mobilegym.run.load import load_run
from mobilegym.run.manifest import RunSpec
from mobilegym.run.plan import PlanError, make_plan, require_fit
from mobilegym.run.plan.hardware import gpu
from mobilegym.run.plan.plan import zero1_states
from mobilegym.run.plan.shape import QWEN3_VL_4B, image_tokens

EXAMPLES = Path(__file__).parents[2] / "examples"
SPEC = load_run(EXAMPLES / "qwen3-vl-4b.yaml").spec


def changed(part: str, **changes: Any) -> RunSpec:
    return SPEC.model_copy(update={part: getattr(SPEC, part).model_copy(update=changes)})


@pytest.mark.parametrize(("ranks", "gigabytes"), [(1, 71.0), (2, 44.4), (3, 35.5)])
def test_zero1_states(ranks: int, gigabytes: float) -> None:
    assert zero1_states(4.44e9, ranks) / 1e9 == pytest.approx(gigabytes, abs=0.05)


def test_a_token_of_the_cache_is_147_kilobytes() -> None:
    assert QWEN3_VL_4B.kv_per_token == 147_456


@pytest.mark.parametrize(("scale", "tokens"), [(3.0, 34 * 75), (1.5, 17 * 38), (0.5, 6 * 13)])
def test_visual_tokens(scale: float, tokens: int) -> None:
    assert image_tokens(scale) == tokens


@pytest.mark.parametrize(("scale", "millions"), [(3.0, 11.1), (1.5, 7.5)])
def test_tokens_of_a_step(scale: float, millions: float) -> None:
    plan = make_plan(changed("model", image_scale=scale))
    assert plan.tokens_per_step / 1e6 == pytest.approx(millions, abs=0.06)


def test_three_colocated_gpus_hold_the_recipe() -> None:
    plan = require_fit(SPEC)
    assert plan.total / 1e9 == pytest.approx(86, abs=1)
    assert plan.gpu.memory == 96e9


def test_two_colocated_gpus_are_refused_with_numbers_and_knobs() -> None:
    with pytest.raises(PlanError) as refusal:
        require_fit(changed("learner", gpus=2))
    message = str(refusal.value)
    assert "ZeRO-1 states 44.4" in message
    assert "learner.gpus 2 -> 3: 85.8 GB, fits" in message
    assert "engine.maxBatch 32 -> 16" in message


def test_an_external_engine_takes_no_memory() -> None:
    assert make_plan(changed("engine", url="http://engine:8000")).engine == ()


def test_the_smallest_allowed_gpu_counts() -> None:
    products = ("NVIDIA-H100-80GB-HBM3", *SPEC.learner.gpu_products)
    assert make_plan(changed("learner", gpu_products=products)).gpu.name == "H100"


def test_unknown_gpus_are_said() -> None:
    with pytest.raises(PlanError, match="NVIDIA-Z1 are not known"):
        make_plan(changed("learner", gpu_products=("NVIDIA-Z1",)))
    assert gpu("NVIDIA-Z1") is None


def test_updates_cost_time_not_memory() -> None:
    once, twice = make_plan(SPEC), make_plan(changed("algorithm", updates_per_step=2))
    assert twice.train_seconds > 1.7 * once.train_seconds
    assert dataclasses.replace(twice, train_seconds=0) == dataclasses.replace(once, train_seconds=0)


def test_the_command_prints_the_table_and_json() -> None:
    file = str(EXAMPLES / "qwen3-vl-4b.yaml")
    shown = CliRunner().invoke(main, ["plan", "-f", file])
    assert shown.exit_code == 0
    assert "ZeRO-1 states" in shown.output
    data = json.loads(CliRunner().invoke(main, ["plan", "-f", file, "--json"]).output)
    assert data["fits"] is True
    assert sum(line["bytes"] for line in data["lines"]) < data["totalBytes"]


def test_the_command_refuses_by_exit_code(tmp_path: Path) -> None:
    two = tmp_path / "two.yaml"
    two.write_text((EXAMPLES / "qwen3-vl-4b.yaml").read_text().replace("gpus: 3", "gpus: 2"))
    refused = CliRunner().invoke(main, ["plan", "-f", str(two)])
    assert refused.exit_code == 1
    assert "3.8 GB too many" in refused.output
    on_cpu = CliRunner().invoke(main, ["plan", "-f", str(EXAMPLES / "pocket.yaml")])
    assert on_cpu.exit_code == 2
    assert "no GPU plan" in on_cpu.output


def test_deepspeed_gets_stage_one_and_no_accumulation() -> None:
    config = deepspeed_config(SPEC)
    assert config["zero_optimization"]["stage"] == 1
    assert config["bf16"]["enabled"] is True
    assert config["train_batch_size"] == config["train_micro_batch_size_per_gpu"] * SPEC.learner.world_size
    assert deepspeed_config(load_run(EXAMPLES / "pocket.yaml").spec)["bf16"]["enabled"] is False
