"""Faults of a run whose pods are real: worker, engine, learner, the chart's Redis and operator."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator

import pytest
from tests.chart.release import Release
from tests.chart.test_live import logs
from tests.cluster import faults
from tests.cluster.realrun import RealRun, manifest
from tests.conftest import missing
from tests.kube_fixtures import QUICK, fresh_namespace
from tools.kube.controlplane import ControlPlane
from tools.kube.fleet import Fleet
from tools.kube.local import VALUES
from tools.kube.node import cpu_node
from tools.kube.process import ProcessExecutor

from mobilegym.learner.ledger import read_lines
from mobilegym.phone.build import PhoneBuild
from mobilegym.phone.chromium import find_chromium
from mobilegym.phone.errors import SetupError
from mobilegym.protocol.streams import Audit
from mobilegym.protocol.trace import read_trajectories

STEPS, LONG = 10, 60  # a step may take two seconds, and the run must outlast its faults
PLAYED, EVALUATED = 16, 8  # episodes of a step, of an evaluation

pytestmark = pytest.mark.timeout(1200)  # pods start, several of them twice


@pytest.fixture(scope="module")
def release(cluster: ControlPlane, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Release]:
    """For its own namespace, on a node that runs pods as processes."""
    try:
        find_chromium()
        PhoneBuild.load()
    except SetupError as error:
        missing(str(error))
    executor = ProcessExecutor(tmp_path_factory.mktemp("node"))
    with fresh_namespace(cluster) as namespace, Fleet(cluster, executor, [cpu_node()], backoff=QUICK, resync=2.0):
        found = Release(cluster=cluster, namespace=namespace, name="live")
        watched = ("--set", f"watch.namespace={namespace}", "-f", str(VALUES))
        found.install(*watched, "--wait", "--timeout", "110s")
        yield found
        print(logs(found, "operator"))
        cluster.kubectl("delete", "mgr", "--all", "-n", namespace)
        found.uninstall()


def started(cluster: ControlPlane, release: Release, run: RealRun) -> RealRun:
    run.apply()
    run.wait(lambda: run.phase == "Running", "it runs")
    run.wait_step()
    return run


@pytest.fixture(scope="module")
def run(cluster: ControlPlane, release: Release) -> RealRun:
    """Small, and in its first steps; the tests go through its faults in their order."""
    return started(cluster, release, RealRun(cluster, release, manifest("faults", STEPS)))


@pytest.fixture(scope="module")
def long_run(cluster: ControlPlane, release: Release) -> RealRun:
    return started(cluster, release, RealRun(cluster, release, manifest("long", LONG)))


def tell(what: str, seconds: float) -> None:
    print(f"{what}: {seconds:.1f} s")


def failures(run: RealRun) -> tuple[int, int]:
    learner = run.status["learner"]
    return learner["failures"], learner["preemptions"]


def audit_of(run: RealRun) -> Audit:
    """Of what its streams hold now."""
    return run.ask(lambda streams: streams.audit())


def check_streams(run: RealRun) -> None:
    assert audit_of(run).faults == ()
    assert run.status["stream"]["lost"] == 0


def check_kept(before: Audit, run: RealRun) -> None:
    """What Redis had answered to is still there: a process that is killed leaves its file as it was written."""
    now = audit_of(run)
    assert before.issued <= now.issued
    assert before.trained <= now.trained
    assert before.discarded <= now.discarded


def check_end(run: RealRun, steps: int) -> None:
    """Every episode is trained once or discarded with a reason, and the books agree."""
    run.wait(lambda: run.phase == "Succeeded", "it succeeds")
    audit, counters = audit_of(run), run.ask(lambda streams: streams.counters())
    assert audit.faults == ()
    assert audit.open == frozenset()
    assert counters.lost == 0
    assert len(audit.issued) == steps * PLAYED + 2 * EVALUATED
    ledger = read_lines(run.folder / "ledger.jsonl")
    times = Counter(id for line in ledger for id in line.trained)
    assert set(times) == audit.trained
    assert set(times.values()) == {1}
    assert all(reason for line in ledger for reason in line.discarded.values())
    assert run.steps() == list(range(1, steps + 1))
    assert [line["version"] for line in run.lines("eval")] == [0, steps]
    assert not list((run.folder / "checkpoints").glob("tmp-*"))


# -- in every `make test` --


def test_a_killed_worker_is_started_again_and_its_groups_are_completed(run: RealRun) -> None:
    tell("worker ready after its kill", faults.kill_worker(run))
    run.wait_step()
    check_streams(run)


def test_a_learner_killed_in_a_step_goes_on_from_its_checkpoint(run: RealRun) -> None:
    before, steps = failures(run), run.steps()
    tell("learner ready after its kill", faults.kill_learner_in_a_step(run))
    run.wait_step()
    assert failures(run) == (before[0] + 1, before[1])
    assert run.steps()[: len(steps)] == steps
    check_streams(run)


def test_redis_killed_or_away_for_a_while_restarts_no_pod(run: RealRun) -> None:
    lives, held = run.lives(), audit_of(run)
    tell("an episode after Redis was killed and back", faults.kill_redis(run))
    check_kept(held, run)
    held = audit_of(run)
    tell("an episode after Redis was away and back", faults.take_redis_away(run, 1))
    check_kept(held, run)
    run.wait(lambda: run.condition("StreamReady") == "True", "StreamReady is True")
    assert run.lives() == lives, run.words()
    check_streams(run)


def test_suspended_in_a_step_it_goes_on_and_succeeds(run: RealRun) -> None:
    run.wait(lambda: run.doing() == "training", "it trains", every=faults.MOMENT)
    before = failures(run)
    run.suspend(True)
    run.wait(lambda: run.phase == "Suspended", "it is suspended")
    assert run.pods() == {}
    assert failures(run)[0] == before[0]
    check_streams(run)
    run.suspend(False)
    check_end(run, STEPS)


# -- in `make nightly` --


@pytest.mark.slow
def test_a_worker_deleted_by_hand_drains_and_is_replaced(long_run: RealRun) -> None:
    before = {trajectory.id for trajectory in read_trajectories(long_run.folder)}
    tell("another worker ready after a deletion", faults.delete_worker(long_run))
    long_run.wait_step(2)
    check_streams(long_run)
    later = [trajectory for trajectory in read_trajectories(long_run.folder) if trajectory.id not in before]
    assert {trajectory.attempt for trajectory in later} == {1}  # what a killed worker played has a second one


@pytest.mark.slow
def test_a_learner_killed_in_a_checkpoint_goes_on_from_the_one_before(long_run: RealRun) -> None:
    before = failures(long_run)
    faults.kill_learner_in_a_checkpoint(long_run)
    long_run.wait_step()
    assert failures(long_run)[1] == before[1]
    assert failures(long_run)[0] > 0
    check_streams(long_run)


@pytest.mark.slow
def test_an_evicted_learner_is_preempted_and_has_not_failed(long_run: RealRun) -> None:
    before = failures(long_run)
    faults.evict_learner(long_run)
    long_run.wait_step()
    assert failures(long_run) == (before[0], before[1] + 1)
    check_streams(long_run)


@pytest.mark.slow
def test_redis_away_for_a_minute_restarts_no_pod(long_run: RealRun) -> None:
    lives, held = long_run.lives(), audit_of(long_run)
    tell("an episode after Redis was away for 60 s", faults.take_redis_away(long_run, 60))
    check_kept(held, long_run)
    long_run.wait(lambda: long_run.condition("StreamReady") == "True", "StreamReady is True")
    long_run.wait_step()
    assert long_run.lives() == lives, long_run.words()
    check_streams(long_run)


@pytest.mark.slow
def test_an_operator_that_takes_over_leaves_the_pods_as_they_are(long_run: RealRun) -> None:
    lives = long_run.lives()
    tell("another operator leads", faults.replace_operator(long_run))
    long_run.wait_step()
    shown = long_run.status["step"]
    long_run.wait(lambda: long_run.status["step"] > shown, "the new operator writes the status")
    assert long_run.lives() == lives


@pytest.mark.slow
def test_after_all_faults_it_succeeds(long_run: RealRun) -> None:
    check_end(long_run, LONG)


@pytest.mark.slow
def test_with_the_engine_as_a_sidecar_it_runs_as_well(cluster: ControlPlane, release: Release) -> None:
    run = RealRun(cluster, release, manifest("split", 2, layout="split"))
    run.apply()
    run.wait(lambda: run.phase == "Running", "it runs")
    (engine,) = run.get("pods", run.learner)["status"]["initContainerStatuses"]
    assert engine["ready"], json.dumps(engine)
    check_end(run, 2)
    ended = run.get("pods", run.learner)["status"]
    assert [one["state"]["terminated"]["exitCode"] for one in ended["containerStatuses"]] == [0]
