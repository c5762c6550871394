"""How an episode ended: all that a judge may look at."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from mobilegym.judge.paths import at, covered, differences

State = Mapping[str, Any]  # a PhoneState document
Event = Mapping[str, Any]  # a PhoneEvent: seq, step, app, action, args, paths, at


@dataclass(frozen=True)
class Ending:
    """Two states, what happened between them, and what the agent said.

    `finished`: the agent declared success. `aborted`: it declared failure. Neither: it ran out of steps or was cut off.
    `steps`: agent steps taken; `budget`: the template's. `answer`: the last one given, as text.
    """

    initial: State
    final: State
    events: Sequence[Event] = ()
    answer: str | None = None
    finished: bool = False
    steps: int = 0
    budget: int = 1
    aborted: bool = False

    def at(self, path: str, default: Any = None) -> Any:
        """The final state's value at `apps.clock.data...` or `/apps/clock/data/...`; `default` where there is none."""
        return at(self.final, path, default)

    def was(self, path: str, default: Any = None) -> Any:
        """The initial state's value at a path."""
        return at(self.initial, path, default)

    @cached_property
    def _differences(self) -> tuple[str, ...]:
        return tuple(differences(self.initial, self.final))

    def changed(self, *patterns: str) -> tuple[str, ...]:
        """Pointers at which the two states differ, those that fit a pattern; all where none is given."""
        return tuple(p for p in self._differences if not patterns or covered(patterns, p))

    def added(self, path: str) -> dict[str, Any]:
        """Items of the record at `path` that were not there at the start, by id."""
        before = self.was(path, {})
        return {key: item for key, item in self.at(path, {}).items() if key not in before}

    def removed(self, path: str) -> dict[str, Any]:
        """Items of the record at `path` that are gone, by id, as they were."""
        after = self.at(path, {})
        return {key: item for key, item in self.was(path, {}).items() if key not in after}

    def actions(self, name: str | None = None) -> tuple[Event, ...]:
        """Events in order; of one action, `app.action`, where a name is given."""
        return tuple(e for e in self.events if name is None or f"{e['app']}.{e['action']}" == name)

    def start(self) -> Ending:
        """The same episode before anything was done."""
        return replace(self, final=self.initial, events=(), answer=None, finished=False, aborted=False, steps=0)
