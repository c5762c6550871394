"""What is seen of one run at one moment: all that `plan` decides by."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from mobilegym.protocol.messages import Heartbeat
from mobilegym.protocol.streams.base import Counters


@dataclass(frozen=True, kw_only=True, slots=True)
class Pod:
    """The facts of one pod that matter. Times are unix seconds."""

    name: str
    uid: str
    part: str  # worker | learner
    index: int | None = None  # of a worker
    phase: str = "Pending"  # Pending | Running | Succeeded | Failed | Unknown
    ready: bool = False
    scheduled: bool = False
    terminating: bool = False
    deadline: float | None = None  # of a terminating pod: when its grace is over
    node: str = ""
    node_lost: bool = False  # its kubelet is silent
    created: float = 0.0
    restarts: int = 0
    exit_code: int | None = None  # of the main container that has ended, last or now
    signal: int | None = None
    waiting: str = ""  # reason: CrashLoopBackOff, ImagePullBackOff, CreateContainerConfigError, Unschedulable, ...
    message: str = ""
    disrupted: bool = False  # evicted, preempted, node lost: the DisruptionTarget condition or reason
    hash: str = ""

    @property
    def alive(self) -> bool:
        return not self.terminating and self.phase in ("Pending", "Running", "Unknown")

    @property
    def ended(self) -> bool:
        return self.phase in ("Succeeded", "Failed")


@dataclass(frozen=True, kw_only=True, slots=True)
class Child:
    """An owned object other than a pod, as the watch knows it."""

    kind: str
    name: str
    uid: str
    hash: str
    terminating: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class Numbers:
    """What Redis says of a run. `error` is in words where it does not answer."""

    at: float
    error: str = ""
    counters: Counters | None = None
    oldest_age: float | None = None  # seconds that the oldest unread trajectory waits
    learner: Heartbeat | None = None  # also an expired one: `at` tells its age
    workers: Mapping[str, Heartbeat] = field(default_factory=dict)  # by pod name; live ones


@dataclass(frozen=True, kw_only=True, slots=True)
class Refusal:
    """The last write that the API server refused, until one succeeds."""

    at: float
    what: str  # kind/name
    reason: str  # of the API's Status: Forbidden, Invalid, ...
    message: str
    quota: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class Advice:
    """What the autoscaler's memory adds. None where it cannot tell yet."""

    replicas: int | None = None  # wanted; only with autoscaling
    reason: str = ""
    words: str = ""
    starved: bool | None = None
    starved_words: str = ""
    trajectories_per_minute: float | None = None


@dataclass(frozen=True, kw_only=True)
class Observed:
    """`run` is the object as the API server gave it; `now` is unix seconds."""

    run: Mapping[str, Any]
    pods: tuple[Pod, ...] = ()
    children: Mapping[tuple[str, str], Child] = field(default_factory=dict)  # by kind and name
    numbers: Numbers | None = None
    refusal: Refusal | None = None
    advice: Advice = field(default_factory=Advice)
    redis_urls: Mapping[str, str] | None = None  # by role: of the run's Secret or the operator's own; None: not found
    now: float = 0.0
