"""A real API server and `mobilegym run` take the same manifests, and say the same of those they refuse."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from kubernetes import client, config
from kubernetes.client.exceptions import ApiException
from tools.kube.cluster import Cluster, CommandError

from mobilegym.operator import names
from mobilegym.operator.crd import crd
from mobilegym.operator.crd.__main__ import written
from mobilegym.operator.crd.resolve import manifest_tree
from mobilegym.operator.crd.rules import RULES
from mobilegym.operator.view import read
from mobilegym.run.errors import RunError
from mobilegym.run.load import load_run, validate_run

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.yaml"))
Manifest = dict[str, Any]
Told = list[tuple[str, str]]  # path and message of every problem


def manifest(spec: Manifest | None = None, name: str = "a-run") -> Manifest:
    return {
        "apiVersion": f"{names.GROUP}/{names.VERSION}",
        "kind": names.KIND,
        "metadata": {"name": name},
        "spec": {"model": {"preset": "pocket"}} | (spec or {}),
    }


class Runs:
    """The runs of a namespace."""

    def __init__(self, api: client.ApiClient, namespace: str) -> None:
        self.namespace = namespace
        self._where = (names.GROUP, names.VERSION, namespace, names.PLURAL)
        self._api = client.CustomObjectsApi(api)

    def create(self, run: Manifest, dry_run: str | None = None) -> Manifest:
        make = self._api.create_namespaced_custom_object
        return _object(make(*self._where, run, field_validation="Strict", dry_run=dry_run))

    def told(self, run: Manifest) -> Told:
        """What the API server has against it."""
        try:
            self.create(run, dry_run="All")
        except ApiException as error:
            return causes(error)
        return []

    def patch(self, name: str, spec: Manifest) -> None:
        self._api.patch_namespaced_custom_object(*self._where, name, {"spec": spec})

    def patch_status(self, name: str, status: Manifest) -> Manifest:
        return _object(self._api.patch_namespaced_custom_object_status(*self._where, name, {"status": status}))

    def scale(self, name: str) -> Manifest:
        return _object(self._api.get_namespaced_custom_object_scale(*self._where, name))

    def set_scale(self, name: str, replicas: int) -> None:
        self._api.patch_namespaced_custom_object_scale(*self._where, name, {"spec": {"replicas": replicas}})


def _object(answer: Any) -> Manifest:
    assert isinstance(answer, dict)
    return answer


def causes(error: ApiException) -> Told:
    status = json.loads(error.body or "{}")
    found = (status.get("details") or {}).get("causes") or [{"field": "", "message": status["message"]}]
    return [(cause.get("field", ""), cause["message"]) for cause in found]


def local(run: Manifest) -> Told:
    """What `mobilegym run` has against it."""
    try:
        validate_run(copy.deepcopy(run))
    except RunError as error:
        return [(problem.path, problem.message) for problem in error.problems]
    return []


@pytest.fixture(scope="module")
def api(cluster: Cluster) -> Iterator[client.ApiClient]:
    """A client of a cluster that serves the definition."""
    cluster.kubectl("apply", "--server-side", "--force-conflicts", "-f", "-", input=written(crd()))
    cluster.kubectl("wait", "--for=condition=Established", f"crd/{names.PLURAL}.{names.GROUP}")
    with config.new_client_from_config(str(cluster.kubeconfig)) as api:  # type: ignore[no-untyped-call]
        yield api


@pytest.fixture
def runs(api: client.ApiClient, namespace: str) -> Runs:
    return Runs(api, namespace)


@pytest.fixture(scope="module")
def gate(api: client.ApiClient) -> Runs:
    """For what is only asked, and never made."""
    return Runs(api, "default")


# -- rules over several fields: the broken one, its good twin, where and in which words it is told --

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


# -- bounds --


def numbers(path: tuple[str, ...], node: Manifest) -> Iterator[tuple[tuple[str, ...], Manifest]]:
    for name, inner in node.get("properties", {}).items():
        if inner["type"] in ("integer", "number"):
            yield (*path, name), inner
        yield from numbers((*path, name), inner)


def around(node: Manifest) -> Iterator[Any]:
    """Values on both sides of every bound, as an API has them."""
    low = node.get("minimum", node.get("exclusiveMinimum"))
    high = node.get("maximum", node.get("exclusiveMaximum"))
    assert low is not None
    assert high is not None
    if node["type"] == "integer" or node.get("format") == "seconds":
        yield from (int(low) - 1, int(low), int(low) + 1, int(high) - 1, int(high), int(high) + 1)
    else:
        yield from (str(low), "1e-9", str(high), f"{high}.000001", "0.05")


def put(spec: Manifest, path: tuple[str, ...], value: Any) -> Manifest:
    place = spec
    for part in path[:-1]:
        place = place.setdefault(part, {})
    place[path[-1]] = value
    return spec


FIELDS = dict(numbers((), manifest_tree()["properties"]["spec"]))


@pytest.mark.parametrize("path", FIELDS, ids=".".join)
def test_bounds_are_the_same_on_both_sides(path: tuple[str, ...], gate: Runs) -> None:
    for value in around(FIELDS[path]):
        run = manifest(put({"model": {"preset": "pocket"}}, path, value))
        there, here = gate.told(run), local(run)
        assert bool(there) == bool(here), f"{value!r}: {there} {here}"


@pytest.mark.parametrize("value", ["", "-1", "0,5", "1e", "nan", "inf", "0x1", "1e999", "1" * 40, True, None, [], {}])
def test_what_is_no_fraction_is_refused(value: Any, gate: Runs) -> None:
    run = manifest({"algorithm": {"temperature": value}})
    if value is not None:  # the API server takes null for absent
        assert gate.told(run)
    assert local(run)


# -- any combination --


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


# -- what the API server fills in --


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


# -- changes --


@pytest.mark.parametrize(
    ("before", "change", "path"),
    [
        ({"algorithm": {"loss": "dapo"}}, {"algorithm": {"loss": "grpo"}}, "spec.algorithm.loss"),
        ({}, {"workers": {"image": "a:2"}}, "spec.workers.image"),
        ({"workers": {"image": "a:1"}}, {"workers": {"image": "a:2"}}, "spec.workers.image"),
        ({"workers": {"image": "a:1"}}, {"workers": {"image": None}}, "spec.workers.image"),
        ({"learner": {"image": "a:1"}}, {"learner": {"image": "a:2"}}, "spec.learner.image"),
        ({"learner": {"image": "a:1"}}, {"learner": None}, "spec.learner.image"),
    ],
)
def test_image_and_loss_cannot_be_changed(before: Manifest, change: Manifest, path: str, runs: Runs) -> None:
    runs.create(manifest(before))
    runs.patch("a-run", {"algorithm": {"totalSteps": 7}})
    with pytest.raises(ApiException) as refusal:
        runs.patch("a-run", change)
    ((field, words),) = causes(refusal.value)
    assert field == path
    assert "cannot be changed: make another run" in words


def test_scale_keeps_to_its_bounds(runs: Runs) -> None:
    runs.create(manifest({"workers": {"max": 3}}))
    assert runs.scale("a-run")["spec"]["replicas"] == 1
    runs.set_scale("a-run", 3)
    assert runs.scale("a-run")["spec"]["replicas"] == 3
    with pytest.raises(ApiException) as refusal:
        runs.set_scale("a-run", 4)
    assert causes(refusal.value)[0][0] == "spec.workers.replicas"


def test_scale_tells_what_is_there(runs: Runs) -> None:
    runs.create(manifest())
    selector = f"{names.RUN}=a-run"
    runs.patch_status("a-run", {"workers": {"replicas": 1}, "selector": selector})
    assert runs.scale("a-run")["status"] == {"replicas": 1, "selector": selector}


def test_a_status_is_closed(runs: Runs) -> None:
    runs.create(manifest())
    kept = runs.patch_status("a-run", {"phase": "Running", "step": 3, "wat": 1, "learner": {"wat": 1, "node": "n"}})
    assert kept["status"] == {"phase": "Running", "step": 3, "learner": {"node": "n"}}
    with pytest.raises(ApiException):
        runs.patch_status("a-run", {"phase": "Flying"})


def test_kubectl_shows_whether_it_learns(cluster: Cluster, runs: Runs) -> None:
    runs.create(manifest())
    status = {"phase": "Running", "reason": "Learning", "step": 12, "successRate": "0.579", "trajectoriesPerMinute": 41}
    more = {"workers": {"ready": 1}, "policyVersion": 11, "stream": {"depth": 3}, "learner": {"node": "gpu-1"}}
    runs.patch_status("a-run", status | more)
    here = ("--namespace", runs.namespace)
    heads, row = (line.split() for line in cluster.kubectl("get", "mgr", *here, "-o", "wide").splitlines())
    shown = dict(zip(heads, row, strict=True))
    assert shown.pop("AGE")
    assert shown == {
        "NAME": "a-run", "PHASE": "Running", "STEP": "12", "SUCCESS": "0.579", "TRAJ/MIN": "41", "READY": "1",
        "DESIRED": "1", "POLICY": "11", "BUFFER": "3", "NODE": "gpu-1", "REASON": "Learning",
    }  # fmt: skip
    assert "POLICY" not in cluster.kubectl("get", "mobilegymruns", *here)
    assert "mobilegymrun.mobilegym.io/a-run" in cluster.kubectl("get", "all", *here, "-o", "name")


def test_kubectl_says_all_that_is_wrong(cluster: Cluster, gate: Runs) -> None:
    wrong = manifest({"workers": {"min": 3, "max": 2}, "algorithm": {"clipLow": "1.5"}})
    with pytest.raises(CommandError) as said:
        cluster.kubectl("apply", "--namespace", gate.namespace, "-f", "-", input=json.dumps(wrong))
    assert "got 3, must be <= max (2)" in str(said.value)
    assert "got 1.5, must be > 0 and < 1" in str(said.value)


def test_kubectl_explains_fields(cluster: Cluster, api: client.ApiClient) -> None:
    assert "phones" in cluster.kubectl("explain", "mgr.spec.workers")
    assert "successful episodes" in cluster.kubectl("explain", "mgr.status")
