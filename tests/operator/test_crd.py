"""The CustomResourceDefinition as it is written, without a cluster. What a cluster makes of it: test_admission.py."""

from __future__ import annotations

import ast
import inspect
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from mobilegym.operator import names
from mobilegym.operator.crd import crd, schema_hash
from mobilegym.operator.crd import definition as crd_definition
from mobilegym.operator.crd.__main__ import main, written
from mobilegym.operator.crd.reference import reference
from mobilegym.operator.crd.resolve import manifest_tree
from mobilegym.operator.crd.rules import RULES
from mobilegym.operator.crd.structural import FRACTION, fraction, structural
from mobilegym.run import algorithm, autoscaling, learner, manifest, model, pod, tasks, workers

REPO = Path(__file__).parents[2]
VERSION = crd()["spec"]["versions"][0]
ROOT = VERSION["schema"]["openAPIV3Schema"]
SPEC, STATUS = ROOT["properties"]["spec"], ROOT["properties"]["status"]


def nodes(path: str, node: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    yield path, node
    for name, inner in node.get("properties", {}).items():
        yield from nodes(f"{path}.{name}", inner)
    for key in ("items", "additionalProperties"):
        if key in node:
            yield from nodes(f"{path}[]", node[key])


@pytest.mark.parametrize(
    ("file", "made"),
    [("charts/mobilegym/files/crd.yaml", lambda: written(crd())), ("docs/manifest.md", reference)],
    ids=["crd", "reference"],
)
def test_what_is_committed_is_what_the_models_say(file: str, made: Any) -> None:
    assert (REPO / file).read_text(encoding="utf-8") == made(), f"{file} is old: run `make crd`"


def test_the_command_writes_both(tmp_path: Path) -> None:
    assert main(["--out", str(tmp_path / "deep" / "crd.yaml"), "--reference", str(tmp_path / "manifest.md")]) == 0
    assert yaml.safe_load((tmp_path / "deep" / "crd.yaml").read_text()) == crd()
    assert (tmp_path / "manifest.md").read_text() == reference()


def test_the_command_prints_what_kubectl_takes(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 0
    assert yaml.safe_load(capsys.readouterr().out) == crd()


def test_text_that_looks_like_a_number_is_quoted() -> None:
    """PyYAML writes 1e-6 bare, and Kubernetes then reads a number."""
    assert "default: '1e-6'" in written(crd())
    assert not re.search(r": [0-9.]+e[-+0-9]+$", written(crd()), re.MULTILINE)


def test_everything_has_a_bound() -> None:
    """Else the API server's estimate of what a rule costs has none either."""
    for path, node in nodes("spec", SPEC):
        if node.get("type") == "string":
            assert "maxLength" in node or "enum" in node, path
        if node.get("type") == "array":
            assert "maxItems" in node, path
        if "additionalProperties" in node:
            assert "maxProperties" in node, path
        assert node.get("type") != "number", path


def test_every_field_says_what_it_means() -> None:
    for path, node in (*nodes("spec", SPEC), *nodes("status", STATUS)):
        if not path.endswith("[]"):
            assert node.get("description"), path


def test_nothing_unknown_is_kept() -> None:
    assert "preserve-unknown-fields" not in written(crd())


def test_a_model_without_a_bound_is_refused() -> None:
    with pytest.raises(ValueError, match="maxLength is missing"):
        structural({"type": "string"})


@pytest.mark.parametrize(
    ("value", "text"), [(1e-6, "1e-6"), (5e-4, "0.0005"), (0.28, "0.28"), (2.0, "2"), (0.0, "0"), (1.5e-9, "1.5e-9")]
)
def test_fractions_read_well(value: float, text: str) -> None:
    assert fraction(value) == text
    assert float(text) == value
    assert re.fullmatch(FRACTION, text)


def test_every_rule_of_a_model_has_a_twin() -> None:
    """Counts the SpecErrors that a model can raise."""
    raised: Counter[str] = Counter()
    for module in (algorithm, autoscaling, learner, manifest, model, pod, tasks, workers):
        for node in ast.walk(ast.parse(inspect.getsource(module))):
            if isinstance(node, ast.ClassDef):
                raises = [n.exc for n in ast.walk(node) if isinstance(n, ast.Raise) and isinstance(n.exc, ast.Call)]
                raised[node.name] += sum(ast.unparse(call.func) == "SpecError" for call in raises)
    twins = {name: sum(not rule.transition for rule in rules) for name, rules in RULES.items() if name != names.KIND}
    assert {name: count for name, count in twins.items() if count} == {k: v for k, v in raised.items() if v}


def test_the_hash_is_of_fields_and_not_of_words(monkeypatch: pytest.MonkeyPatch) -> None:
    assert re.fullmatch("[0-9a-f]{16}", schema_hash())
    assert crd()["metadata"]["annotations"][names.SCHEMA] == schema_hash()
    tree = manifest_tree()

    def hashed() -> str:
        monkeypatch.setattr(crd_definition, "manifest_tree", lambda: tree)
        return schema_hash.__wrapped__()

    seed = tree["properties"]["spec"]["properties"]["tasks"]["properties"]["seed"]
    seed["description"] = "in other words"
    assert hashed() == schema_hash()
    seed["default"] = 1
    assert hashed() != schema_hash()


def test_scale_reads_where_replicas_stand() -> None:
    scale = VERSION["subresources"]["scale"]
    assert SPEC["properties"]["workers"]["default"]["replicas"] == 1
    assert SPEC["properties"]["workers"]["properties"]["replicas"]["default"] == 1
    for path in (scale["statusReplicasPath"], scale["labelSelectorPath"]):
        node = ROOT
        for part in path.strip(".").split("."):
            node = node["properties"][part]
        assert node["type"] in ("integer", "string")
