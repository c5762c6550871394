"""The words of a run's status: closed sets, and what they mean."""

from __future__ import annotations

from enum import StrEnum


class Phase(StrEnum):
    PENDING = "Pending"  # accepted; no pod has started
    STARTING = "Starting"  # pods start; the learner does not train yet
    RUNNING = "Running"
    SUSPENDING = "Suspending"  # pods are going
    SUSPENDED = "Suspended"
    SUCCEEDED = "Succeeded"
    FAILED = "Failed"

    @property
    def finished(self) -> bool:
        return self in (Phase.SUCCEEDED, Phase.FAILED)

    @property
    def active(self) -> bool:
        """Pods are wanted."""
        return self in (Phase.PENDING, Phase.STARTING, Phase.RUNNING)


class Kind(StrEnum):
    """Types of conditions."""

    VALIDATED = "Validated"
    STREAM_READY = "StreamReady"
    WORKERS_READY = "WorkersReady"
    LEARNER_READY = "LearnerReady"
    PROGRESSING = "Progressing"
    STARVED = "Starved"
    SUSPENDED = "Suspended"
    COMPLETE = "Complete"
    FAILED = "Failed"


class Reason(StrEnum):
    """Why a condition is as it is. A reader may switch on these."""

    # Validated
    VALID = "Valid"
    INVALID = "Invalid"
    UNKNOWN_SCHEMA = "UnknownSchema"  # the CRD is newer or older than this operator
    # StreamReady
    REDIS_ANSWERS = "RedisAnswers"
    REDIS_UNREACHABLE = "RedisUnreachable"
    REDIS_SECRET_MISSING = "RedisSecretMissing"
    NOT_ASKED = "NotAsked"  # nothing known yet
    # WorkersReady, LearnerReady
    ALL_READY = "AllReady"
    SOME_READY = "SomeReady"
    NONE_READY = "NoneReady"
    NONE_WANTED = "NoneWanted"
    TRAINING = "Training"
    LOADING = "Loading"
    UNSCHEDULABLE = "Unschedulable"
    IMAGE_UNAVAILABLE = "ImageUnavailable"
    CRASH_LOOP = "CrashLoop"
    SETUP_WRONG = "SetupWrong"  # exit 2: another try is of no use
    QUOTA_EXCEEDED = "QuotaExceeded"
    CREATE_REFUSED = "CreateRefused"
    VOLUME_PENDING = "VolumePending"
    PREEMPTED = "Preempted"
    RESTARTING = "Restarting"
    SILENT = "Silent"  # no heartbeat
    # Progressing
    LEARNING = "Learning"
    WAITING = "Waiting"
    STALLED = "Stalled"
    NOT_RUNNING = "NotRunning"
    # Starved
    FED = "Fed"
    TOO_FEW_PHONES = "TooFewPhones"
    # Suspended
    ASKED = "Asked"
    NOT_ASKED_TO = "NotSuspended"
    # Complete, Failed
    ALL_STEPS_TAKEN = "AllStepsTaken"
    STOPPED_EARLY = "StopWhenReached"
    NOT_FINISHED = "NotFinished"
    BACKOFF_LIMIT = "BackoffLimitExceeded"
    STARTUP_DEADLINE = "StartupDeadlineExceeded"
    RUNNING_DEADLINE = "ActiveDeadlineExceeded"
    HEALTHY = "Healthy"
