"""What may change in a run on a cluster, and what its status may hold."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from kubernetes.client.exceptions import ApiException
from tests.operator.cluster_sim import Sim
from tests.operator.crd.runs import Manifest, Runs, causes, manifest

from mobilegym.operator import names
from mobilegym.operator.observed import Advice


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


def stages() -> Iterator[Manifest]:
    """What the operator writes in a run's life."""
    sim = Sim().running()
    sim.edit(autoscaling={"enabled": True}, workers={"replicas": 2, "min": 1, "max": 4})
    learns = {"step": 5, "version": 5, "success": 0.5, "eval_success": 0.4, "reward": 0.3}
    saved = {"checkpoint_step": 4, "last_checkpoint": sim.now}
    sim.beat(busy={"r-worker-0": 3}, phase="training", stale=2, **learns, **saved)
    sim.advice = Advice(replicas=3, reason="Starving", trajectories_per_minute=41.2)
    sim.look()
    yield sim.status
    sim.end("r-learner", 1)
    sim.look()
    yield sim.status
    sim.edit(suspend=True)
    sim.look()
    yield sim.status
    sim.start_pods()
    sim.look()
    sim.edit(suspend=False)
    sim.look()
    yield sim.status
    done = Sim().running()
    done.end("r-learner", 0)
    done.look()
    yield done.status


def test_whatever_the_operator_says_is_kept(runs: Runs) -> None:
    phases = []
    for number, status in enumerate(stages()):
        runs.create(manifest(name=f"stage-{number}"))
        assert runs.patch_status(f"stage-{number}", status)["status"] == status
        phases.append(status["phase"])
    assert phases[0] == "Running"
    assert phases[-1] == "Succeeded"
