"""What is worth waking somebody for, and what only looking at."""

from __future__ import annotations

from tools.dashboards.rules import Alert, Record, Severity

RUN = "namespace, run"
OF = "{{ $labels.namespace }}/{{ $labels.run }}"

FAILED = "run:mobilegym_worker_env_errors:ratio_rate15m"
ENGINE = "run:mobilegym_policy_errors:ratio_rate10m"
LOST = "run:mobilegym_worker_browsers_lost:per_phone_increase30m"


def _rate(metric: str, window: str) -> str:
    return f"sum by ({RUN}) (rate({metric}[{window}]))"


EPISODES = "mobilegym_worker_episodes_total"
ENV_ERRORS = f'{EPISODES}{{status="env_error"}}'
VERDICTS = "mobilegym_worker_verdicts_total"
SUCCESSES = f'{VERDICTS}{{success="true"}}'
REQUESTS = "mobilegym_policy_requests_total"
ERRORS = 'mobilegym_policy_errors_total{kind!="engine_paused"}'  # paused is how weights are swapped
BROWSERS = 'mobilegym_worker_browser_restarts_total{reason="lost"}'
SAVED = "mobilegym_learner_last_checkpoint_timestamp_seconds"
RUNNING = 'mobilegym_run_phase{phase="Running"} == 1'

RECORDS = (
    Record(name="run:mobilegym_worker_episodes:rate5m", expr=f"sum by ({RUN}, status) (rate({EPISODES}[5m]))"),
    Record(
        name="run:mobilegym_worker_success:ratio_rate15m",
        expr=f"{_rate(SUCCESSES, '15m')} / ({_rate(VERDICTS, '15m')} > 0)",
    ),
    Record(name=FAILED, expr=f"{_rate(ENV_ERRORS, '15m')} / ({_rate(EPISODES, '15m')} > 0)"),
    Record(
        name=ENGINE,
        expr=f"{_rate(ERRORS, '10m')} / ({_rate(ERRORS, '10m')} + {_rate(REQUESTS, '10m')} > 0)",
    ),
    Record(
        name=LOST,
        expr=f"sum by ({RUN}) (increase({BROWSERS}[30m])) / (sum by ({RUN}) (mobilegym_worker_phones) > 0)",
    ),
)

LIFE = (
    Alert(
        name="RunStalled",
        expr=f"changes(mobilegym_run_step[15m]) == 0 and on ({RUN}) {RUNNING}",
        lasts="45m",
        severity=Severity.WARNING,
        summary=f"{OF} takes no steps",
        words=f"{OF} is Running and its step has not moved for an hour. `kubectl describe mgr` says whether the "
        "learner waits for trajectories, trains or is silent.",
    ),
    Alert(
        name="LearnerDown",
        expr=f"{RUNNING} unless on ({RUN}) mobilegym_learner_step",
        lasts="10m",
        severity=Severity.CRITICAL,
        summary=f"{OF} has no learner",
        words=f"{OF} is Running and no learner of it has been scraped for 10 minutes. Read the pod's last log and the "
        "run's events; the operator starts it again from the newest complete checkpoint.",
    ),
    Alert(
        name="WorkersMissing",
        expr=f"(mobilegym_run_workers_ready < 0.9 * mobilegym_run_workers_desired) and on ({RUN}) "
        'mobilegym_run_phase{phase=~"Starting|Running"} == 1',
        lasts="15m",
        severity=Severity.WARNING,
        summary=f"{OF} has {{{{ $value }}}} workers ready, fewer than wanted",
        words=f"Fewer than nine tenths of the workers of {OF} have been ready for 15 minutes. Pending pods wait for a "
        "node or a quota; Running ones that are not ready cannot open their phones: read one's log.",
    ),
    Alert(
        name="CheckpointOld",
        expr=f"time() - ({SAVED} > 0) > 7200 or (mobilegym_learner_step offset 2h) unless ({SAVED} > 0)",
        lasts="15m",
        severity=Severity.WARNING,
        summary=f"{OF} has not saved a checkpoint for two hours",
        words=f"A crash of {OF} would lose two hours of training. The checkpoint volume is full or slow, steps take "
        "long, or spec.learner.checkpoint.interval is too large: see the learner's log.",
    ),
)

STREAM = (
    Alert(
        name="StreamLostIds",
        expr="mobilegym_stream_lost_ids > 0",
        lasts="2m",
        severity=Severity.CRITICAL,
        summary=f"{OF} has lost {{{{ $value }}}} episodes",
        words=f"Issued episodes of {OF} are neither waiting, played, unread, pending, trained nor in the discard "
        "ledger. This may never be. Suspend the run, keep Redis and the checkpoint volume, and report it.",
    ),
    Alert(
        name="StreamFull",
        expr=f"{_rate('mobilegym_worker_pushes_refused_total', '5m')} > 0",
        lasts="15m",
        severity=Severity.INFO,
        summary=f"Workers of {OF} wait for the learner",
        words=f"The stream of {OF} is at its capacity, so workers hold their trajectories. Nothing is lost. Fewer "
        "workers would do; if the learner stands still, look at it first.",
    ),
    Alert(
        name="OldestTrajectoryOld",
        expr="mobilegym_stream_oldest_age_seconds > 1800",
        lasts="10m",
        severity=Severity.WARNING,
        summary=f"A trajectory of {OF} has waited for {{{{ $value | humanizeDuration }}}}",
        words=f"The learner of {OF} has not read its stream for half an hour. It is down, saving, or steps take "
        "that long; old trajectories are trained on with a staler policy.",
    ),
)

PHONES = (
    Alert(
        name="HighEnvErrors",
        expr=f"{FAILED} > 0.05",
        lasts="10m",
        severity=Severity.WARNING,
        summary=f"{{{{ $value | humanizePercentage }}}} of the episodes of {OF} fail in the phone",
        words="Phones or browsers fail; the episodes are played again, so the run slows down. Most often memory or CPU "
        "is short: compare the fleet dashboard's memory and step seconds with the pod's limits.",
    ),
    Alert(
        name="JudgeErrors",
        expr=f"sum by ({RUN}) (increase(mobilegym_worker_judge_errors_total[15m])) > 0",
        lasts="1m",
        severity=Severity.WARNING,
        summary=f"A judge raised in {OF}",
        words=f"A judge could not decide an episode of {OF}: an error of ours, never of the policy. The episode "
        "is not trained on. Report the template, seed and error in the worker's log.",
    ),
    Alert(
        name="BrowserRestartsHigh",
        expr=f"{LOST} > 0.1",
        lasts="10m",
        severity=Severity.WARNING,
        summary=f"Browsers of {OF} crash",
        words=f"More than one browser for every ten phones of {OF} was lost in half an hour. Usually the kernel killed "
        "it for memory: raise the workers' memory limit, or lower phonesPerWorker.",
    ),
    Alert(
        name="EngineErrors",
        expr=f"{ENGINE} > 0.01",
        lasts="10m",
        severity=Severity.WARNING,
        summary=f"The engine of {OF} fails {{{{ $value | humanizePercentage }}}} of its requests",
        words=f"Episodes of {OF} end as policy_error and are played again. The engine dashboard shows the kinds: "
        "prompts too long, pictures that do not fit, weights refused, or the engine itself.",
    ),
)

LEARNING = (
    Alert(
        name="ZeroVarianceHigh",
        expr="avg_over_time(mobilegym_learner_zero_variance_ratio[30m]) > 0.8",
        lasts="30m",
        severity=Severity.INFO,
        summary=f"{OF} learns from few groups",
        words=f"In more than four fifths of the groups of {OF} all members got the same reward, so they teach nothing. "
        "Success near 0: tasks too hard; near 1: too easy. Change spec.tasks, or raise groupSize.",
    ),
    Alert(
        name="EntropyCollapse",
        expr=f"mobilegym_learner_entropy_nats < 0.02 and on ({RUN}) mobilegym_learner_step > 0",
        lasts="15m",
        severity=Severity.WARNING,
        summary=f"The policy of {OF} no longer explores",
        words=f"The entropy of {OF} has been below 0.02 nats a token for 15 minutes: members of a group do the same. "
        "Go back to an earlier checkpoint with a higher temperature, clipHigh or klCoefficient.",
    ),
    Alert(
        name="KLHigh",
        expr="mobilegym_learner_kl_nats > 0.5",
        lasts="15m",
        severity=Severity.WARNING,
        summary=f"The policy of {OF} has moved far from its reference",
        words=f"KL of {OF} is above 0.5 nats a token. If held-out success still rises it may go on; else go back to an "
        "earlier checkpoint with a lower learning rate or a higher klCoefficient.",
    ),
)

OPERATOR = (
    Alert(
        name="OperatorNotLeading",
        expr="max by (namespace) (mobilegym_operator_leader) == 0 or absent(mobilegym_operator_leader)",
        lasts="5m",
        severity=Severity.CRITICAL,
        summary="No operator leads",
        words="Runs go on, but nothing replaces their pods and no status is written. Read the operator's log: the API "
        "server is away, the Lease is held by a process that is gone, or no operator pod runs.",
    ),
    Alert(
        name="OperatorQueueStuck",
        expr="(min_over_time(mobilegym_operator_queue_depth[10m]) > 0 and mobilegym_operator_leader == 1) unless on "
        "(namespace, pod) sum by (namespace, pod) (rate(mobilegym_operator_reconciles_total[10m])) > 0",
        lasts="5m",
        severity=Severity.CRITICAL,
        summary="The operator looks at no run",
        words="Runs wait in the operator's queue and none was looked at for 10 minutes. Delete the operator's pod: the "
        "next one starts from what the cluster says. Keep its log and report it.",
    ),
)

ALERTS = (*LIFE, *STREAM, *PHONES, *LEARNING, *OPERATOR)
