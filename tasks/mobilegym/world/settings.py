"""Settings: networks, devices, storage and the phone's own particulars."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

from mobilegym.world import words
from mobilegym.world.dates import Locale
from mobilegym.world.os import APPS

if TYPE_CHECKING:
    from mobilegym.world.world import World

MB = 1_000_000
GB = 1000 * MB

# name and kind
DEVICES: dict[Locale, tuple[tuple[str, str], ...]] = {
    "en": (
        ("Pebble Buds", "headphones"),
        ("Kitchen Speaker", "speaker"),
        ("Stride Watch", "watch"),
        ("Desk Keyboard", "keyboard"),
        ("Copper Car", "car"),
        ("Living Room TV", "tv"),
        ("Wren Headset", "headphones"),
        ("Studio Speaker", "speaker"),
        ("Heron Watch", "watch"),
        ("Attic TV", "tv"),
    ),
    "zh": (
        ("卵石耳机", "headphones"),
        ("厨房音箱", "speaker"),
        ("步迹手表", "watch"),
        ("书桌键盘", "keyboard"),
        ("铜线汽车", "car"),
        ("客厅电视", "tv"),
        ("雀鸟耳机", "headphones"),
        ("工作室音箱", "speaker"),
        ("白鹭手表", "watch"),
        ("阁楼电视", "tv"),
    ),
}
MODELS: dict[Locale, tuple[str, ...]] = {
    "en": ("Alder 7", "Alder 9", "Copper 5", "Copper 6", "Lantern 3", "Lantern 4", "Heron 2", "Heron 8"),
    "zh": ("桤木7", "桤木9", "铜巷5", "铜巷6", "灯湖3", "灯湖4", "白鹭2", "白鹭8"),
}
# Easy to read and to type: a word and four digits.
PASSWORD_WORDS = ("lamp", "harbor", "fern", "kiln", "tide", "maple", "stone", "river")
SECURED = 6  # of the networks of this world, the rest are open


def settings(world: World) -> dict[str, Any]:
    """`PhoneState.apps.settings`."""
    rng = world.rng("settings")
    return {"data": _data(world, rng), "ui": {"search": "", "passwordInput": "", "showPassword": False, "input": ""}}


def _data(world: World, rng: random.Random) -> dict[str, Any]:
    owner, model = world.owner, rng.choice(MODELS[world.locale])
    name = f"{owner.given}的{model}" if world.locale == "zh" else f"{owner.given}'s {model.split()[0]}"
    version = f"{rng.randint(3, 6)}.{rng.randint(0, 9)}"
    return {
        "networks": _networks(world.locale, rng),
        "bluetoothDevices": _devices(world.locale, rng),
        "hotspot": {"name": f"{model.split()[0]}-{rng.randint(10, 99)}", "password": password(rng)},
        "dataUsed": rng.randint(11, 98) * GB // 10,
        "deviceName": name,
        "model": model,
        "osVersion": version,
        "build": f"{version}.{rng.randint(100, 999)}",
        "serial": "".join(rng.choice("BCDFGHKMPRTVWX") for _ in range(2)) + str(rng.randint(100_000, 999_999)),
        "phoneNumber": owner.number,
        "storage": _storage(rng),
        "batteryPercent": rng.randint(21, 97),
        "batteryUse": _battery_use(rng),
        "networkZone": world.zone,
    }


def password(rng: random.Random) -> str:
    return f"{rng.choice(PASSWORD_WORDS)}{rng.randint(1000, 9999)}"


def _networks(locale: Locale, rng: random.Random) -> dict[str, Any]:
    """The first network is the owner's own, saved and joined; one or two more are saved."""
    names = words.WIFI[locale]
    saved = {names[0], *rng.sample(names[1:], rng.randint(1, 2))}
    secured = {names[0], *rng.sample(names[1:], SECURED - 1)}
    return {
        name: {
            "name": name,
            "secured": name in secured,
            "saved": name in saved,
            "strength": 3 if name == names[0] else rng.randint(0, 3),
            "password": password(rng) if name in secured else "",
        }
        for name in names
    }


def _devices(locale: Locale, rng: random.Random) -> dict[str, Any]:
    known = DEVICES[locale]
    paired = set(rng.sample(known, rng.randint(3, 5)))
    connected = rng.choice(sorted(paired)) if rng.random() < 0.5 else None
    return {
        name: {
            "name": name,
            "kind": kind,
            "paired": (name, kind) in paired,
            "connected": (name, kind) == connected,
        }
        for name, kind in known
    }


def _storage(rng: random.Random) -> dict[str, Any]:
    """Free space is a whole number of 0.1 GB, so that its one decimal on the screen is exact."""
    by_app = {app: rng.randint(18, 240) * MB for app in APPS}
    cache = {app: rng.randint(3, 95) * MB for app in APPS}
    apps = sum(by_app.values()) + sum(cache.values())
    return {
        "total": rng.choice((64, 128, 256)) * GB,
        "byKind": {
            "system": rng.randint(95, 140) * GB // 10 - apps,
            "photos": rng.randint(51, 189) * GB // 10,
            "videos": rng.randint(31, 129) * GB // 10,
            "music": rng.randint(11, 69) * GB // 10,
            "documents": rng.randint(2, 9) * GB // 10,
        },
        "byApp": by_app,
        "cache": cache,
    }


def _battery_use(rng: random.Random) -> dict[str, int]:
    """All different, so that one app uses most."""
    return dict(zip(APPS, rng.sample(range(1, 31), len(APPS)), strict=True))
