"""What the API server fills in is what `mobilegym run` takes for granted."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from tests.operator.crd.runs import Runs, local, manifest
from tools.kube.cluster import Cluster

from mobilegym.operator.view import read
from mobilegym.run.load import load_run, validate_run

EXAMPLES = sorted((Path(__file__).parents[3] / "examples").glob("*.yaml"))


def test_defaults_are_the_same_on_both_sides(runs: Runs) -> None:
    run, problems = read(runs.create(manifest()))
    assert problems == ""
    assert run is not None
    assert run.spec == validate_run(manifest()).spec


def test_defaults_fill_in_parts_that_are_given_in_part(runs: Runs) -> None:
    given = {"workers": {"replicas": 2}, "learner": {"checkpoint": {"size": 5}}, "autoscaling": {}}
    created = runs.create(manifest(given))
    assert created["spec"]["learner"]["checkpoint"] == {"size": 5, "interval": 1, "keepLast": 2, "ephemeral": False}
    assert created["spec"]["algorithm"]["learningRate"] == "1e-6"
    run, _ = read(created)
    assert run is not None
    assert run.spec == validate_run(manifest(given)).spec


def test_quantities_may_be_whole_numbers(gate: Runs) -> None:
    resources = {"requests": {"cpu": 4, "memory": "8Gi"}, "limits": {"nvidia.com/gpu": "1"}}
    run = manifest({"workers": {"resources": resources}})
    assert gate.told(run) == local(run) == []
    for wrong in ("4 cores", -1, 1.5, True):
        run = manifest({"workers": {"resources": {"requests": {"cpu": wrong}}}})
        assert gate.told(run), wrong
        assert local(run), wrong


def test_unknown_keys_are_refused_at_every_depth(gate: Runs) -> None:
    for spec in ({"seed": 1}, {"workers": {"replica": 1}}, {"learner": {"checkpoint": {"every": 1}}}):
        assert "unknown field" in gate.told(manifest(spec))[0][1]
        assert "unknown key" in local(manifest(spec))[0][1]


@pytest.mark.parametrize("file", EXAMPLES, ids=lambda file: file.stem)
def test_every_example_is_taken_by_both(file: Path, runs: Runs) -> None:
    there, problems = read(runs.create(yaml.safe_load(file.read_text())))
    assert problems == ""
    assert there is not None
    assert there.spec == load_run(file).spec


@pytest.mark.parametrize("file", EXAMPLES, ids=lambda file: file.stem)
def test_kubectl_applies_every_example(file: Path, cluster: Cluster, gate: Runs) -> None:
    """kubectl reads YAML in its own way: what looks like a number is one."""
    said = cluster.kubectl("apply", "--dry-run=server", "--namespace", gate.namespace, "-f", str(file))
    assert said == f"mobilegymrun.mobilegym.io/{file.stem} created (server dry run)\n"
