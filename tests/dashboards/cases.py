"""When each alert fires and when it does not: series by promtool's notation, one value a minute."""

from __future__ import annotations

from dataclasses import dataclass

RUN = 'namespace="n",run="r"'
NONE = "NaN "  # a minute of a gauge that has no value yet


@dataclass(frozen=True, kw_only=True)
class Case:
    """`fires` and `quiet` are series by name; they are looked at after `minutes`."""

    alert: str
    minutes: int
    fires: dict[str, str]
    quiet: tuple[dict[str, str], ...]


def running(phase: str = "Running") -> dict[str, str]:
    return {f'mobilegym_run_phase{{{RUN},phase="{phase}"}}': "1x200"}


def of_run(metric: str, values: str, more: str = "") -> dict[str, str]:
    return {f"mobilegym_{metric}{{{RUN}{more}}}": values}


def episodes(good: str, bad: str) -> dict[str, str]:
    name = "worker_episodes_total"
    return of_run(name, good, ',status="completed"') | of_run(name, bad, ',status="env_error"')


def engine(good: str, bad: str, kind: str = "internal") -> dict[str, str]:
    return of_run("policy_requests_total", good) | of_run("policy_errors_total", bad, f',kind="{kind}"')


def operator(metric: str, values: str, more: str = "") -> dict[str, str]:
    return {f'mobilegym_operator_{metric}{{namespace="system",pod="o"{more}}}': values}


def workers(ready: str, desired: str) -> dict[str, str]:
    return of_run("run_workers_ready", ready) | of_run("run_workers_desired", desired)


def lost_browsers(values: str) -> dict[str, str]:
    return of_run("worker_browser_restarts_total", values, ',reason="lost"') | of_run("worker_phones", "16x200")


STUCK = operator("queue_depth", "3x200") | operator("reconciles_total", "100x200", ',outcome="ok"')
SAVED = "learner_last_checkpoint_timestamp_seconds"

CASES = (
    Case(
        alert="RunStalled",
        minutes=90,
        fires=running() | of_run("run_step", "7x200"),
        quiet=(
            running() | of_run("run_step", "0x9 1x9 2x9 3x9 4x9 5x9 6x9 7x9 8x9 9x9"),
            running("Suspended") | of_run("run_step", "7x200"),
        ),
    ),
    Case(
        alert="LearnerDown",
        minutes=30,
        fires=running() | of_run("learner_step", "7x10 stale"),
        quiet=(running() | of_run("learner_step", "7x200"), running("Starting")),
    ),
    Case(
        alert="WorkersMissing",
        minutes=30,
        fires=running("Starting") | workers("5x200", "6x200"),
        quiet=(
            running() | workers("58x200", "60x200"),
            running() | workers("5x10 6x200", "6x200"),
            running("Suspending") | workers("0x200", "6x200"),
        ),
    ),
    Case(
        alert="CheckpointOld",
        minutes=180,
        fires=of_run(SAVED, "1200x200") | of_run("learner_step", "7x200"),
        quiet=(
            of_run(SAVED, "1200+60x200") | of_run("learner_step", "7x200"),
            of_run(SAVED, f"{NONE * 160} 9600x100") | of_run("learner_step", "_x160 1x200"),
        ),
    ),
    Case(
        alert="CheckpointOld",
        minutes=180,
        fires=of_run(SAVED, NONE * 200) | of_run("learner_step", "0+1x200"),
        quiet=(of_run(SAVED, NONE * 200) | of_run("learner_step", "_x120 0+1x200"),),
    ),
    Case(
        alert="StreamLostIds",
        minutes=10,
        fires=of_run("stream_lost_ids", "0x4 1x200"),
        quiet=(of_run("stream_lost_ids", "0x200"), of_run("stream_lost_ids", "0x4 1 0x200")),
    ),
    Case(
        alert="StreamFull",
        minutes=40,
        fires=of_run("worker_pushes_refused_total", "0+5x200"),
        quiet=(of_run("worker_pushes_refused_total", "0x10 5x200"),),
    ),
    Case(
        alert="OldestTrajectoryOld",
        minutes=60,
        fires=of_run("stream_oldest_age_seconds", "0+60x200"),
        quiet=(of_run("stream_oldest_age_seconds", "0+60x20 0+60x20 0+60x20"),),
    ),
    Case(
        alert="HighEnvErrors",
        minutes=40,
        fires=episodes("0+90x200", "0+10x200"),
        quiet=(episodes("0+99x200", "0+1x200"), episodes("0x200", "0x200")),
    ),
    Case(
        alert="JudgeErrors",
        minutes=20,
        fires=of_run("worker_judge_errors_total", "0x10 1x200"),
        quiet=(of_run("worker_judge_errors_total", "0x200"), of_run("worker_judge_errors_total", "4x200")),
    ),
    Case(
        alert="BrowserRestartsHigh",
        minutes=60,
        fires=lost_browsers("0+1x200"),
        quiet=(
            lost_browsers("0x20 1x200"),
            of_run("worker_browser_restarts_total", "0+9x200", ',reason="recycled"') | of_run("worker_phones", "4x200"),
        ),
    ),
    Case(
        alert="EngineErrors",
        minutes=40,
        fires=engine("0+90x200", "0+10x200"),
        quiet=(engine("0+999x200", "0+1x200"), engine("0+90x200", "0+10x200", "engine_paused")),
    ),
    Case(
        alert="ZeroVarianceHigh",
        minutes=90,
        fires=of_run("learner_zero_variance_ratio", "0.9x200"),
        quiet=(
            of_run("learner_zero_variance_ratio", "0.9x5 0.5x200"),
            of_run("learner_zero_variance_ratio", NONE * 200),
        ),
    ),
    Case(
        alert="EntropyCollapse",
        minutes=40,
        fires=of_run("learner_entropy_nats", "0.01x200") | of_run("learner_step", "9x200"),
        quiet=(
            of_run("learner_entropy_nats", "0.1x200") | of_run("learner_step", "9x200"),
            of_run("learner_entropy_nats", "0x200") | of_run("learner_step", "0x200"),
        ),
    ),
    Case(
        alert="KLHigh",
        minutes=40,
        fires=of_run("learner_kl_nats", "0.6x200"),
        quiet=(of_run("learner_kl_nats", "0.6x5 0.1x200"),),
    ),
    Case(
        alert="OperatorNotLeading",
        minutes=20,
        fires=operator("leader", "0x200"),
        quiet=(operator("leader", "1x200"), operator("leader", "1x5 0x3 1x200")),
    ),
    Case(
        alert="OperatorNotLeading",
        minutes=20,
        fires=running(),  # and no operator at all
        quiet=(operator("leader", "1x200"),),
    ),
    Case(
        alert="OperatorQueueStuck",
        minutes=40,
        fires=STUCK | operator("leader", "1x200"),
        quiet=(
            STUCK | operator("leader", "0x200"),
            STUCK | operator("leader", "1x200") | operator("reconciles_total", "0+5x200", ',outcome="refused"'),
            operator("queue_depth", "3 0 3 0 3 0 3 0 3 0 3 0 3 0 3 0 3 0 3 0 3 0 3 0 3 0 3 0 3 0 3 0 3 0 3 0 3 0 3 0 3")
            | operator("leader", "1x200"),
        ),
    ),
)
