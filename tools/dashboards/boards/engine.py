"""Engine: how the policy is served."""

from __future__ import annotations

from tools.dashboards.panel import Board, Colour, Query, Row, Unit, curve, limits, number, q

RATE = "[$__rate_interval]"
REQUESTS, ERRORS = "mobilegym_policy_requests_total", "mobilegym_policy_errors_total"
ALL = f"(sum by (run) (rate({REQUESTS}{{@}}{RATE})) + sum by (run) (rate({ERRORS}{{@}}{RATE})))"


def mean(name: str, legend: str) -> Query:
    return q(f"sum by (run) (rate({name}_sum{{@}}{RATE})) / (sum by (run) (rate({name}_count{{@}}{RATE})) > 0)", legend)


def quantile(p: float, name: str) -> Query:
    return q(f"histogram_quantile({p}, sum by (le) (rate({name}_bucket{{@}}{RATE})))", f"p{p * 100:g}")


NOW = Row(
    "Now",
    (
        number(
            "Requests a second",
            "Answers given. It follows the busy phones: each asks once a step.",
            q(f"sum by (run) (rate({REQUESTS}{{@}}{RATE}))", "{{run}}"),
            unit=Unit.PER_SECOND,
            base=Colour.PLAIN,
            decimals=1,
        ),
        number(
            "Errors",
            "Share of requests refused or failed. engine_paused during a weight swap is normal; the rest is not.",
            q(f"sum by (run) (rate({ERRORS}{{@}}{RATE})) / ({ALL} > 0)", "{{run}}"),
            unit=Unit.RATIO,
            limits=limits(watch=0.001, bad=0.01),
            decimals=1,
        ),
        number(
            "Requests a batch",
            "Mean. Near 1 with many busy phones: requests come one by one, so the engine is not the slow part. At "
            "spec.engine.maxBatch: it is.",
            mean("mobilegym_policy_batch_requests", "{{run}}"),
            base=Colour.PLAIN,
            decimals=1,
        ),
        number(
            "Answer, p95",
            "95 of 100 requests are quicker, waiting included. Rising with full batches: the engine is the slow part.",
            quantile(0.95, "mobilegym_policy_request_seconds"),
            unit=Unit.SECONDS,
            limits=limits(watch=5, bad=30),
        ),
        number(
            "Tokens a second",
            "Sampled by all requests. Prompts come on top: see below.",
            q(f"sum by (run) (rate(mobilegym_policy_sampled_tokens_total{{@}}{RATE}))", "{{run}}"),
            unit=Unit.PER_SECOND,
            base=Colour.PLAIN,
            decimals=0,
        ),
        number(
            "Version served",
            "Behind the learner's for longer than a swap: the engine refuses the weights, see its log.",
            q("max by (run) (mobilegym_policy_version{@})", "{{run}}"),
            base=Colour.PLAIN,
        ),
    ),
)

SERVING = Row(
    "Serving",
    (
        curve(
            "Requests a second by ending",
            "stop: the model ended its answer. length: it ran into maxTokens; many of those: raise it, or the policy "
            "rambles.",
            q(f"sum by (outcome) (rate({REQUESTS}{{@}}{RATE}))", "{{outcome}}"),
            unit=Unit.PER_SECOND,
            stacked=True,
        ),
        curve(
            "Errors a minute by kind",
            "context_length_exceeded: prompts too long for the model. invalid_image: a worker sends pictures that do "
            "not fit. internal: the engine itself, see its log.",
            q(f"sum by (kind) (rate({ERRORS}{{@}}{RATE})) * 60", "{{kind}}"),
            unit=Unit.PER_MINUTE,
            stacked=True,
        ),
        curve(
            "Seconds of an answer",
            "From request to answer, waiting for a batch included. It must stay well below "
            "spec.workers.stepDeadlineSeconds.",
            *(quantile(p, "mobilegym_policy_request_seconds") for p in (0.5, 0.9, 0.99)),
            unit=Unit.SECONDS,
        ),
    ),
)

INSIDE = Row(
    "Inside",
    (
        curve(
            "Requests a batch",
            "Mean and 90th of 100. More phones a worker, or more workers, fill batches.",
            mean("mobilegym_policy_batch_requests", "mean {{run}}"),
            quantile(0.9, "mobilegym_policy_batch_requests"),
            width=6,
        ),
        curve(
            "Seconds of a batch",
            "Computing alone. Far below the seconds of an answer: requests wait, the engine is full.",
            *(quantile(p, "mobilegym_policy_batch_seconds") for p in (0.5, 0.99)),
            unit=Unit.SECONDS,
            width=6,
        ),
        curve(
            "Tokens a second",
            "Prompts read and answers sampled. Prompts are mostly picture: spec.model.imageScale makes them shorter.",
            q(f"sum by (run) (rate(mobilegym_policy_prompt_tokens_total{{@}}{RATE}))", "{{run}} prompt"),
            q(f"sum by (run) (rate(mobilegym_policy_sampled_tokens_total{{@}}{RATE}))", "{{run}} sampled"),
            unit=Unit.PER_SECOND,
            width=6,
        ),
        curve(
            "Weight swaps",
            "Swaps since the engine started, and the version it serves: both rise by one a step.",
            q("sum by (run) (mobilegym_policy_weight_swaps_total{@})", "{{run}} swaps"),
            q("max by (run) (mobilegym_policy_version{@})", "{{run}} version"),
            steps=True,
            width=6,
        ),
    ),
)

ENGINE = Board(
    name="engine",
    title="MobileGym / Engine",
    about="How the policy is served: requests, batches, seconds, weights.",
    rows=(NOW, SERVING, INSIDE),
)
