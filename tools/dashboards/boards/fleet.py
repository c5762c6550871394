"""Fleet: phones, episodes, and what goes wrong with them."""

from __future__ import annotations

from tools.dashboards.panel import Board, Colour, Row, Unit, curve, limits, number, q, share

EPISODES = "mobilegym_worker_episodes_total"
STEPS = "mobilegym_worker_steps_total"
RESET = "mobilegym_worker_reset_seconds_bucket"
STEP = "mobilegym_worker_step_seconds_bucket"
RATE = "[$__rate_interval]"

NOW = Row(
    "Now",
    (
        number(
            "Phones",
            "Open phones of all workers. Fewer than replicas x phonesPerWorker: a worker is starting or gone.",
            q("sum by (run) (mobilegym_worker_phones{@})", "{{run}}"),
            base=Colour.PLAIN,
        ),
        number(
            "Phones busy",
            "Share of phones that play an episode. Low with a full buffer is right: the learner is the slow part. "
            "Low with an empty buffer: too few episodes are issued, raise staleness or promptsPerStep.",
            q("sum by (run) (mobilegym_worker_phones_busy{@}) / sum by (run) (mobilegym_worker_phones{@})", "{{run}}"),
            unit=Unit.RATIO,
            highest=1.0,
            base=Colour.PLAIN,
        ),
        number(
            "Episodes a minute",
            "Episodes that ended, of any status. It falls when tasks get longer, phones fewer or the engine slower.",
            q(f"sum by (run) (rate({EPISODES}{{@}}{RATE})) * 60", "{{run}}"),
            unit=Unit.PER_MINUTE,
            base=Colour.PLAIN,
            decimals=1,
        ),
        number(
            "Steps a minute",
            "Agent steps: look, think, act. The fleet's true speed, whatever the length of episodes.",
            q(f"sum by (run) (rate({STEPS}{{@}}{RATE})) * 60", "{{run}}"),
            unit=Unit.PER_MINUTE,
            base=Colour.PLAIN,
            decimals=0,
        ),
        number(
            "Workers ready",
            "Workers whose phones are open, of those wanted. Below 1 for minutes: `kubectl describe mgr` says which "
            "pods wait for what.",
            q("max by (run) (mobilegym_run_workers_ready{@} / (mobilegym_run_workers_desired{@} > 0))", "{{run}}"),
            unit=Unit.RATIO,
            highest=1.0,
            base=Colour.PLAIN,
        ),
        number(
            "Failed episodes",
            "Share of episodes that the phone, the browser or the engine failed. They are played again and never "
            "count as reward 0. Above 5 %: read the workers' logs.",
            share('status=~"env_error|policy_error"', EPISODES, "run", "{{run}}"),
            unit=Unit.RATIO,
            limits=limits(watch=0.01, bad=0.05),
            decimals=1,
        ),
    ),
)

THROUGHPUT = Row(
    "Throughput",
    (
        curve(
            "Phones",
            "Open and busy phones. The gap is idle capacity.",
            q("sum by (run) (mobilegym_worker_phones{@})", "{{run}} open"),
            q("sum by (run) (mobilegym_worker_phones_busy{@})", "{{run}} busy"),
        ),
        curve(
            "Episodes a minute by status",
            "completed: the agent said done. truncated: out of steps. agent_error: not understood. env_error and "
            "policy_error: ours, played again. aborted: drained.",
            q(f"sum by (status) (rate({EPISODES}{{@}}{RATE})) * 60", "{{status}}"),
            unit=Unit.PER_MINUTE,
            stacked=True,
        ),
        curve(
            "Steps a minute",
            "Agent steps of all phones. It falls when the engine is slow or when fewer phones play.",
            q(f"sum by (run) (rate({STEPS}{{@}}{RATE})) * 60", "{{run}}"),
            unit=Unit.PER_MINUTE,
        ),
    ),
)

SPEED = Row(
    "Speed",
    (
        curve(
            "Reset of a phone",
            "From a lease to the episode's first screen: half, 90 and 99 of 100 resets are quicker. Seconds instead "
            "of tenths: the machine has too little CPU for its phones.",
            *(
                q(f"histogram_quantile({p}, sum by (le) (rate({RESET}{{@}}{RATE})))", name)
                for p, name in ((0.5, "p50"), (0.9, "p90"), (0.99, "p99"))
            ),
            unit=Unit.SECONDS,
        ),
        curve(
            "Step by stage",
            "Mean seconds of a step: observe (settle and screenshot), policy (waiting for the engine), act. Policy "
            "is the largest in a healthy run; observe above 1 s: too many phones a core.",
            q(
                f"sum by (stage) (rate(mobilegym_worker_step_seconds_sum{{@}}{RATE}))"
                f" / sum by (stage) (rate(mobilegym_worker_step_seconds_count{{@}}{RATE}))",
                "{{stage}}",
            ),
            unit=Unit.SECONDS,
            stacked=True,
        ),
        curve(
            "Slow steps by stage (p95)",
            "95 of 100 steps are quicker. Near spec.workers.stepDeadlineSeconds, episodes end as env_error or "
            "policy_error.",
            q(f"histogram_quantile(0.95, sum by (le, stage) (rate({STEP}{{@}}{RATE})))", "{{stage}}"),
            unit=Unit.SECONDS,
        ),
    ),
)

TROUBLE = Row(
    "Trouble",
    (
        curve(
            "Browser restarts",
            "Since the workers started. recycled: by plan, after spec.workers.episodesPerBrowser. lost: crashed or "
            "killed; often memory: compare with the panel beside. phones lost: a page died, its browser did not.",
            q("sum by (reason) (mobilegym_worker_browser_restarts_total{@})", "{{reason}}"),
            q("sum(mobilegym_worker_phones_lost_total{@})", "phones lost"),
            steps=True,
            width=6,
        ),
        curve(
            "Memory a phone",
            "Proportional set size, divided by the worker's phones. Give the pod this times its phones, plus the "
            "worker's own, and a fifth to spare.",
            q(
                "sum by (process) (mobilegym_worker_memory_bytes{@}) / scalar(sum(mobilegym_worker_phones{@}))",
                "{{process}}",
            ),
            unit=Unit.BYTES,
            stacked=True,
            width=6,
        ),
        curve(
            "Leases returned a minute",
            "Episodes given back to be played again: drains, crashes, lost leases. A steady rate without scaling "
            "down means that workers die: read their last log.",
            q(f"sum by (run) (rate(mobilegym_worker_leases_returned_total{{@}}{RATE})) * 60", "{{run}}"),
            unit=Unit.PER_MINUTE,
            width=6,
        ),
        curve(
            "Judge errors",
            "Episodes whose judge raised, since the workers started: an error of ours, never the policy's. Report it "
            "with the worker's log line.",
            q("sum by (run) (mobilegym_worker_judge_errors_total{@})", "{{run}}"),
            limits=limits(bad=1),
            width=6,
        ),
    ),
)

WORKERS = Row(
    "Workers and operator",
    (
        curve(
            "Workers",
            "Wanted, ready and busy, as the operator sees them. Ready below wanted: pods wait for a node, an image or "
            "their phones.",
            q("max by (run) (mobilegym_run_workers_desired{@})", "{{run}} desired"),
            q("max by (run) (mobilegym_run_workers_ready{@})", "{{run}} ready"),
            q("max by (run) (mobilegym_run_workers_busy{@})", "{{run}} busy"),
            width=6,
            steps=True,
        ),
        curve(
            "Start of a worker",
            "From process to open phones. The autoscaler waits this long before it asks for more.",
            q("max by (run) (mobilegym_worker_start_seconds{@})", "{{run}}"),
            unit=Unit.SECONDS,
            width=6,
        ),
        curve(
            "Operator's queue",
            "Runs that wait to be looked at; leader is 1 while one process writes. A queue that never empties: the "
            "API server is slow or refuses, see the operator's log.",
            q("sum(mobilegym_operator_queue_depth)", "waiting"),
            q("sum(mobilegym_operator_leader)", "leaders"),
            width=6,
        ),
        curve(
            "Looks at runs",
            "Reconciles a minute by outcome. refused and error need a look at the operator's log.",
            q(f"sum by (outcome) (rate(mobilegym_operator_reconciles_total{RATE})) * 60", "{{outcome}}"),
            unit=Unit.PER_MINUTE,
            stacked=True,
            width=6,
        ),
    ),
)

FLEET = Board(
    name="fleet",
    title="MobileGym / Fleet",
    about="What the phones do, how fast, and what goes wrong.",
    rows=(NOW, THROUGHPUT, SPEED, TROUBLE, WORKERS),
)
