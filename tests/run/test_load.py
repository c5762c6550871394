"""Manifests as people write them."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from mobilegym.run.errors import RunError
from mobilegym.run.load import load_run, parse_run
from mobilegym.run.manifest import MobileGymRun
from mobilegym.run.schema import dump_run, run_schema

EXAMPLES = Path(__file__).parents[2] / "examples"


def manifest(spec: str = "", name: str = "a-run", model: str = "{preset: pocket}") -> str:
    head = (
        f"apiVersion: mobilegym.io/v1alpha1\nkind: MobileGymRun\nmetadata: {{name: {name}}}\nspec:\n  model: {model}\n"
    )
    return head + textwrap.indent(textwrap.dedent(spec), "  ")


def problems(text: str) -> list[str]:
    with pytest.raises(RunError) as caught:
        parse_run(text)
    return [str(problem) for problem in caught.value.problems]


@pytest.mark.parametrize("file", sorted(EXAMPLES.glob("*.yaml")), ids=lambda file: file.stem)
def test_every_example_is_a_run(file: Path) -> None:
    run = load_run(file)
    assert run.name == file.stem
    assert MobileGymRun.model_validate(dump_run(run)) == run


def test_a_short_manifest_has_defaults() -> None:
    spec = parse_run(manifest()).spec
    assert spec.model.dialect_name == "compact"
    assert spec.model.scale == 0.5
    assert spec.algorithm.episodes_per_step == 96
    assert spec.workers.phones == 8
    assert spec.learner.world_size == 1


def test_fractions_may_be_text() -> None:
    spec = parse_run(manifest("algorithm: {learningRate: 1e-6, clipLow: '0.1'}")).spec
    assert spec.algorithm.learning_rate == 1e-6
    assert spec.algorithm.clip_low == 0.1


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ("algorithm: {groupSize: 0}", "spec.algorithm.groupSize: got 0, must be >= 2 (line 6)"),
        ("algorithm:\n  groupSize: 1", "spec.algorithm.groupSize: got 1, must be >= 2 (line 7)"),
        ("algorithm: {clipLow: 0}", "spec.algorithm.clipLow: got 0, must be > 0 (line 6)"),
        ("algorithm: {learningRate: .nan}", "spec.algorithm.learningRate: got nan, must be a finite number (line 6)"),
        ("algorithm: {totalSteps: true}", "spec.algorithm.totalSteps: got true, must not be true or false (line 6)"),
        (
            "algorithm: {groupsize: 4}",
            "spec.algorithm.groupsize: unknown key, did you mean groupSize? (line 6)",
        ),
        (
            "algorithm: {loss: daop}",
            "spec.algorithm.loss: got 'daop', must be 'grpo', 'dapo', 'dr_grpo', 'gspo' or 'cispo', "
            "did you mean dapo? (line 6)",
        ),
        ("algorthm: {}", "spec.algorthm: unknown key, did you mean algorithm? (line 6)"),
        ("algorithm:\n  group_size: 8", "spec.algorithm.group_size: unknown key, did you mean groupSize? (line 7)"),
        ("workers: {min: 3, max: 2}", "spec.workers.min: got 3, must be <= max (2) (line 6)"),
        ("workers: {max: 0}", "spec.workers.replicas: got 1, must be <= max (0) (line 6)"),
        ("workers: {browsersPerWorker: 9}", "spec.workers.browsersPerWorker: got 9, must be <= phonesPerWorker (8)"),
        ("learner: {gpus: 1, layout: split}", "spec.learner.layout: got split, needs learner.gpus >= 2"),
        ("learner: {gpus: 3, ranks: 2}", "spec.learner.ranks: got 2, is for CPU runs"),
        (
            "algorithm: {promptsPerStep: 5}\nlearner: {ranks: 3}",
            "spec.algorithm.promptsPerStep: 5 x 8 = 40 episodes a step must be divisible by the learner's 3 ranks",
        ),
        ("stream: {capacity: 10}", "spec.stream.capacity: got 10, must be >= 96, the episodes of one step"),
        ("stream: {claimIdleSeconds: 30}", "spec.stream.claimIdleSeconds: got 30, must be > workers.stepDeadline"),
        ("stream: {redisUrl: localhost}", "spec.stream.redisUrl: got 'localhost', must match"),
        ("learner: {microBatchRows: 1, microBatchTokens: 64}", "spec.learner.microBatchTokens: give microBatchRows or"),
        ("tasks: {locales: [fr]}", "spec.tasks.locales[0]: got 'fr', must be 'en' or 'zh'"),
        ("tasks: {locales: []}", "spec.tasks.locales: got a list of 0, must have at least 1 items"),
        ("seed: 3", "spec.seed: unknown key"),
    ],
)
def test_a_problem_names_its_field_and_line(spec: str, expected: str) -> None:
    (found,) = problems(manifest(spec))
    assert found.startswith(expected)


def test_all_problems_are_told_at_once() -> None:
    assert len(problems(manifest("algorithm: {groupSize: 0, totalSteps: 0}\nworkers: {replicas: -1}", "Foo"))) == 4


@pytest.mark.parametrize("name", ["Foo", "a_b", "-a", "a-", "1a", "x" * 41])
def test_a_name_is_a_short_dns_label(name: str) -> None:
    (found,) = problems(manifest(name=name))
    assert found.startswith("metadata.name: ")


def test_a_model_must_be_named() -> None:
    assert problems(manifest(model="{}")) == [
        "spec.model.preset: give preset (pocket, qwen3-vl-4b) or path (a directory with weights) (line 5)"
    ]
    (found,) = problems(manifest(model="{preset: qwen3-vl-4b}"))
    assert found.startswith("spec.model.path: must be given")


def test_missing_parts_are_named() -> None:
    assert problems("apiVersion: mobilegym.io/v1alpha1\nkind: MobileGymRun\nmetadata: {}\n") == [
        "spec: is missing, must be given (line 1)",
        "metadata.name: is missing, must be given (line 3)",
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "is empty"),
        ("- 1", "must be a mapping"),
        ("a: [", "is no YAML"),
        ("a: 1\na: 2", "a: is given twice (line 2)"),
        ("[1]: 2", "is no YAML: keys must be plain words"),
        ("a: &x [*x]", "is no YAML: an alias contains itself"),
        ("a: \x00", "is no YAML"),
        ("a: " + "1" * 5000, "is no YAML"),
        ("[" * 2000, "is no YAML"),
        ("a: 1\n---\nb: 2", "is no YAML: but found another document"),
        ("a: !!python/object:os.system {}", "is no YAML: could not determine a constructor"),
    ],
)
def test_what_is_no_manifest_is_refused(text: str, expected: str) -> None:
    (found,) = problems(text)
    assert found.startswith(expected)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(RunError, match=r"nowhere\.yaml: 1 problem\n  cannot be read: No such file"):
        load_run(tmp_path / "nowhere.yaml")


def test_the_schema_is_closed_and_camel_case() -> None:
    schema = run_schema()
    algorithm = schema["$defs"]["AlgorithmSpec"]
    assert algorithm["additionalProperties"] is False
    assert algorithm["properties"]["groupSize"]["minimum"] == 2


SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8)
KEYS = st.sampled_from(
    ["apiVersion", "kind", "metadata", "name", "spec", "model", "preset", "algorithm", "groupSize", "workers", "tasks"]
) | st.text(max_size=6)
TREES = st.recursive(SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=5))


@given(TREES)
@settings(max_examples=200, deadline=None)
def test_any_document_is_a_run_or_a_list_of_problems(tree: object) -> None:
    with pytest.raises(RunError) as caught:
        parse_run(yaml.safe_dump({"apiVersion": "mobilegym.io/v1alpha1", "kind": "MobileGymRun", "spec": tree}))
    assert caught.value.problems


@given(st.text(max_size=40))
@settings(max_examples=200, deadline=None)
def test_any_text_is_answered_in_words(text: str) -> None:
    with pytest.raises(RunError):
        parse_run(text)
