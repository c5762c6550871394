"""A run's life, told as stories."""

from typing import Any

import pytest
from tests.operator.cluster_sim import Sim, manifest

from mobilegym.operator.conditions import rfc3339
from mobilegym.operator.observed import Advice, Numbers, Refusal
from mobilegym.operator.plan import Plan

LEARNER = "r-learner"


def nothing(plan: Plan) -> bool:
    return not (plan.delete or plan.notes or plan.replicas or plan.delete_run or any(map(is_pod, plan.apply)))


def is_pod(wanted: dict[str, Any]) -> bool:
    return bool(wanted["kind"] == "Pod")


def test_a_new_run_gets_a_learner_workers_and_what_they_need() -> None:
    sim = Sim()
    sim.look()
    assert set(sim.pods) == {LEARNER, "r-worker-0", "r-worker-1"}
    kinds = {kind for kind, _ in sim.children}
    assert {"ConfigMap", "Secret", "Service", "ServiceAccount", "PersistentVolumeClaim"} <= kinds
    assert sim.phase == "Pending"


def test_a_run_whose_learner_is_ready_is_running() -> None:
    sim = Sim().running()
    assert sim.phase == "Running"
    assert sim.condition("LearnerReady")[0] == sim.condition("WorkersReady")[0] == "True"
    assert sim.status["workers"] == {"desired": 2, "replicas": 2, "ready": 2, "busy": 0, "draining": 0, "failed": 0}


def test_looked_at_again_nothing_is_done_and_the_status_is_the_same() -> None:
    sim = Sim().running()
    sim.look()
    before = sim.status
    assert nothing(sim.look())
    assert sim.status == before


def test_an_operator_that_starts_anew_and_has_not_asked_redis_changes_nothing() -> None:
    sim = Sim().running()
    sim.beat(phase="training", step=3, version=3, success=0.5, busy={"r-worker-0": 4})
    sim.look()
    sim.look()
    before = sim.status
    sim.numbers, sim.advice = None, Advice()
    assert nothing(sim.look())
    assert sim.status == before


def test_the_status_answers_whether_it_learns() -> None:
    sim = Sim().running()
    sim.beat(phase="training", step=25, version=25, success=0.5, reward=0.625, eval_success=0.41)
    sim.advice = Advice(trajectories_per_minute=95.6, starved=False, starved_words="waits 2 %")
    sim.look()
    status = sim.status
    assert (status["step"], status["totalSteps"], status["progressPercentage"]) == (25, 100, 25)
    assert (status["successRate"], status["rewardMean"], status["heldOutSuccessRate"]) == ("0.500", "0.625", "0.410")
    assert status["trajectoriesPerMinute"] == 96
    assert status["message"] == "step 25 of 100, training"


def test_any_pod_that_goes_is_replaced() -> None:
    sim = Sim().running()
    del sim.pods["r-worker-0"], sim.pods[LEARNER]
    sim.look()
    assert set(sim.pods) == {LEARNER, "r-worker-0", "r-worker-1"}


def test_scaling_down_drains_the_least_busy() -> None:
    sim = Sim().running()
    sim.beat(step=0, busy={"r-worker-0": 0, "r-worker-1": 8})
    sim.edit(workers={"replicas": 1})
    sim.look()
    assert sim.pods["r-worker-0"].terminating
    assert not sim.pods["r-worker-1"].terminating


# -- suspend --


def test_suspending_ends_all_pods_and_resuming_brings_them_back() -> None:
    sim = Sim().running()
    sim.edit(suspend=True)
    sim.look()
    assert sim.phase == "Suspending"
    assert all(pod.terminating for pod in sim.pods.values())
    sim.start_pods()
    sim.look()
    assert (sim.phase, sim.pods) == ("Suspended", {})
    assert sim.condition("Suspended")[:2] == ("True", "Asked")
    sim.edit(suspend=False)
    sim.look()
    assert set(sim.pods) == {LEARNER, "r-worker-0", "r-worker-1"}


def test_a_run_that_begins_suspended_has_no_pods() -> None:
    sim = Sim(run=manifest(suspend=True))
    sim.look()
    assert (sim.phase, sim.pods) == ("Suspended", {})


def test_the_learner_that_ends_by_a_suspension_is_no_failure() -> None:
    sim = Sim().running()
    sim.edit(suspend=True)
    sim.look()
    sim.end(LEARNER, 75)
    sim.look()
    sim.start_pods()
    sim.look()
    assert sim.phase == "Suspended"
    assert sim.status["learner"]["failures"] == 0


def test_flapping_waits_for_the_name_and_ends_where_it_was_left() -> None:
    sim = Sim().running()
    for suspend in (True, False, True, False):
        sim.edit(suspend=suspend)
        sim.look()
    assert sim.pods[LEARNER].terminating
    sim.start_pods()
    sim.look()
    sim.start_pods()
    sim.look()
    assert sim.phase == "Running"
    assert sum(pod.part == "worker" for pod in sim.pods.values()) == 2


def test_a_suspension_stops_the_running_deadline() -> None:
    sim = Sim(run=manifest(activeDeadlineSeconds=100)).running()
    sim.now += 60
    sim.edit(suspend=True)
    sim.look()
    sim.start_pods()
    sim.look()
    sim.now += 10_000
    sim.edit(suspend=False)
    sim.look()
    assert sim.phase == "Pending"
    assert sim.status["suspendedSeconds"] == 10_000
    sim.now += 41
    sim.look()
    assert sim.condition("Failed")[:2] == ("True", "ActiveDeadlineExceeded")


# -- the end --


def test_a_learner_that_is_done_completes_the_run_and_its_workers_go() -> None:
    sim = Sim().running()
    sim.beat(step=100, phase="done")
    sim.end(LEARNER, 0)
    sim.look()
    assert sim.phase == "Succeeded"
    assert sim.condition("Complete")[:2] == ("True", "AllStepsTaken")
    sim.start_pods()
    sim.look()
    assert set(sim.pods) == {LEARNER}  # for its log


def test_workers_that_drain_at_the_end_are_not_replaced() -> None:
    sim = Sim().running()
    sim.beat(step=100, phase="done")
    sim.end("r-worker-0", 0)
    sim.look()
    assert {pod.name for pod in sim.pods.values() if pod.part == "worker"} == {"r-worker-1"}


def test_delete_all_takes_the_learners_pod_too() -> None:
    sim = Sim(run=manifest(cleanupPolicy="DeleteAll")).running()
    sim.end(LEARNER, 0)
    sim.look()
    sim.start_pods()
    sim.look()
    assert sim.pods == {}


def test_keep_all_keeps_the_workers() -> None:
    sim = Sim(run=manifest(cleanupPolicy="KeepAll")).running()
    sim.end(LEARNER, 0)
    sim.look()
    assert len(sim.pods) == 3


def test_a_finished_run_is_deleted_when_its_time_is_over() -> None:
    sim = Sim(run=manifest(ttlSecondsAfterFinished=60)).running()
    sim.end(LEARNER, 0)
    assert sim.look().again_after == 60
    sim.now += 59
    sim.look()
    assert not sim.gone
    sim.now += 1
    sim.look()
    assert sim.gone


def test_what_a_run_failed_of_stays_written() -> None:
    sim = Sim(run=manifest(learner={"backoffLimit": 0})).running()
    sim.end(LEARNER, 3)
    sim.look()
    before = sim.condition("Failed")
    assert before[:2] == ("True", "BackoffLimitExceeded")
    sim.now += 100
    sim.look()
    assert (sim.phase, sim.condition("Failed")) == ("Failed", before)


def test_a_learner_that_never_trains_fails_the_run_at_its_deadline() -> None:
    sim = Sim(run=manifest(learner={"startupDeadlineSeconds": 120}))
    sim.look()
    sim.now += 119
    sim.look()
    assert sim.phase == "Pending"
    sim.now += 2
    sim.look()
    assert sim.condition("Failed")[:2] == ("True", "StartupDeadlineExceeded")
    assert sim.pods == {}


def test_once_it_has_trained_the_startup_deadline_is_over() -> None:
    sim = Sim(run=manifest(learner={"startupDeadlineSeconds": 120})).running()
    sim.now += 10_000
    sim.end(LEARNER, 75)
    sim.look()
    sim.look()
    assert sim.phase == "Pending" or sim.phase == "Starting"


# -- failures --


def test_a_failed_learner_starts_again_after_its_delay_and_is_counted_before_it_goes() -> None:
    sim = Sim().running()
    sim.end(LEARNER, 1)
    first = sim.look()
    assert first.status_first
    assert sim.status["learner"]["failures"] == 1
    assert sim.condition("LearnerReady")[1] == "Restarting"
    sim.now += 6
    sim.look()
    sim.look()
    assert sim.pods[LEARNER].phase == "Pending"
    assert sim.status["learner"]["failures"] == 1


def test_a_preempted_learner_starts_again_at_once() -> None:
    sim = Sim().running()
    sim.end(LEARNER, 137, disrupted=True)
    sim.look()
    sim.look()
    assert sim.pods[LEARNER].phase == "Pending"
    assert (sim.status["learner"]["failures"], sim.status["learner"]["preemptions"]) == (0, 1)
    assert "Preempted" in sim.notes


def test_unreachable_redis_is_told_and_the_last_numbers_stay() -> None:
    sim = Sim().running()
    sim.beat(step=7, phase="training", success=0.25)
    sim.look()
    sim.numbers = Numbers(at=sim.now, error="redis:6379 refuses the connection")
    sim.look()
    assert sim.condition("StreamReady")[:2] == ("False", "RedisUnreachable")
    assert (sim.status["step"], sim.status["successRate"]) == (7, "0.250")
    assert sim.phase == "Running"


def test_without_its_redis_secret_nothing_is_made() -> None:
    stream = {"redisSecret": {"name": "mine"}}
    sim = Sim(run=manifest(stream=stream), redis_urls=None)
    sim.look()
    assert sim.pods == {}
    state, reason, words = sim.condition("StreamReady")
    assert (state, reason) == ("False", "RedisSecretMissing")
    assert "Secret mine with the key url" in words


def test_a_quota_is_told_in_its_own_words() -> None:
    sim = Sim()
    sim.refusal = Refusal(
        at=sim.now, what="Pod/r-worker-1", reason="Forbidden", message="exceeded quota: q", quota=True
    )
    sim.look()
    del sim.pods["r-worker-1"]
    sim.look()
    assert sim.condition("WorkersReady")[:2] == ("False", "QuotaExceeded")
    assert "exceeded quota: q" in sim.condition("WorkersReady")[2]


def test_a_manifest_that_the_platform_does_not_take_is_left_alone() -> None:
    sim = Sim().running()
    pods = dict(sim.pods)
    sim.edit(algorithm={"groupSize": 1})
    sim.look()
    assert sim.pods == pods
    state, reason, words = sim.condition("Validated")
    assert (state, reason) == ("False", "Invalid")
    assert "spec.algorithm.groupSize" in words


def test_a_run_of_another_controller_is_not_touched() -> None:
    sim = Sim(run=manifest(managedBy="kueue.x-k8s.io/multikueue"))
    assert sim.look() == Plan()


def test_a_run_that_is_being_deleted_is_not_touched() -> None:
    sim = Sim().running()
    sim.run["metadata"]["deletionTimestamp"] = rfc3339(sim.now)
    assert sim.look() == Plan()


def test_a_stalled_run_says_for_how_long() -> None:
    sim = Sim(run=manifest(learner={"stallSeconds": 600})).running()
    sim.beat(step=4, phase="training")
    sim.look()
    sim.now += 1200
    sim.beat(step=4, phase="training")
    sim.look()
    assert sim.condition("Progressing")[:2] == ("False", "Stalled")
    assert "step 4 of 100 for 20 minutes" in sim.condition("Progressing")[2]


# -- scaling and changes --


def test_the_autoscalers_advice_goes_to_the_scale_and_is_written_down() -> None:
    spec = manifest(workers={"replicas": 2, "min": 1, "max": 8}, autoscaling={"enabled": True})
    sim = Sim(run=spec).running()
    sim.advice = Advice(replicas=4, reason="Starving", words="")
    assert sim.look().replicas == 4
    sim.look()
    assert sum(pod.part == "worker" for pod in sim.pods.values()) == 4
    assert sim.status["autoscaler"]["recommended"] == 4
    assert "Scaled" in sim.notes


def test_scaling_and_suspending_do_not_restart_what_stays() -> None:
    sim = Sim().running()
    uids = {name: pod.uid for name, pod in sim.pods.items()}
    sim.edit(workers={"replicas": 3})
    sim.look()
    sim.start_pods()
    sim.look()
    assert {name: sim.pods[name].uid for name in uids} == uids


def test_a_changed_algorithm_restarts_the_learner_and_rolls_the_workers() -> None:
    sim = Sim().running()
    sim.edit(algorithm={"totalSteps": 50})
    sim.look()
    assert sim.pods[LEARNER].terminating
    assert sum(pod.terminating for pod in sim.pods.values() if pod.part == "worker") == 1


@pytest.mark.parametrize("sandbox", ["UserNamespace", "Disabled"])
def test_a_phone_without_a_sandbox_is_warned_of(sandbox: str) -> None:
    sim = Sim(run=manifest(workers={"sandbox": sandbox}))
    sim.look()
    assert ("SandboxDisabled" in sim.notes) == (sandbox == "Disabled")
