"""World(seed, locale): one invented life, drawn once, from which every app's data is made."""

from __future__ import annotations

import datetime
import hashlib
import importlib
import random
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import msgspec

from mobilegym.world import dates
from mobilegym.world.dates import Locale
from mobilegym.world.os import APPS, os
from mobilegym.world.people import Person, draw_people


@dataclass(frozen=True)
class World:
    """Everything is a function of these two. Equal worlds make equal states, on every machine."""

    seed: int
    locale: Locale = "en"

    def rng(self, name: str) -> random.Random:
        """A random stream of its own for each name: what one part draws never moves another part."""
        digest = hashlib.sha256(f"{self.seed}\x00{self.locale}\x00{name}".encode()).digest()
        return random.Random(int.from_bytes(digest[:8], "big"))

    @property
    def zone(self) -> str:
        """IANA zone of the phone."""
        return dates.ZONES[self.locale]

    @cached_property
    def now(self) -> int:
        """The phone's clock at the start, Unix milliseconds."""
        return dates.draw_now(self.rng("now"), self.zone)

    @cached_property
    def today(self) -> datetime.date:
        return dates.wall(self.now, self.zone).date()

    @cached_property
    def minute(self) -> int:
        """Minutes after midnight of the phone's now."""
        wall = dates.wall(self.now, self.zone)
        return wall.hour * 60 + wall.minute

    def at(self, days: int, minute: int) -> int:
        """Unix milliseconds of a wall time `days` from today."""
        return dates.instant(self.today + datetime.timedelta(days=days), minute, self.zone)

    @cached_property
    def everyone(self) -> tuple[Person, ...]:
        """The owner first, then the others."""
        return draw_people(self.rng("people"), self.locale, self.today.year)

    @property
    def owner(self) -> Person:
        return self.everyone[0]

    @property
    def people(self) -> tuple[Person, ...]:
        """All but the owner, 40 to 80."""
        return self.everyone[1:]

    def state(self) -> dict[str, Any]:
        """A whole, fresh PhoneState; the caller may edit it."""
        state: dict[str, Any] = msgspec.json.decode(_written(self))
        return state


@lru_cache(maxsize=128)
def _written(world: World) -> bytes:
    """The state as JSON; many templates ask for the same world."""
    return msgspec.json.encode({"version": 1, "os": os(world), "apps": {app: _app(world, app) for app in APPS}})


def _app(world: World, app: str) -> dict[str, Any]:
    """Each app's maker is the function of its name in `mobilegym.world.<app>`."""
    made: dict[str, Any] = getattr(importlib.import_module(f"mobilegym.world.{app}"), app)(world)
    return made
