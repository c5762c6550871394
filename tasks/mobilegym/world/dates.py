"""Dates of the world: instants are Unix milliseconds, wall times are of the world's zone; the host's are never read."""

from __future__ import annotations

import datetime
import random
from typing import Literal
from zoneinfo import ZoneInfo

Locale = Literal["en", "zh"]

ZONES: dict[Locale, str] = {"en": "America/New_York", "zh": "Asia/Shanghai"}
MINUTE = 60_000
HOUR = 60 * MINUTE
DAY = 24 * HOUR
FIRST = datetime.date(2026, 1, 5)
LAST = datetime.date(2027, 12, 20)


def draw_now(rng: random.Random, zone: str) -> int:
    """A quarter past something between 08:00 and 21:00 of a day between `FIRST` and `LAST`."""
    day = FIRST + datetime.timedelta(days=rng.randint(0, (LAST - FIRST).days))
    return instant(day, rng.randint(8, 20) * 60 + 15, zone)


def instant(day: datetime.date, minute: int, zone: str) -> int:
    """Unix milliseconds of `minute` minutes after midnight, on the wall clock of `zone`."""
    wall = datetime.datetime(day.year, day.month, day.day, minute // 60, minute % 60, tzinfo=ZoneInfo(zone))
    return int(wall.timestamp()) * 1000


def wall(at: int, zone: str) -> datetime.datetime:
    """The wall clock of `zone` at an instant."""
    return datetime.datetime.fromtimestamp(at / 1000, ZoneInfo(zone))
