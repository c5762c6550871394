"""Schema of a run's status: what the operator writes and a person reads."""

from __future__ import annotations

from mobilegym.operator.crd.resolve import Schema
from mobilegym.operator.status import Phase

MESSAGE_LENGTH = 32_768


def _text(description: str, length: int = 256) -> Schema:
    return {"description": description, "type": "string", "maxLength": length}


def _fraction(description: str) -> Schema:
    return _text(description, 32)


def _count(description: str) -> Schema:
    return {"description": description, "type": "integer", "format": "int64"}


def _instant(description: str) -> Schema:
    return {"description": description, "type": "string", "format": "date-time"}


def _group(description: str, **properties: Schema) -> Schema:
    return {"description": description, "type": "object", "properties": properties}


def _conditions() -> Schema:
    fields = {
        "type": _text("what is told: Validated, StreamReady, WorkersReady, LearnerReady, ...", 64),
        "status": {"description": "whether it holds", "type": "string", "enum": ["True", "False", "Unknown"]},
        "reason": _text("why, in one word from a closed set", 128),
        "message": _text("why, in words", MESSAGE_LENGTH),
        "lastTransitionTime": _instant("when the status changed"),
        "observedGeneration": _count("metadata.generation that this was seen at"),
    }
    return {
        "description": "what holds and what does not, each with a reason",
        "type": "array",
        "maxItems": 32,
        "x-kubernetes-list-type": "map",
        "x-kubernetes-list-map-keys": ["type"],
        "items": {
            "type": "object",
            "required": ["type", "status", "reason", "message", "lastTransitionTime"],
            "properties": fields,
        },
    }


def status_schema() -> Schema:
    """Closed: a field that is not named here is dropped by the API server."""
    return _group(
        "What the operator last saw. Fractions are text.",
        phase={"description": "where the run stands", "type": "string", "enum": [phase.value for phase in Phase]},
        reason=_text("why, in one word: the reason of the condition that matters most", 128),
        message=_text("why, in words", MESSAGE_LENGTH),
        observedGeneration=_count("metadata.generation that this status is about"),
        conditions=_conditions(),
        step=_count("training steps taken"),
        totalSteps=_count("training steps asked for"),
        progressPercentage=_count("step of totalSteps, 0 to 100"),
        policyVersion=_count("of the weights that the engine serves"),
        successRate=_fraction("share of successful episodes in the last step"),
        heldOutSuccessRate=_fraction("share of successful episodes in the last evaluation"),
        rewardMean=_fraction("mean reward in the last step"),
        trajectoriesPerMinute=_count("that workers finish, over the last minutes"),
        stream=_stream(),
        workers=_workers(),
        selector=_text("label selector of the worker pods, for the scale subresource", 512),
        learner=_learner(),
        autoscaler=_group(
            "The last decision about workers.replicas.",
            lastScaleTime=_instant("when replicas changed"),
            recommended=_count("replicas that the learner would not starve with"),
            reason=_text("why", 1024),
        ),
        startTime=_instant("when the operator took the run up"),
        resumeTime=_instant("when the last suspension ended"),
        runningTime=_instant("when the learner began to train"),
        suspendedSeconds=_count("that the run was suspended, in all"),
        suspendTime=_instant("when the suspension that lasts began"),
        completionTime=_instant("when the run succeeded or failed"),
        children=_text("hash of the objects made for the run", 64),
    )


def _stream() -> Schema:
    return _group(
        "The stream between workers and learner.",
        depth=_count("trajectories that wait unread"),
        pending=_count("trajectories that are read and not yet acknowledged"),
        oldestAgeSeconds=_count("that the oldest unread trajectory waits"),
        stale=_count("trajectories discarded because their policy was too old"),
        dead=_count("entries kept aside after three deliveries"),
        lost=_count("episodes that are in no stream and no ledger: 0, or something is wrong"),
    )


def _workers() -> Schema:
    return _group(
        "The worker pods.",
        desired=_count("that should be there: workers.replicas, or 0 while suspended or finished"),
        replicas=_count("that are there, for the scale subresource"),
        ready=_count("whose phones are open"),
        busy=_count("that play an episode"),
        draining=_count("that finish their episodes and go"),
        failed=_count("that cannot start or keep crashing"),
    )


def _learner() -> Schema:
    return _group(
        "The learner's pod.",
        pod=_text("its name"),
        node=_text("where it runs"),
        phase=_text("what it does: loading, training, saving, ...", 64),
        failures=_count("that count toward learner.backoffLimit"),
        preemptions=_count("that do not count"),
        lastFailureUid=_text("of the pod that failed last", 64),
        lastFailureTime=_instant("when it failed"),
        lastFailureStep=_count("training step that it failed at"),
        lastStepTime=_instant("when it took its last step"),
        lastCheckpointStep=_count("of the newest complete checkpoint"),
        lastCheckpointTime=_instant("of the newest complete checkpoint"),
        lastHeartbeatTime=_instant("when it was last heard of"),
    )
