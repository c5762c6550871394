"""Streams: what waits between workers and learner, and whether anything is lost."""

from __future__ import annotations

from tools.dashboards.panel import Board, Colour, Row, Unit, curve, limits, number, q

RATE = "[$__rate_interval]"
LOST = (
    "Issued episodes that are neither waiting, played, unread, pending, trained nor in the discard ledger. Must be 0. "
    "If not: stop the run, keep Redis and the checkpoint volume, and report it."
)
OLDEST = (
    "How long the oldest unread trajectory has waited. It grows while the learner trains and falls when it reads; "
    "without falling, the learner is down or saving."
)

NOW = Row(
    "Now",
    (
        number(
            "Unread trajectories",
            "Trajectories that the learner has not read. More than two steps' worth: the learner is the slow part.",
            q("max by (run) (mobilegym_stream_depth{@})", "{{run}}"),
            base=Colour.PLAIN,
            width=5,
        ),
        number(
            "Pending",
            "Read and not settled: they wait for the next complete checkpoint.",
            q("max by (run) (mobilegym_stream_pending{@})", "{{run}}"),
            base=Colour.PLAIN,
            width=5,
        ),
        number(
            "Oldest unread",
            OLDEST,
            q("max by (run) (mobilegym_stream_oldest_age_seconds{@})", "{{run}}"),
            unit=Unit.SECONDS,
            limits=limits(watch=600, bad=1800),
            width=5,
        ),
        number(
            "Lost episodes",
            LOST,
            q("max by (run) (mobilegym_stream_lost_ids{@})", "{{run}}"),
            limits=limits(bad=1),
            width=5,
        ),
        number(
            "Dead",
            "Poison entries: episodes that three leases did not finish, kept for inspection. Look at their task: it "
            "breaks phones or the judge.",
            q("max by (run) (mobilegym_stream_dead{@})", "{{run}}"),
            limits=limits(watch=1, bad=10),
            width=4,
        ),
    ),
)

BUFFER = Row(
    "Buffer",
    (
        curve(
            "Trajectories in the stream",
            "Unread and pending. A saw-tooth is right: it fills while the learner trains. At spec.stream.capacity "
            "workers wait, nothing is dropped.",
            q("max by (run) (mobilegym_stream_depth{@})", "{{run}} unread"),
            q("max by (run) (mobilegym_stream_pending{@})", "{{run}} pending"),
        ),
        curve(
            "Oldest unread",
            OLDEST,
            q("max by (run) (mobilegym_stream_oldest_age_seconds{@})", "{{run}}"),
            unit=Unit.SECONDS,
            limits=limits(watch=600, bad=1800),
        ),
        curve(
            "Lost and dead",
            LOST,
            q("max by (run) (mobilegym_stream_lost_ids{@})", "{{run}} lost"),
            q("max by (run) (mobilegym_stream_dead{@})", "{{run}} dead"),
            limits=limits(bad=1),
        ),
    ),
)

FLOW = Row(
    "Flow",
    (
        curve(
            "Made and trained on",
            "Episodes that ended and trajectories trained on, a minute. Made above trained for long: the buffer "
            "fills. Trained at made: phones are the slow part.",
            q(f"sum by (run) (rate(mobilegym_worker_episodes_total{{@}}{RATE})) * 60", "{{run}} made"),
            q(f"sum by (run) (rate(mobilegym_learner_trajectories_total{{@}}{RATE})) * 60", "{{run}} trained on"),
            unit=Unit.PER_MINUTE,
            slow=True,
        ),
        curve(
            "Refused pushes a minute",
            "Pushes that waited because the stream was full. Above 0 for minutes: fewer workers would do, or raise "
            "spec.stream.capacity within Redis's memory.",
            q(f"sum by (run) (rate(mobilegym_worker_pushes_refused_total{{@}}{RATE})) * 60", "{{run}}"),
            unit=Unit.PER_MINUTE,
        ),
        curve(
            "Not trained on",
            "Since the learner started. discarded: in the ledger, with a reason each. stale: trained on although "
            "more versions behind than staleness allows. lost images: screenshots that the blob store dropped.",
            q("max by (run) (mobilegym_learner_discarded_total{@})", "{{run}} discarded"),
            q("max by (run) (mobilegym_learner_stale_trajectories_total{@})", "{{run}} stale"),
            q("max by (run) (mobilegym_learner_lost_images_total{@})", "{{run}} lost images"),
        ),
    ),
)

STREAMS = Board(
    name="streams",
    title="MobileGym / Streams",
    about="What waits between workers and learner, and whether anything is lost.",
    rows=(NOW, BUFFER, FLOW),
)
