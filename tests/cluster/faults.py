"""Faults of a run on a cluster. Each returns when the run is over it, and gives the seconds that took."""

from __future__ import annotations

import json
import time
from collections.abc import Callable

from tests.cluster.containers import kill_container, kill_program, kill_redis_at
from tests.cluster.realrun import RealRun, goes_on, restarts
from tools.kube.wait import until

from mobilegym.operator import names

MOMENT = 0.03  # seconds between two looks for a short moment


def kill_worker(run: RealRun) -> float:
    """Its container's processes, while it plays; until its phones are open again."""
    name = run.worker()
    run.wait(run.leased, "an episode is played", every=MOMENT)
    uid, before = run.lives()[name]
    kill_container(uid, names.WORKER)
    return timed(run, lambda: run.is_up(name) and run.lives()[name] == (uid, before + 1), f"{name} is ready again")


def delete_worker(run: RealRun) -> float:
    """By hand, while it plays; until another one is ready and the first one gone."""
    name = run.worker()
    run.wait(run.leased, "an episode is played", every=MOMENT)
    uid = run.lives()[name][0]
    run.kubectl("delete", "pod", name, "--wait=false")

    def replaced() -> bool:
        workers = {pod["metadata"]["uid"]: pod for other, pod in run.pods().items() if other != run.learner}
        return uid not in workers and any(map(goes_on, workers.values()))

    return timed(run, replaced, f"another worker than {name}")


def kill_learner_in_a_step(run: RealRun) -> float:
    """The learner's own process, while it trains; until another pod has published a policy."""
    run.wait(lambda: run.doing() == "training", "it trains", every=MOMENT)
    uid = run.lives()[run.learner][0]
    kill_program(uid, names.LEARNER, "mobilegym.learner")
    return timed(run, lambda: another_learner(run, uid), "another learner")


def kill_learner_in_a_checkpoint(run: RealRun) -> float:
    """The whole container, while a checkpoint is half written."""
    uid = run.lives()[run.learner][0]
    checkpoints = run.folder / "checkpoints"
    run.wait(lambda: any(checkpoints.glob("tmp-*/*")), "a checkpoint is written", every=0.003)
    kill_container(uid, names.LEARNER)
    return timed(run, lambda: another_learner(run, uid), "another learner")


def evict_learner(run: RealRun) -> float:
    uid = run.lives()[run.learner][0]
    place = f"/api/v1/namespaces/{run.namespace}/pods/{run.learner}/eviction"
    eviction = {"apiVersion": "policy/v1", "kind": "Eviction", "metadata": {"name": run.learner}}
    run.kubectl("create", "--raw", place, "-f", "-", input=json.dumps(eviction))
    return timed(run, lambda: another_learner(run, uid), "another learner")


def kill_redis(run: RealRun) -> float:
    """Its process; until an episode more is played."""
    pod = f"{run.release.name}-redis-0"
    found = run.get("pods", pod)
    kill_redis_at(found["status"]["podIP"])
    run.wait(lambda: restarts(run.get("pods", pod)) > restarts(found) and run.is_up(pod), "Redis answers")
    return until_it_plays(run)


def take_redis_away(run: RealRun, seconds: float) -> float:
    """Its pod, for so long and until the operator has said it; from its return until an episode more is played."""
    lives, gone = run.lives(), time.monotonic()
    scale_redis(run, 0)
    try:
        run.wait(lambda: run.condition("StreamReady") == "False", "StreamReady is False")
        until(lambda: time.monotonic() - gone > seconds or run.lives() != lives, "its absence", seconds=2 * seconds + 1)
        assert run.lives() == lives, run.words()
    finally:
        scale_redis(run, 1)
    run.wait(lambda: run.is_up(f"{run.release.name}-redis-0"), "Redis answers")
    return until_it_plays(run)


def scale_redis(run: RealRun, replicas: int) -> None:
    run.kubectl("scale", "statefulset", f"{run.release.name}-redis", f"--replicas={replicas}")


def replace_operator(run: RealRun) -> float:
    """Its pod is killed and forgotten; until another one leads, which waits for the Lease to run out."""
    (name,) = (pod["metadata"]["name"] for pod in run.release.get("pods", "", "-l", OPERATOR))
    run.kubectl("delete", "pod", name, "--grace-period=0", "--force")

    def led() -> bool:
        lease = run.reader.get(f"/apis/coordination.k8s.io/v1/namespaces/{run.namespace}/leases/mobilegym-operator")
        return bool(lease["spec"].get("holderIdentity", name) != name)

    return timed(run, led, "another operator leads")


OPERATOR = "app.kubernetes.io/component=operator"


def timed(run: RealRun, look: Callable[[], bool], what: str) -> float:
    began = time.monotonic()
    run.wait(look, what)
    return time.monotonic() - began


def another_learner(run: RealRun, uid: str) -> bool:
    found = run.get("pods", run.learner)
    return bool(found) and found["metadata"]["uid"] != uid and goes_on(found)


def until_it_plays(run: RealRun) -> float:
    """Seconds from now."""
    began, before = time.monotonic(), run.wait(lambda: run.played() + 1, "the streams answer") - 1
    run.wait(lambda: run.played() > before, "an episode more")
    return time.monotonic() - began
