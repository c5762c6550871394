"""A run as kubectl shows it."""

from __future__ import annotations

import json

import pytest
from tests.operator.crd.runs import Runs, manifest
from tools.kube.cluster import Cluster, CommandError


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


def test_kubectl_explains_fields(cluster: Cluster, gate: Runs) -> None:
    assert "phones" in cluster.kubectl("explain", "mgr.spec.workers")
    assert "successful episodes" in cluster.kubectl("explain", "mgr.status")
