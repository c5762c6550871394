"""The tables of docs/monitoring.md: dashboards, alerts, recording rules, metrics."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from prometheus_client import CollectorRegistry
from prometheus_client.metrics import MetricWrapperBase
from tools.dashboards.alerts import ALERTS, RECORDS
from tools.dashboards.catalogue import BOARDS

from mobilegym.learner.metrics import Metrics as LearnerMetrics
from mobilegym.operator.metrics import Metrics as OperatorMetrics
from mobilegym.operator.observed import Numbers
from mobilegym.phone.pool_options import PoolCounts
from mobilegym.policy.metrics import Metrics as PolicyMetrics
from mobilegym.protocol.streams.base import Counters
from mobilegym.worker.metrics import WorkerMetrics

Rows = Iterable[Sequence[str]]
NO_COUNTERS = Counters(issued=0, waiting=0, leased=0, depth=0, pending=0, trained=0, discarded=0, dead=0)
STATUS = {
    "phase": "Running",
    "step": 1,
    "totalSteps": 2,
    "successRate": "0.5",
    "workers": {"ready": 1, "desired": 1, "busy": 1},
}


def reference(text: str) -> str:
    """The document with its tables made anew. Each stands between `<!-- NAME -->` and `<!-- end -->`."""
    tables = {
        "dashboards": table(("file", "title", "answers"), _dashboards()),
        "alerts": table(("alert", "severity", "for", "fires when"), _alerts()),
        "records": table(("rule", "expression"), ((f"`{r.name}`", f"`{r.expr}`") for r in RECORDS)),
        "metrics": table(("metric", "kind", "labels", "meaning"), _metrics()),
    }
    for name, made in tables.items():
        pattern = re.compile(rf"(<!-- {name} -->\n).*?(<!-- end -->)", re.DOTALL)
        text, count = pattern.subn(lambda found, made=made: f"{found[1]}{made}{found[2]}", text)  # type: ignore[misc]
        if count != 1:
            raise ValueError(
                f"the document has {count} places for {name}, must have one: <!-- {name} --> ... <!-- end -->"
            )
    return text


def table(head: Sequence[str], rows: Rows) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |\n" for line in lines)


def _dashboards() -> Rows:
    return ((f"`{b.name}.json`", b.title, b.about) for b in BOARDS)


def _alerts() -> Rows:
    return ((f"[{a.name}](alerts.md#{a.name.lower()})", a.severity, a.lasts, f"`{a.expr}`") for a in ALERTS)


def _metrics() -> Rows:
    for registry, labels in registries():
        for family in registry.collect():
            name = family.name + ("_total" if family.type == "counter" else "")
            own = labels.get(family.name) or sorted(
                {each for sample in family.samples for each in sample.labels} - {"le"}
            )
            said = family.documentation.rstrip(".")
            yield f"`{name}`", family.type, ", ".join(own), said[:1].upper() + said[1:]


def registries() -> Iterator[tuple[CollectorRegistry, dict[str, Sequence[str]]]]:
    """Of worker, learner, engine and operator, as the processes make them, with the labels of their metrics."""
    worker, operator = WorkerMetrics(), OperatorMetrics()
    worker.watch(PoolCounts())
    run = {"metadata": {"namespace": "n", "name": "r", "uid": "u"}, "status": STATUS}
    operator.show_runs(lambda: [run], lambda _: Numbers(at=0.0, counters=NO_COUNTERS))
    for metrics in (worker, LearnerMetrics(), PolicyMetrics(), operator):
        fields = [value for value in vars(metrics).values() if isinstance(value, MetricWrapperBase)]
        yield metrics.registry, {field._name: field._labelnames for field in fields}
