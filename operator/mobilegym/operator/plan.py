"""What is to be done for a run: the outcome of looking at it once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, kw_only=True, slots=True)
class Ref:
    """An object to delete. `uid` guards against deleting a successor of the same name."""

    kind: str
    name: str
    uid: str
    grace: int | None = None  # seconds; None: the object's own


@dataclass(frozen=True, kw_only=True, slots=True)
class Note:
    """A Kubernetes event on the run."""

    type: str  # Normal | Warning
    reason: str
    message: str


@dataclass(frozen=True, kw_only=True)
class Plan:
    """Carried out in this order: status where `status_first`, apply, delete, status, notes.

    `status_first` is for counters that must be written down before what they count is deleted.
    """

    apply: tuple[dict[str, Any], ...] = ()
    delete: tuple[Ref, ...] = ()
    status: dict[str, Any] | None = None  # None: leave it
    status_first: bool = False
    notes: tuple[Note, ...] = ()
    replicas: int | None = None  # for the scale subresource
    delete_run: bool = False  # its time after finishing is over
    again_after: float | None = None  # seconds, where time alone changes something
