"""Training progress: is it learning, where, and is the update healthy?"""

from __future__ import annotations

from tools.dashboards.panel import Board, Colour, Kind, Limit, Row, Unit, curve, limits, number, q, share

SUCCESS = 'success="true"'
VERDICTS = "mobilegym_worker_verdicts_total"
RATES = {"unit": Unit.RATIO, "highest": 1.0}
GROWS = (Limit(at=0.3, colour=Colour.WATCH), Limit(at=0.6, colour=Colour.GOOD))

LEARNING = Row(
    "Is it learning?",
    (
        number(
            "Progress",
            "Learner steps taken, of those asked for. If it stands still, open the learner dashboard: it waits for "
            "trajectories (too few phones), trains, or is gone.",
            q("max by (run) (mobilegym_learner_step{@} / (mobilegym_learner_total_steps{@} > 0))", "{{run}}"),
            base=Colour.PLAIN,
            **RATES,
        ),
        number(
            "Success, last batch",
            "Share of the last step's episodes that the judge called a success. Noisy: trust the held-out curve.",
            q("max by (run) (mobilegym_learner_success_ratio{@})", "{{run}}"),
            base=Colour.BAD,
            limits=GROWS,
            **RATES,
        ),
        number(
            "Success, held out",
            "Success on tasks and seeds that are never trained on, at the last evaluation (spec.algorithm.evalEvery). "
            "If it falls while the batch's success rises, the policy overfits: stop, or widen spec.tasks.",
            q("max by (run) (mobilegym_learner_eval_success_ratio{@})", "{{run}}"),
            base=Colour.BAD,
            limits=GROWS,
            **RATES,
        ),
        number(
            "Mean reward",
            "Mean reward of the last step's batch. Rising reward with flat success means partial credit is farmed.",
            q("max by (run) (mobilegym_learner_reward{@})", "{{run}}"),
            base=Colour.PLAIN,
            lowest=None,
            decimals=3,
        ),
        number(
            "Zero-variance groups",
            "Share of groups whose members all got the same reward: they teach nothing and are filtered out. "
            "High early: tasks too hard; high late: too easy. Change spec.tasks, or the group size.",
            q("max by (run) (mobilegym_learner_zero_variance_ratio{@})", "{{run}}"),
            limits=limits(watch=0.5, bad=0.8),
            **RATES,
        ),
        number(
            "Steps an hour",
            "Learner steps an hour over the last 10 minutes; what is left of totalSteps divided by this is the time "
            "that is left.",
            q("max by (run) (deriv(mobilegym_learner_step{@}[10m])) * 3600", "{{run}}"),
            unit=Unit.PER_HOUR,
            base=Colour.PLAIN,
            decimals=0,
        ),
    ),
)

CURVES = Row(
    "Success and reward",
    (
        curve(
            "Success",
            "Batch: the episodes of each step. Held out: the evaluation set. What counts is the second curve's trend.",
            q("max by (run) (mobilegym_learner_success_ratio{@})", "{{run}} batch"),
            q("max by (run) (mobilegym_learner_eval_success_ratio{@})", "{{run}} held out"),
            width=12,
            steps=True,
            **RATES,
        ),
        curve(
            "Reward",
            "Mean reward of each step's batch. A sudden fall together with policy errors or lost screenshots is a "
            "fault, not learning: look at the sampler gap below and at the engine dashboard.",
            q("max by (run) (mobilegym_learner_reward{@})", "{{run}}"),
            width=12,
            lowest=None,
            steps=True,
        ),
    ),
)

PLACES = Row(
    "Where it succeeds",
    (
        curve(
            "Success by split",
            "Judged episodes by the split of their task. Train far above test: the policy has learnt the templates.",
            share(SUCCESS, VERDICTS, "split", "{{split}}"),
            slow=True,
            **RATES,
        ),
        curve(
            "Success by level",
            "Judged episodes by the difficulty of their task. Levels at 0 % or 100 % give no signal: weight "
            "spec.tasks towards what lies between.",
            share(SUCCESS, VERDICTS, "level", "level {{level}}"),
            slow=True,
            **RATES,
        ),
        curve(
            "Success by app",
            "Judged episodes of the time shown, by app. One app at 0 % is worth a look at its episodes: "
            "`mobilegym view` draws each action on its screenshot.",
            share(SUCCESS, VERDICTS, "app", "{{app}}", window="$__range"),
            kind=Kind.BARS,
            base=Colour.BAD,
            limits=GROWS,
            **RATES,
        ),
    ),
)

HEALTH = Row(
    "Health of the update",
    (
        curve(
            "KL to the reference",
            "Nats a token; 0 where klCoefficient is 0. A steep rise means that the policy runs away: lower the "
            "learning rate or raise klCoefficient.",
            q("max by (run) (mobilegym_learner_kl_nats{@})", "{{run}}"),
            unit=Unit.NATS,
            limits=limits(watch=0.2, bad=0.5),
            width=6,
            steps=True,
        ),
        curve(
            "Clipped tokens",
            "Share of tokens whose importance ratio was clipped. Above a fifth, updates are too large: lower the "
            "learning rate or updatesPerStep.",
            q("max by (run) (mobilegym_learner_clip_ratio{@})", "{{run}}"),
            unit=Unit.RATIO,
            limits=limits(watch=0.1, bad=0.2),
            width=6,
            steps=True,
        ),
        curve(
            "Entropy",
            "Nats a token. Falling slowly is learning; near 0 the policy no longer explores: raise the temperature, "
            "or clipHigh.",
            q("max by (run) (mobilegym_learner_entropy_nats{@})", "{{run}}"),
            unit=Unit.NATS,
            width=6,
            steps=True,
        ),
        curve(
            "Gradient norm",
            "Before clipping. Spikes come with bad batches; a steady rise comes before divergence: lower the "
            "learning rate.",
            q("max by (run) (mobilegym_learner_grad_norm{@})", "{{run}}"),
            width=6,
            steps=True,
        ),
        curve(
            "Groups without signal",
            "Share of groups of one and the same reward, filtered before the forward pass.",
            q("max by (run) (mobilegym_learner_zero_variance_ratio{@})", "{{run}}"),
            limits=limits(watch=0.5, bad=0.8),
            width=6,
            steps=True,
            **RATES,
        ),
        curve(
            "Staleness",
            "How many policy versions behind the trained steps were, on average. spec.algorithm.staleness bounds it; "
            "near the bound, sampling is slower than training: add workers.",
            q("max by (run) (mobilegym_learner_staleness_versions{@})", "{{run}}"),
            unit=Unit.VERSIONS,
            width=6,
            steps=True,
        ),
        curve(
            "Sampler against learner",
            "Mean difference of the two log-probabilities of sampled tokens. A jump means that the engine serves "
            "something else than the learner trains: wrong weights, lost images, another prompt.",
            q("max by (run) (mobilegym_learner_sampler_gap_nats{@})", "{{run}}"),
            unit=Unit.NATS,
            limits=limits(watch=0.1, bad=0.5),
            width=6,
            lowest=None,
            steps=True,
        ),
        curve(
            "Largest importance ratio",
            "Of any token of the step. Far above 1 + clipHigh with many clipped tokens: updates too large or data "
            "too stale.",
            q("max by (run) (mobilegym_learner_ratio_max{@})", "{{run}}"),
            limits=limits(watch=5, bad=20),
            width=6,
            steps=True,
        ),
    ),
)

TRAINING = Board(
    name="training",
    title="MobileGym / Training progress",
    about="Is the run learning, on which tasks, and is the update healthy?",
    rows=(LEARNING, CURVES, PLACES, HEALTH),
)
