"""A cluster small enough to think about: carries out plans on `Observed`, so that decisions can be told as stories."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from mobilegym.operator import names
from mobilegym.operator.decide import plan
from mobilegym.operator.observed import Advice, Child, Numbers, Observed, Pod, Refusal
from mobilegym.operator.plan import Plan
from mobilegym.operator.settings import Settings
from mobilegym.protocol.messages import Heartbeat
from mobilegym.protocol.streams import Counters

SETTINGS = Settings(namespace="system")
URLS = {"worker": "redis://w@redis:6379/0", "learner": "redis://l@redis:6379/0"}
ZERO = Counters(issued=0, waiting=0, leased=0, depth=0, pending=0, trained=0, discarded=0, dead=0)


def manifest(**spec: Any) -> dict[str, Any]:
    return {
        "apiVersion": "mobilegym.io/v1alpha1",
        "kind": "MobileGymRun",
        "metadata": {
            "name": "r",
            "namespace": "n",
            "uid": "uid-of-run",
            "generation": 1,
            "creationTimestamp": "2026-01-01T00:00:00Z",
        },
        "spec": {"model": {"preset": "pocket"}, "workers": {"replicas": 2}} | spec,
    }


@dataclass
class Sim:
    """`now` is unix seconds and moves only when told to."""

    run: dict[str, Any] = field(default_factory=manifest)
    now: float = 1_767_225_600.0
    pods: dict[str, Pod] = field(default_factory=dict)
    children: dict[tuple[str, str], Child] = field(default_factory=dict)
    numbers: Numbers | None = None
    refusal: Refusal | None = None
    advice: Advice = field(default_factory=Advice)
    redis_urls: Mapping[str, str] | None = field(default_factory=lambda: dict(URLS))
    gone: bool = False
    notes: list[str] = field(default_factory=list)
    _made: int = 0

    @property
    def status(self) -> dict[str, Any]:
        found: dict[str, Any] = self.run.get("status", {})
        return found

    @property
    def phase(self) -> str:
        return str(self.status["phase"])

    def condition(self, kind: str) -> tuple[str, str, str]:
        """Status, reason, message."""
        c = next(c for c in self.status["conditions"] if c["type"] == kind)
        return c["status"], c["reason"], c["message"]

    def observe(self) -> Observed:
        return Observed(
            run=self.run,
            pods=tuple(self.pods.values()),
            children=self.children,
            numbers=self.numbers,
            refusal=self.refusal,
            advice=self.advice,
            redis_urls=self.redis_urls,
            now=self.now,
        )

    def look(self) -> Plan:
        """One decision, carried out."""
        found = plan(self.observe(), SETTINGS)
        for wanted in found.apply:
            self._apply(wanted)
        for ref in found.delete:
            pod = self.pods.get(ref.name)
            if pod is not None and pod.uid == ref.uid:
                self._delete(pod, ref.grace)
        if found.status is not None:
            self.run = {**self.run, "status": found.status}
        if found.replicas is not None:
            self.edit(workers={**self.run["spec"]["workers"], "replicas": found.replicas})
        self.gone = self.gone or found.delete_run
        self.notes += [note.reason for note in found.notes]
        return found

    def _apply(self, wanted: dict[str, Any]) -> None:
        meta, kind = wanted["metadata"], wanted["kind"]
        if kind == "Pod" and meta["name"] not in self.pods:
            index = meta["labels"].get(names.INDEX)
            self._made += 1
            self.pods[meta["name"]] = Pod(
                name=meta["name"],
                uid=f"uid-{self._made}",
                part=meta["labels"][names.PART],
                index=None if index is None else int(index),
                created=self.now,
                hash=meta["annotations"][names.HASH],
            )
        elif kind != "Pod":
            hash = meta["annotations"][names.HASH]
            self.children[kind, meta["name"]] = Child(kind=kind, name=meta["name"], uid="c", hash=hash)

    def _delete(self, pod: Pod, grace: int | None) -> None:
        if pod.ended or not pod.scheduled or grace == 0:
            del self.pods[pod.name]
        else:
            self.pods[pod.name] = replace(pod, terminating=True, ready=False, deadline=self.now + 45)

    def edit(self, **spec: Any) -> None:
        meta = {**self.run["metadata"], "generation": self.run["metadata"]["generation"] + 1}
        self.run = {**self.run, "metadata": meta, "spec": {**self.run["spec"], **spec}}

    def change(self, name: str, **facts: Any) -> None:
        self.pods[name] = replace(self.pods[name], **facts)

    def start_pods(self) -> None:
        """The kubelet's part: what waits runs and is ready, what terminates is gone."""
        for pod in list(self.pods.values()):
            if pod.terminating:
                del self.pods[pod.name]
            elif pod.phase == "Pending":
                self.change(pod.name, phase="Running", ready=True, scheduled=True, node="node-1")

    def end(self, name: str, code: int, **facts: Any) -> None:
        phase = "Failed" if code else "Succeeded"
        self.change(name, phase=phase, ready=False, exit_code=code, **facts)

    def beat(self, *, busy: Mapping[str, int] | None = None, **learner: Any) -> None:
        """What Redis says now."""
        workers = {
            name: Heartbeat(who=name, role="worker", at=self.now, detail={"busy": phones})
            for name, phones in (busy or {}).items()
        }
        beat = Heartbeat(who="learner", role="learner", at=self.now, detail=learner)
        self.numbers = Numbers(at=self.now, counters=ZERO, learner=beat, workers=workers)

    def running(self) -> Sim:
        """Up to a run that trains."""
        self.look()
        self.start_pods()
        self.beat(phase="collecting", step=0, version=0)
        self.look()
        return self
