"""How an episode ended."""

from enum import StrEnum


class EpisodeStatus(StrEnum):
    """Closed set of endings. Only a rewarded ending carries a reward; the others are leased again."""

    COMPLETED = "completed"  # the agent said it was done
    TRUNCATED = "truncated"  # out of steps
    AGENT_ERROR = "agent_error"  # the agent could not be understood too many times in a row
    ENV_ERROR = "env_error"  # the phone or its browser failed
    POLICY_ERROR = "policy_error"  # the engine failed or ran out of time
    ABORTED = "aborted"  # drained or cancelled

    @property
    def rewarded(self) -> bool:
        return self in (EpisodeStatus.COMPLETED, EpisodeStatus.TRUNCATED, EpisodeStatus.AGENT_ERROR)

    @property
    def retried(self) -> bool:
        return not self.rewarded


class RunState(StrEnum):
    """What a run asks of its processes."""

    RUNNING = "running"
    DRAINING = "draining"  # finish what is leased, lease nothing new
    DONE = "done"

    @property
    def leases(self) -> bool:
        return self is RunState.RUNNING
