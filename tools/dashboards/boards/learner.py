"""Learner: where a step's time goes, and whether its work is safe."""

from __future__ import annotations

from tools.dashboards.panel import Board, Colour, Row, Unit, curve, limits, number, q

RATE = "[$__rate_interval]"
SPENT = "mobilegym_learner_phase_seconds_sum"
TIMES = "mobilegym_learner_phase_seconds_count"
OF_TOKENS = f"sum by (run) (rate(mobilegym_learner_tokens_total{{@}}{RATE}))"
OF_STEPS = '@,phase!~"starting|done|preempted"'
TRAINING = '@,phase="training"'
CHECKPOINT = "mobilegym_learner_last_checkpoint_timestamp_seconds"
SAVED = (
    "Seconds since the newest complete checkpoint: what a crash now would cost. If it grows past the interval, the "
    "volume is full or slow: see the learner's log."
)
WAIT = (
    "Share of the last step that the learner waited for trajectories. Above a tenth, the GPUs are starved: add "
    "workers, turn autoscaling on, or raise staleness."
)

NOW = Row(
    "Now",
    (
        number(
            "Waiting",
            WAIT,
            q("max by (run) (mobilegym_learner_wait_ratio{@})", "{{run}}"),
            unit=Unit.RATIO,
            highest=1.0,
            limits=limits(watch=0.1, bad=0.5),
        ),
        number(
            "Checkpoint's age",
            SAVED,
            q(f"time() - max by (run) ({CHECKPOINT}{{@}} > 0)", "{{run}}"),
            unit=Unit.SECONDS,
            limits=limits(watch=3600, bad=7200),
        ),
        number(
            "Tokens a second of training",
            "Sampled tokens trained on while training. Falling with the same model: larger screenshots, "
            "longer prompts, or a throttled GPU.",
            q(
                f"{OF_TOKENS} / (sum by (run) (rate({SPENT}{{{TRAINING}}}{RATE})) > 0)",
                "{{run}}",
            ),
            unit=Unit.PER_SECOND,
            base=Colour.PLAIN,
            decimals=0,
            slow=True,
        ),
        number(
            "Tokens a step",
            "Sampled tokens of one step. It falls as the policy needs fewer actions, and with groups without signal.",
            q(
                f"{OF_TOKENS} / (sum by (run) (rate({TIMES}{{{TRAINING}}}{RATE})) > 0)",
                "{{run}}",
            ),
            base=Colour.PLAIN,
            slow=True,
        ),
        number(
            "Policy version",
            "The version that is published: one a step.",
            q("max by (run) (mobilegym_learner_policy_version{@})", "{{run}}"),
            base=Colour.PLAIN,
        ),
        number(
            "Quarantined",
            "Agent steps that could not be trained on, since the learner started: token ids or pictures that do not "
            "fit. A few are harmless; many mean that engine and learner disagree on the prompt.",
            q("sum by (run) (mobilegym_learner_quarantined_total{@})", "{{run}}"),
            limits=limits(watch=1, bad=100),
        ),
    ),
)

TIME = Row(
    "Where the time goes",
    (
        curve(
            "A step by phase",
            "Seconds of each phase for one learner step; evaluations are spread over the steps between. collecting is "
            "waiting for phones; training is work; publishing and checkpointing should be small beside them.",
            q(
                f"sum by (phase) (rate({SPENT}{{{OF_STEPS}}}{RATE}))"
                f" / scalar(sum(rate({TIMES}{{{TRAINING}}}{RATE})) > 0)",
                "{{phase}}",
            ),
            unit=Unit.SECONDS,
            stacked=True,
            width=12,
            slow=True,
        ),
        curve(
            "Waiting",
            WAIT,
            q("max by (run) (mobilegym_learner_wait_ratio{@})", "{{run}}"),
            unit=Unit.RATIO,
            highest=1.0,
            limits=limits(watch=0.1, bad=0.5),
            steps=True,
            width=12,
        ),
    ),
)

WORK = Row(
    "Work",
    (
        curve(
            "Tokens a second, waiting included",
            "Over all time. Set beside the number above, it shows what starvation costs.",
            q(OF_TOKENS, "{{run}}"),
            unit=Unit.PER_SECOND,
            slow=True,
        ),
        curve(
            "Loss",
            "Of each step. Its sign and size say little in policy gradients; a jump or NaN says stop.",
            q("max by (run) (mobilegym_learner_loss{@})", "{{run}}"),
            lowest=None,
            steps=True,
        ),
        curve(
            "Trajectories a minute",
            "Trajectories trained on. In a healthy run it is what the phones make: see the streams dashboard.",
            q(f"sum by (run) (rate(mobilegym_learner_trajectories_total{{@}}{RATE})) * 60", "{{run}}"),
            unit=Unit.PER_MINUTE,
            slow=True,
        ),
    ),
)

SAFETY = Row(
    "Safety",
    (
        curve(
            "Checkpoint's age",
            SAVED,
            q(f"time() - max by (run) ({CHECKPOINT}{{@}} > 0)", "{{run}}"),
            unit=Unit.SECONDS,
            limits=limits(watch=3600, bad=7200),
        ),
        curve(
            "Version",
            "Published by the learner and served by the engine. A lasting gap: the engine refuses the weights, see "
            "its log.",
            q("max by (run) (mobilegym_learner_policy_version{@})", "{{run}} published"),
            q("max by (run) (mobilegym_policy_version{@})", "{{run}} served"),
            steps=True,
        ),
        curve(
            "Steps not trained on",
            "Since the learner started. quarantined: agent steps that did not fit. skipped: learner steps in which no "
            "group had signal, so nothing was updated.",
            q("sum by (run) (mobilegym_learner_quarantined_total{@})", "{{run}} quarantined"),
            q("sum by (run) (mobilegym_learner_skipped_steps_total{@})", "{{run}} skipped"),
        ),
    ),
)

LEARNER = Board(
    name="learner",
    title="MobileGym / Learner",
    about="Where a step's time goes, and whether its work is safe.",
    rows=(NOW, TIME, WORK, SAFETY),
)
