"""The manifest as a whole, with the rules over several of its parts."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field, model_validator

from mobilegym.run.algorithm import AlgorithmSpec
from mobilegym.run.autoscaling import AutoscalingSpec
from mobilegym.run.base import Fraction, Int, Name, Part, Seconds, SpecError, Text
from mobilegym.run.learner import LearnerSpec
from mobilegym.run.model import ModelSpec
from mobilegym.run.tasks import TasksSpec
from mobilegym.run.workers import WorkersSpec

API_VERSION = "mobilegym.io/v1alpha1"
KIND = "MobileGymRun"
STREAM = "mobilegym.io/stream"  # annotation: the run's name in Redis, where it must differ from its own


class EngineSpec(Part):
    """Who samples: an OpenAI-compatible server somewhere (`url`), or one that the run starts itself."""

    url: Annotated[str, Field(pattern=r"^https?://[^\s]+$", max_length=1024)] | None = Field(
        default=None, description="of a server with the policy engine's interface; absent: the run starts one"
    )
    port: Annotated[Int, Field(ge=0, le=65535)] = Field(default=0, description="0: any free port")
    max_batch: Annotated[Int, Field(ge=1, le=4096)] = Field(default=16, description="sequences sampled at once, a GPU")


class RedisSecret(Part):
    """A Secret in the run's namespace, one of whose keys holds a Redis URL."""

    name: Name = Field(description="of the Secret")
    key: Annotated[str, Field(min_length=1, max_length=253, pattern=r"^[-._a-zA-Z0-9]+$")] = Field(
        default="url", description="of the Secret, holding the URL"
    )


class StreamSpec(Part):
    """What workers and learner exchange through Redis."""

    redis_secret: RedisSecret | None = Field(default=None, description="on a cluster: where the URL has a password")
    redis_url: Annotated[str, Field(pattern=r"^(rediss?|unix)://[^\s]+$", max_length=1024)] | None = Field(
        default=None, description="a Redis of the run's own where absent"
    )
    capacity: Annotated[Int, Field(ge=2, le=1_000_000)] = Field(
        default=1024, description="trajectories that may wait unread; workers wait when it is full"
    )
    claim_idle_seconds: Seconds = Field(default=120.0, description="a lease not renewed for so long is taken over")

    @model_validator(mode="after")
    def _one_redis(self) -> StreamSpec:
        if self.redis_secret is not None and self.redis_url is not None:
            raise SpecError("redisUrl", "give redisSecret or redisUrl, not both")
        return self


class BlobsSpec(Part):
    """Where screenshots are kept until they are trained on. Without a URL: the run's folder, or Redis on a cluster."""

    url: Annotated[str, Field(pattern=r"^[a-z0-9+]+://[^\s]+$", max_length=1024)] | None = Field(
        default=None, description="fsspec URL, for example s3://bucket/prefix"
    )
    secret: Name | None = Field(
        default=None, description="on a cluster: Secret whose keys become environment variables"
    )
    keep_seconds: Annotated[Int, Field(ge=60, le=30 * 86_400)] = Field(
        default=3600, description="that a screenshot lives in Redis"
    )


class Policies(StrEnum):
    MANAGED = "Managed"
    NONE = "None"


class NetworkSpec(Part):
    """On a cluster: pods of the run reach Redis, the engine, the blob store and DNS, and nothing else."""

    policies: Policies = Field(
        default=Policies.MANAGED, description="Managed: NetworkPolicies are made for the run; None: they are not"
    )


class CleanupPolicy(StrEnum):
    """Which pods go when the run has finished."""

    DELETE_WORKERS = "DeleteWorkers"
    DELETE_ALL = "DeleteAll"
    KEEP_ALL = "KeepAll"


class StopWhen(Part):
    """Ends the run before its last step."""

    success_rate: Annotated[Fraction, Field(gt=0, le=1)] | None = Field(
        default=None, description="held-out success that is enough"
    )
    evaluations: Annotated[Int, Field(ge=1, le=100)] = Field(default=1, description="in so many evaluations in a row")


class RunSpec(Part):
    """What is trained, how, and with how many phones."""

    tasks: TasksSpec = TasksSpec()
    model: ModelSpec
    algorithm: AlgorithmSpec = AlgorithmSpec()
    workers: WorkersSpec = WorkersSpec()
    learner: LearnerSpec = LearnerSpec()
    engine: EngineSpec = EngineSpec()
    stream: StreamSpec = StreamSpec()
    blobs: BlobsSpec = BlobsSpec()
    autoscaling: AutoscalingSpec = AutoscalingSpec()
    network: NetworkSpec = NetworkSpec()
    stop_when: StopWhen = StopWhen()
    suspend: bool = Field(
        default=False, description="no pods at all: workers drain, the learner checkpoints; refused on one machine"
    )
    managed_by: Text | None = Field(
        default=None, description="on a cluster: another controller's name; the operator then keeps off"
    )
    priority_class_name: Text | None = Field(default=None, description="on a cluster: of the learner's pod")
    active_deadline_seconds: Seconds | None = Field(default=None, description="that the run may run, suspensions aside")
    ttl_seconds_after_finished: Annotated[Int, Field(ge=0, le=365 * 86_400)] | None = Field(
        default=None, description="on a cluster: after which a finished run is deleted"
    )
    cleanup_policy: CleanupPolicy = Field(
        default=CleanupPolicy.DELETE_WORKERS, description="which pods go when the run has finished"
    )

    @model_validator(mode="after")
    def _agrees(self) -> RunSpec:
        episodes, ranks = self.algorithm.episodes_per_step, self.learner.world_size
        if episodes % ranks:
            shape = f"{self.algorithm.prompts_per_step} x {self.algorithm.group_size} = {episodes} episodes a step"
            raise SpecError("algorithm.promptsPerStep", f"{shape} must be divisible by the learner's {ranks} ranks")
        if self.stream.capacity < episodes:
            what = f"got {self.stream.capacity}, must be >= {episodes}, the episodes of one step"
            raise SpecError("stream.capacity", what)
        if self.stream.claim_idle_seconds <= self.workers.step_deadline_seconds:
            what = f"must be > workers.stepDeadlineSeconds ({self.workers.step_deadline_seconds:g})"
            got = f"got {self.stream.claim_idle_seconds:g}"
            raise SpecError("stream.claimIdleSeconds", f"{got}, {what}: a busy lease would be taken over")
        if self.autoscaling.enabled and (self.workers.min is None or self.workers.max is None):
            raise SpecError("workers.max", "autoscaling needs workers.min and workers.max")
        return self


class Metadata(Part):
    """Labels and annotations pass through to a cluster's objects."""

    name: Annotated[str, Field(min_length=1, max_length=40, pattern=r"^[a-z]([a-z0-9-]*[a-z0-9])?$")]
    namespace: Annotated[str, Field(min_length=1, max_length=63, pattern=r"^[a-z0-9]([a-z0-9-]*[a-z0-9])?$")] | None = (
        None
    )
    labels: Annotated[dict[Text, str], Field(default_factory=dict, max_length=64)]
    annotations: Annotated[dict[Text, str], Field(default_factory=dict, max_length=64)]


class MobileGymRun(Part):
    """One training run. The same document is run by `mobilegym run -f` and by `kubectl apply -f`."""

    api_version: Literal["mobilegym.io/v1alpha1"]
    kind: Literal["MobileGymRun"]
    metadata: Metadata
    spec: RunSpec

    @property
    def name(self) -> str:
        return self.metadata.name

    @property
    def stream_name(self) -> str:
        """The run's name in Redis: on a cluster two namespaces, or two lives, may share a name."""
        return self.metadata.annotations.get(STREAM, self.metadata.name)
