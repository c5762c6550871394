"""A pod of the API server, reduced to facts."""

from typing import Any

import pytest

from mobilegym.operator.ailments import ailment, worst
from mobilegym.operator.facts import pod
from mobilegym.operator.observed import Refusal
from mobilegym.operator.status import Reason


def obj(status: dict[str, Any], part: str = "worker", **meta: Any) -> dict[str, Any]:
    labels = {"mobilegym.io/run": "r", "mobilegym.io/part": part}
    if part == "worker":
        labels["mobilegym.io/index"] = "3"
    name = "r-worker-3" if part == "worker" else "r-learner"
    base = {"name": name, "uid": "u", "creationTimestamp": "2026-01-01T00:00:00Z", "labels": labels}
    return {"metadata": base | meta, "spec": {"nodeName": "n1"}, "status": status}


def waiting(reason: str, message: str = "") -> dict[str, Any]:
    state = {"waiting": {"reason": reason, "message": message}}
    return {"phase": "Pending", "containerStatuses": [{"name": "worker", "restartCount": 0, "state": state}]}


def test_a_running_pod() -> None:
    found = pod(
        obj(
            {
                "phase": "Running",
                "conditions": [{"type": "Ready", "status": "True"}],
                "containerStatuses": [{"name": "worker", "restartCount": 1, "state": {"running": {}}}],
            }
        )
    )
    assert (found.index, found.ready, found.scheduled, found.restarts, found.alive) == (3, True, True, 1, True)
    assert found.created == 1_767_225_600.0


def test_how_its_container_ended_last_is_kept_while_it_runs_again() -> None:
    state: dict[str, Any] = {"running": {}}
    last = {"terminated": {"exitCode": 137}}
    status = {"containerStatuses": [{"name": "worker", "restartCount": 1, "state": state, "lastState": last}]}
    assert pod(obj(status)).exit_code == 137


@pytest.mark.parametrize("reason", ["Evicted", "Preempting", "NodeShutdown"])
def test_an_eviction_is_a_disruption(reason: str) -> None:
    assert pod(obj({"phase": "Failed", "reason": reason})).disrupted


def test_the_condition_of_a_drain_is_a_disruption() -> None:
    assert pod(obj({"phase": "Failed", "conditions": [{"type": "DisruptionTarget", "status": "True"}]})).disrupted


def test_a_terminating_pod_of_a_silent_node() -> None:
    taken_back = [{"type": "ContainersReady", "status": "True"}, {"type": "Ready", "status": "False"}]
    found = pod(obj({"phase": "Running", "conditions": taken_back}, deletionTimestamp="2026-01-01T00:01:00Z"))
    assert (found.terminating, found.node_lost, found.alive) == (True, True, False)


def test_a_pod_whose_kubelet_says_that_it_is_not_ready_is_not_lost() -> None:
    told = [{"type": "ContainersReady", "status": "False"}, {"type": "Ready", "status": "False"}]
    assert not pod(obj({"phase": "Running", "conditions": told})).node_lost


def test_a_sidecar_that_waits_tells_why_the_learner_does() -> None:
    sidecar = {"name": "engine", "state": {"waiting": {"reason": "ErrImagePull", "message": "no such image"}}}
    main = {"name": "learner", "restartCount": 0, "state": {"waiting": {"reason": "PodInitializing"}}}
    found = pod(obj({"initContainerStatuses": [sidecar], "containerStatuses": [main]}, part="learner"))
    assert (found.waiting, found.message) == ("ErrImagePull", "no such image")


CASES = [
    (waiting("ImagePullBackOff", "no such image x/y"), Reason.IMAGE_UNAVAILABLE, "no such image x/y"),
    (waiting("CreateContainerConfigError", 'secret "s" not found'), Reason.SETUP_WRONG, 'secret "s" not found'),
    (
        {
            "containerStatuses": [
                {
                    "name": "worker",
                    "restartCount": 4,
                    "state": {"waiting": {"reason": "CrashLoopBackOff"}},
                    "lastState": {"terminated": {"exitCode": 1}},
                }
            ]
        },
        Reason.CRASH_LOOP,
        "ended 4 times, last exit 1: kubectl logs r-worker-3 --previous",
    ),
]


@pytest.mark.parametrize(("status", "reason", "words"), CASES, ids=[str(c[1]) for c in CASES])
def test_what_ails_a_pod_is_told_with_the_next_step(status: dict[str, Any], reason: Reason, words: str) -> None:
    found = ailment(pod(obj(status)))
    assert found is not None
    assert found[0] is reason
    assert words in found[1]


def test_a_pod_no_node_takes() -> None:
    condition = {
        "type": "PodScheduled",
        "status": "False",
        "reason": "Unschedulable",
        "message": "0/1 nodes are available: 1 Insufficient nvidia.com/gpu.",
    }
    unbound = obj({"phase": "Pending", "conditions": [condition]}) | {"spec": {}}
    found = ailment(pod(unbound))
    assert found is not None
    assert found[0] is Reason.UNSCHEDULABLE
    assert "Insufficient nvidia.com/gpu" in found[1]


def test_a_pod_that_starts_is_well() -> None:
    assert ailment(pod(obj(waiting("ContainerCreating")))) is None


def test_the_most_telling_ailment_speaks_for_all_like_it() -> None:
    pods = [pod(obj(waiting("ImagePullBackOff", "gone"))) for _ in range(3)]
    found = worst(pods, None)
    assert found is not None
    assert "and 2 more like it" in found[1]


def test_a_refusal_of_the_api_server_comes_first() -> None:
    refusal = Refusal(at=0.0, what="Pod/r-worker-1", reason="Forbidden", message="exceeded quota: q", quota=True)
    found = worst([pod(obj(waiting("ImagePullBackOff")))], refusal)
    assert found is not None
    assert found[0] is Reason.QUOTA_EXCEEDED
