"""The clock: alarms of a week, cities of people far away, an idle timer and stopwatch."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import count
from typing import Any

from mobilegym.world.cities import CITIES
from mobilegym.world.dates import Locale
from mobilegym.world.world import World

SOUNDS = ("dawn", "tide", "bell", "marimba", "birds", "pulse")
LABELS: dict[Locale, tuple[str, ...]] = {
    "en": (
        "Wake up",
        "Gym",
        "Gym bag",
        "Standup",
        "Medicine",
        "School run",
        "Laundry",
        "Tea",
        "Bus",
        "Bus home",
        "Dinner",
        "Yoga",
        "Plants",
        "Market",
        "Swim",
        "Bread",
        "Reading",
        "Lights out",
        "Stretch",
        "Choir",
    ),
    "zh": (
        "起床",
        "健身",
        "健身包",
        "晨会",
        "吃药",
        "送孩子",
        "洗衣服",
        "喝茶",
        "班车",
        "回程班车",
        "晚饭",
        "瑜伽",
        "浇花",
        "买菜",
        "游泳",
        "面包",
        "读书",
        "熄灯",
        "拉伸",
        "合唱团",
    ),
}
REPEATS: tuple[list[int], ...] = (
    [],
    [],
    [],
    [0, 1, 2, 3, 4],
    [0, 1, 2, 3, 4],
    [5, 6],
    [0, 2, 4],
    [1, 3],
    [0, 1, 2, 3, 4, 5, 6],
    [2],
    [6],
)
# An episode must not be disturbed: no alarm of the world stands between these minutes from now.
QUIET = (-20, 180)


def quiet(world: World, minute: int) -> bool:
    """Whether an alarm at this minute of the day stays silent for the next hours."""
    low, high = QUIET
    return not low <= (minute - world.minute) <= high and not low <= (minute - world.minute + 1440) <= high


def clock(world: World) -> dict[str, Any]:
    rng = world.rng("clock")
    ids = (f"a{n}" for n in count(1))
    alarms = list(_alarms(world, rng, ids))
    return {
        "data": {
            "alarms": {alarm["id"]: alarm for alarm in alarms},
            "cities": _cities(world, rng),
            "timer": {"duration": 0, "endsAt": None, "left": None, "label": ""},
            "stopwatch": {"startedAt": None, "elapsed": 0, "laps": []},
            "snoozeMinutes": rng.choice((5, 10, 15)),
            "silenceMinutes": rng.choice((5, 10)),
            "defaultSound": rng.choice(SOUNDS),
        },
        "ui": {
            "tab": "alarms",
            "draft": None,
            "time": "",
            "search": "",
            "timerInput": "",
            "timerLabel": "",
            "ringing": None,
        },
    }


def _alarms(world: World, rng: random.Random, ids: Iterator[str]) -> Iterator[dict[str, Any]]:
    """10 to 15, each at a time of its own; three of four are labelled, no label twice."""
    amount = rng.randint(10, 15)
    times = [hour * 60 + minute for hour in range(5, 24) for minute in range(0, 60, 5)]
    minutes = sorted(rng.sample([minute for minute in times if quiet(world, minute)], amount))
    labels = rng.sample(LABELS[world.locale], amount)
    enabled = [True, True, True, False, False, False, *(rng.random() < 0.5 for _ in range(amount - 6))]
    rng.shuffle(enabled)
    for minute, label, on in zip(minutes, labels, enabled, strict=True):
        yield {
            "id": next(ids),
            "minute": minute,
            "label": label if rng.random() < 0.75 else "",
            "enabled": on,
            "repeat": list(rng.choice(REPEATS)),
            "vibrate": rng.random() < 0.6,
            "sound": rng.choice(SOUNDS),
            "snoozedUntil": None,
        }


def _cities(world: World, rng: random.Random) -> list[str]:
    """4 to 8 cities, none in the phone's own zone."""
    away = [city.id for city in CITIES if city.zone != world.zone]
    return rng.sample(away, rng.randint(4, 8))
