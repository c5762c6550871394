"""Every part of a real run is killed in turn, then the run is stopped and resumed: nothing is lost or done twice."""

from __future__ import annotations

import signal
from collections import Counter
from collections.abc import Iterator

import pytest
from click.testing import CliRunner
from tests.conftest import missing
from tests.run_faults.story import WORDS, Run

from mobilegym.cli.main import main
from mobilegym.learner.ledger import read_lines
from mobilegym.phone.build import PhoneBuild
from mobilegym.phone.chromium import find_chromium
from mobilegym.phone.errors import SetupError
from mobilegym.pocket.model import build

STEPS, PROMPTS, GROUP, EVALUATION = 6, 2, 4, 4
MANIFEST = f"""\
apiVersion: mobilegym.io/v1alpha1
kind: MobileGymRun
metadata: {{name: faults}}
spec:
  tasks: {{include: [clock.toggle-alarm, clock.all-alarms-off]}}
  model: {{preset: pocket, path: MODEL}}
  algorithm:
    totalSteps: {STEPS}
    promptsPerStep: {PROMPTS}
    groupSize: {GROUP}
    episodeSteps: 4
    maxTokens: 6
    learningRate: 1e-4
    trainVision: false
    evalEvery: 0
    evalEpisodes: {EVALUATION}
  workers:
    replicas: 2
    phonesPerWorker: 2
    stepDeadlineSeconds: 40
    episodeDeadlineSeconds: 90
    drainSeconds: 5
  stream: {{capacity: 64, claimIdleSeconds: 41}}
  learner: {{checkpoint: {{interval: 1, keepLast: 2}}, backoffLimit: 5}}
"""

pytestmark = pytest.mark.timeout(900)  # whole processes start, several of them twice


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Run]:
    """Browser, worker, engine, learner and Redis are killed, then Ctrl-C, then --resume."""
    try:
        find_chromium()
        PhoneBuild.load()
    except SetupError as error:
        missing(str(error))
    base = tmp_path_factory.mktemp("faults")
    build(base / "model", 0, WORDS)
    manifest = base / "run.yaml"
    manifest.write_text(MANIFEST.replace("MODEL", str(base / "model")))
    run = Run("faults", base / "run", manifest)
    try:
        kill_everything(run)
        stop_and_resume(run)
        yield run
    finally:
        if run.process is not None and run.process.poll() is None:
            run.process.send_signal(signal.SIGTERM)
            run.wait()


def kill_everything(run: Run) -> None:
    run.start()
    run.progress()
    refuse_a_second(run)
    for part in ("worker-0", "browser", "engine"):
        run.kill(part)
        run.progress()
    run.until(lambda: list((run.folder / "checkpoints").glob("tmp-*/*")), "a checkpoint is being written")
    run.kill("learner")
    seen = len(run.steps())
    run.until(lambda: len(run.steps()) > seen, "a step after those that are struck out and taken again")
    for _ in range(3):  # away for a second, two and four
        run.kill("redis")
    run.progress()


def refuse_a_second(run: Run) -> None:
    second = CliRunner().invoke(main, ["run", "-f", str(run.manifest), "--dir", str(run.folder), "--resume"])
    assert second.exit_code == 2
    assert "is in use by process" in second.stderr
    assert "another folder with --dir" in second.stderr


def stop_and_resume(run: Run) -> None:
    assert run.process is not None
    run.process.send_signal(signal.SIGINT)
    assert run.wait() == 130, run.words()
    assert not run.left()
    assert not run.audit().faults
    run.start("--resume")
    assert run.wait() == 0, run.words()


def test_every_episode_is_trained_once_or_discarded_with_a_reason(run: Run) -> None:
    audit = run.audit()
    assert audit.faults == ()
    assert audit.open == frozenset()
    assert len(audit.issued) == STEPS * PROMPTS * GROUP + 2 * EVALUATION


def test_the_ledger_agrees_with_the_stream(run: Run) -> None:
    audit, lines = run.audit(), read_lines(run.folder / "ledger.jsonl")
    times = Counter(id for line in lines for id in line.trained)
    assert set(times) == audit.trained
    assert set(times.values()) == {1}
    assert {id for line in lines for id in line.discarded} == audit.discarded
    assert all(reason for line in lines for reason in line.discarded.values())


def test_the_metrics_have_each_step_once(run: Run) -> None:
    assert run.steps() == list(range(1, STEPS + 1))
    assert [line["version"] for line in run.lines() if line["kind"] == "eval"] == [0, STEPS]


def test_no_process_is_left(run: Run) -> None:
    assert run.left() == []
    assert run.state()["phase"] == "done"


def test_a_checkpoint_torn_by_a_kill_was_never_used(run: Run) -> None:
    log = (run.folder / "logs" / "learner.log").read_text()
    assert log.count("starting at step") >= 3
    assert not list((run.folder / "checkpoints").glob("tmp-*"))
    assert len(list((run.folder / "checkpoints").glob("step-*"))) == 2
