"""What keeps a pod from being ready, in a reason and words with the next step."""

from __future__ import annotations

from collections.abc import Sequence

from mobilegym.operator.observed import Pod, Refusal
from mobilegym.operator.status import Reason
from mobilegym.operator.trainer import SETUP, end_of

IMAGE = frozenset({"ErrImagePull", "ImagePullBackOff", "InvalidImageName", "ErrImageNeverPull"})
CONFIG = frozenset({"CreateContainerConfigError", "CreateContainerError", "RunContainerError"})

Ailment = tuple[Reason, str]
ORDER = (
    Reason.QUOTA_EXCEEDED,
    Reason.CREATE_REFUSED,
    Reason.SETUP_WRONG,
    Reason.IMAGE_UNAVAILABLE,
    Reason.CRASH_LOOP,
    Reason.VOLUME_PENDING,
    Reason.UNSCHEDULABLE,
)


def ailment(pod: Pod) -> Ailment | None:
    """None for a pod that is well, or that only needs time."""
    look = f"kubectl describe pod {pod.name}"
    if pod.waiting in IMAGE:
        what = _first_line(pod.message) or pod.waiting
        return Reason.IMAGE_UNAVAILABLE, f"{pod.name}: image cannot be pulled: {what}; check the image, or {look}"
    if pod.waiting in CONFIG:
        return Reason.SETUP_WRONG, f"{pod.name}: {_first_line(pod.message) or pod.waiting}; {look}"
    if pod.waiting == "CrashLoopBackOff" or (pod.restarts >= 2 and not pod.ready):
        logs = f"kubectl logs {pod.name} --previous"
        if pod.exit_code == SETUP:
            return Reason.SETUP_WRONG, f"{pod.name}: its set-up is wrong (exit 2): {logs} says what to change"
        return Reason.CRASH_LOOP, f"{pod.name}: ended {pod.restarts} times, last {end_of(pod)}: {logs}"
    if not pod.scheduled and pod.waiting:
        if "persistentvolumeclaim" in pod.message.lower() or "persistent volume" in pod.message.lower():
            return Reason.VOLUME_PENDING, f"{pod.name}: {_first_line(pod.message)}; kubectl get pvc"
        return Reason.UNSCHEDULABLE, f"{pod.name}: {_first_line(pod.message) or 'no node takes it'}; {look}"
    return None


def refused(refusal: Refusal) -> Ailment:
    if refusal.quota:
        return Reason.QUOTA_EXCEEDED, f"{refusal.what}: {_first_line(refusal.message)}; kubectl describe quota"
    return Reason.CREATE_REFUSED, f"{refusal.what}: {_first_line(refusal.message)}"


def worst(pods: Sequence[Pod], refusal: Refusal | None) -> Ailment | None:
    """The most telling one, and how many share its reason."""
    found = [a for pod in pods if pod.alive and (a := ailment(pod)) is not None]
    if refusal is not None:
        return refused(refusal)
    if not found:
        return None
    reason, words = min(found, key=lambda a: (ORDER.index(a[0]), a[1]))
    others = sum(1 for a in found if a[0] is reason) - 1
    return reason, words + (f" (and {others} more like it)" if others else "")


def _first_line(text: str, most: int = 300) -> str:
    line = text.strip().splitlines()[0] if text.strip() else ""
    return line if len(line) <= most else f"{line[: most - 3]}..."
