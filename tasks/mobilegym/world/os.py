"""The system's part of a fresh phone: unlocked, on the launcher, everything granted or asked as out of the box."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mobilegym.world import words

if TYPE_CHECKING:
    from mobilegym.world.world import World

APPS = ("clock", "notes", "contacts", "settings")
# Ids are drawn from this counter on; those of the world lie below it.
FIRST_RANDOM = 1000


def os(world: World) -> dict[str, Any]:
    """`PhoneState.os`."""
    return {
        "clock": {"now": world.now, "zone": world.zone},
        "locale": world.locale,
        "random": FIRST_RANDOM + world.rng("os.random").randrange(1_000_000),
        "nav": {"active": "launcher", "stacks": {}, "recents": []},
        "overlay": "none",
        "launcher": {"page": 0, "order": list(APPS), "dock": [], "search": None},
        "scroll": {},
        "focus": None,
        "keyboard": {"layer": "letters", "pinyin": ""},
        "dialog": None,
        "intent": None,
        "toast": None,
        "notifications": {},
        "permissions": {app: {"notifications": "granted"} for app in APPS},
        "clipboard": "",
        "settings": settings(world),
    }


def settings(world: World) -> dict[str, Any]:
    """`os.settings`: radios, screen and sound as this owner left them."""
    rng = world.rng("os.settings")
    percent = range(10, 100, 10)
    return {
        "wifi": True,
        "wifiNetwork": words.WIFI[world.locale][0],
        "bluetooth": rng.random() < 0.5,
        "mobileData": True,
        "airplane": False,
        "hotspot": False,
        "location": rng.random() < 0.5,
        "flashlight": False,
        "batterySaver": rng.random() < 0.3,
        "darkMode": rng.random() < 0.25,
        "brightness": rng.choice(range(40, 100, 10)),
        "adaptiveBrightness": rng.random() < 0.5,
        "fontScale": 1,
        "screenTimeout": rng.choice((15, 30, 60, 120)),
        "autoRotate": rng.random() < 0.5,
        "soundMode": rng.choice(("sound", "sound", "vibrate")),
        "volume": {stream: rng.choice(percent) for stream in ("media", "ring", "alarm", "notifications")},
        "ringtone": rng.choice(("tide", "lantern", "copper")),
        "doNotDisturb": False,
        "hour24": world.locale == "zh" or rng.random() < 0.3,
        "autoTime": True,
    }
