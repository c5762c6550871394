"""Settings: switches, sound, display, language, time, apps, the phone itself."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from mobilegym.judge.answers import Choice, Expected, Text
from mobilegym.tasks.gestures import Gesture, both, do, fill, holds, scroll_to, slide, tap, until
from mobilegym.tasks.routes import Stop, at_last, reach
from mobilegym.tasks.template import Goal, State, Template, Unless, Unsuitable
from mobilegym.world import os as system
from mobilegym.world import settings as phone
from mobilegym.world.world import World

APP = "settings"
PAGES = (
    "network",
    "bluetooth",
    "sound",
    "display",
    "language",
    "dateTime",
    "apps",
    "location",
    "battery",
    "storage",
    "about",
)
APP_NAMES = {
    "clock": {"en": "Clock", "zh": "时钟"},
    "notes": {"en": "Notes", "zh": "便签"},
    "contacts": {"en": "Contacts", "zh": "通讯录"},
    "settings": {"en": "Settings", "zh": "设置"},
}


def row(key: str) -> Gesture:
    return tap("listitem", key=key)


def home(page: str) -> Stop:
    """The main list, on the way to one of its pages."""
    return Stop("home", scroll_to("listitem", key=page, order=lambda view: PAGES))


def setting(name: str, value: object) -> Goal:
    return Goal(f"{name} is {value}", lambda end: bool(end.at(f"os.settings.{name}") == value))


@dataclass(frozen=True)
class Switch:
    """A switch over `os.settings`: the page where it stands and what it is called."""

    name: str
    page: str
    en: str
    zh: str

    def steps(self, on: bool) -> list[Unless]:
        flip = Stop(self.page, tap("switch", key=self.name))
        return until(holds(f"os.settings.{self.name}", on), at_last(APP, home(self.page), flip))


SWITCHES = {
    s.name: s
    for s in (
        Switch("darkMode", "display", "dark mode", "深色模式"),
        Switch("adaptiveBrightness", "display", "adaptive brightness", "自动调节亮度"),
        Switch("autoRotate", "display", "auto-rotate", "自动旋转"),
        Switch("doNotDisturb", "sound", "do not disturb", "勿扰"),
        Switch("mobileData", "network", "mobile data", "移动数据"),
        Switch("bluetooth", "bluetooth", "Bluetooth", "蓝牙"),
        Switch("location", "location", "location", "位置信息"),
        Switch("batterySaver", "battery", "battery saver", "省电模式"),
        Switch("hour24", "dateTime", "the 24-hour clock", "24小时制"),
    )
}


def on_word(on: bool, locale: str) -> str:
    return ("开启" if on else "关闭") if locale == "zh" else ("on" if on else "off")


@dataclass(frozen=True)
class OneSwitch:
    name: str
    on: bool


class SetSwitch(Template[OneSwitch]):
    id = "settings.set-switch"
    apps = (APP,)
    goal: ClassVar = {"en": "Turn {on} {switch}.", "zh": "{on}{switch}。"}

    def sample(self, world: World, rng: random.Random) -> OneSwitch:
        return OneSwitch(rng.choice(sorted(SWITCHES)), rng.random() < 0.6)

    def setup(self, state: State, params: OneSwitch) -> None:
        state["os"]["settings"][params.name] = not params.on

    def goals(self, params: OneSwitch) -> Sequence[Goal]:
        return [setting(params.name, params.on)]

    def allowed(self, params: OneSwitch) -> Sequence[str]:
        return [f"os.settings.{params.name}"]

    def solve(self, params: OneSwitch) -> Sequence[Unless]:
        return SWITCHES[params.name].steps(params.on)

    def words(self, params: OneSwitch, locale: str) -> dict[str, str]:
        return {"on": on_word(params.on, locale), "switch": getattr(SWITCHES[params.name], locale)}


@dataclass(frozen=True)
class TwoSwitches:
    first: str
    first_on: bool
    second: str
    second_on: bool


class SetTwoSwitches(Template[TwoSwitches]):
    id = "settings.set-two-switches"
    apps = (APP,)
    goal: ClassVar = {
        "en": "Turn {first_on} {first} and turn {second_on} {second}.",
        "zh": "{first_on}{first}，并{second_on}{second}。",
    }

    def sample(self, world: World, rng: random.Random) -> TwoSwitches:
        first, second = rng.sample(sorted(SWITCHES), 2)
        if SWITCHES[first].page == SWITCHES[second].page:
            raise Unsuitable("two switches of one page")
        return TwoSwitches(first, rng.random() < 0.5, second, rng.random() < 0.5)

    def setup(self, state: State, params: TwoSwitches) -> None:
        state["os"]["settings"] |= {params.first: not params.first_on, params.second: not params.second_on}

    def goals(self, params: TwoSwitches) -> Sequence[Goal]:
        return [setting(params.first, params.first_on), setting(params.second, params.second_on)]

    def allowed(self, params: TwoSwitches) -> Sequence[str]:
        return [f"os.settings.{params.first}", f"os.settings.{params.second}"]

    def solve(self, params: TwoSwitches) -> Sequence[Unless]:
        return SWITCHES[params.first].steps(params.first_on) + SWITCHES[params.second].steps(params.second_on)

    def words(self, params: TwoSwitches, locale: str) -> dict[str, str]:
        return {
            "first": getattr(SWITCHES[params.first], locale),
            "second": getattr(SWITCHES[params.second], locale),
            "first_on": on_word(params.first_on, locale),
            "second_on": on_word(params.second_on, locale),
        }


STREAMS = {
    "media": {"en": "media", "zh": "媒体"},
    "ring": {"en": "ring", "zh": "铃声"},
    "alarm": {"en": "alarm", "zh": "闹钟"},
    "notifications": {"en": "notification", "zh": "通知"},
}
VOLUMES = {
    "media": ("Media volume", "媒体音量"),
    "ring": ("Ring volume", "铃声音量"),
    "alarm": ("Alarm volume", "闹钟音量"),
    "notifications": ("Notification volume", "通知音量"),
}


@dataclass(frozen=True)
class Volume:
    stream: str
    percent: int


class SetVolume(Template[Volume]):
    id = "settings.set-volume"
    apps = (APP,)
    goal: ClassVar = {"en": "Set the {stream} volume to {percent}.", "zh": "把{stream}音量调到{percent}。"}

    def sample(self, world: World, rng: random.Random) -> Volume:
        stream = rng.choice(sorted(STREAMS))
        now = system.settings(world)["volume"][stream]
        return Volume(stream, rng.choice([p for p in range(0, 101, 10) if p != now]))

    def goals(self, params: Volume) -> Sequence[Goal]:
        return [setting(f"volume.{params.stream}", params.percent)]

    def allowed(self, params: Volume) -> Sequence[str]:
        return [f"os.settings.volume.{params.stream}"]

    def solve(self, params: Volume) -> Sequence[Unless]:
        sound = Stop("sound", slide(params.percent, VOLUMES[params.stream]))
        return until(holds(f"os.settings.volume.{params.stream}", params.percent), at_last(APP, home("sound"), sound))

    def words(self, params: Volume, locale: str) -> dict[str, str]:
        return {"stream": STREAMS[params.stream][locale], "percent": str(params.percent)}


RINGTONES = {
    "tide": {"en": "Tide", "zh": "潮汐"},
    "lantern": {"en": "Lantern", "zh": "灯笼"},
    "copper": {"en": "Copper", "zh": "铜铃"},
    "meadow": {"en": "Meadow", "zh": "草甸"},
    "drizzle": {"en": "Drizzle", "zh": "细雨"},
    "heron": {"en": "Heron", "zh": "白鹭"},
    "pebble": {"en": "Pebble", "zh": "卵石"},
}


@dataclass(frozen=True)
class Chosen:
    value: Any


class SetRingtone(Template[Chosen]):
    id = "settings.set-ringtone"
    apps = (APP,)
    goal: ClassVar = {"en": "Change the ringtone to {value}.", "zh": "把来电铃声换成{value}。"}

    def sample(self, world: World, rng: random.Random) -> Chosen:
        return Chosen(rng.choice([r for r in RINGTONES if r != system.settings(world)["ringtone"]]))

    def goals(self, params: Chosen) -> Sequence[Goal]:
        return [setting("ringtone", params.value)]

    def allowed(self, params: Chosen) -> Sequence[str]:
        return ["os.settings.ringtone"]

    def solve(self, params: Chosen) -> Sequence[Unless]:
        return ringtone_steps(params.value)

    def words(self, params: Chosen, locale: str) -> dict[str, str]:
        return {"value": RINGTONES[params.value][locale]}


def ringtone_steps(ringtone: str) -> list[Unless]:
    stops = [home("sound"), Stop("sound", row("ringtone")), Stop("ringtone", tap("radio", key=ringtone))]
    return until(holds("os.settings.ringtone", ringtone), at_last(APP, *stops))


FONTS = {
    0.85: {"en": "Small", "zh": "小"},
    1: {"en": "Default", "zh": "默认"},
    1.15: {"en": "Large", "zh": "大"},
    1.3: {"en": "Largest", "zh": "最大"},
}


class SetFontSize(Template[Chosen]):
    id = "settings.set-font-size"
    apps = (APP,)
    goal: ClassVar = {"en": "Set the font size to {value}.", "zh": "把字体大小设为“{value}”。"}

    def sample(self, world: World, rng: random.Random) -> Chosen:
        return Chosen(rng.choice([scale for scale in FONTS if scale != system.settings(world)["fontScale"]]))

    def goals(self, params: Chosen) -> Sequence[Goal]:
        return [setting("fontScale", params.value)]

    def allowed(self, params: Chosen) -> Sequence[str]:
        return ["os.settings.fontScale"]

    def solve(self, params: Chosen) -> Sequence[Unless]:
        choose = Stop("fontSize", tap("radio", key=str(params.value)))
        stops = [home("display"), Stop("display", row("fontSize")), choose]
        return until(holds("os.settings.fontScale", params.value), at_last(APP, *stops))

    def words(self, params: Chosen, locale: str) -> dict[str, str]:
        return {"value": FONTS[params.value][locale]}


TIMEOUTS = {
    15: {"en": "15 seconds", "zh": "15秒"},
    30: {"en": "30 seconds", "zh": "30秒"},
    60: {"en": "1 minute", "zh": "1分钟"},
    120: {"en": "2 minutes", "zh": "2分钟"},
    300: {"en": "5 minutes", "zh": "5分钟"},
    600: {"en": "10 minutes", "zh": "10分钟"},
}


class SetScreenTimeout(Template[Chosen]):
    id = "settings.set-screen-timeout"
    apps = (APP,)
    goal: ClassVar = {"en": "Let the screen turn off after {value}.", "zh": "把自动锁屏时间设为{value}。"}

    def sample(self, world: World, rng: random.Random) -> Chosen:
        return Chosen(rng.choice([s for s in TIMEOUTS if s != system.settings(world)["screenTimeout"]]))

    def goals(self, params: Chosen) -> Sequence[Goal]:
        return [setting("screenTimeout", params.value)]

    def allowed(self, params: Chosen) -> Sequence[str]:
        return ["os.settings.screenTimeout"]

    def solve(self, params: Chosen) -> Sequence[Unless]:
        choose = Stop("screenTimeout", tap("radio", key=str(params.value)))
        stops = [home("display"), Stop("display", row("screenTimeout")), choose]
        return until(holds("os.settings.screenTimeout", params.value), at_last(APP, *stops))

    def words(self, params: Chosen, locale: str) -> dict[str, str]:
        return {"value": TIMEOUTS[params.value][locale]}


LANGUAGES = {"en": {"en": "English", "zh": "英文"}, "zh": {"en": "Chinese", "zh": "简体中文"}}


@dataclass(frozen=True)
class Language:
    language: str
    name: str
    on: bool


class SwitchLanguage(Template[Language]):
    id = "settings.switch-language"
    apps = (APP,)
    goal: ClassVar = {
        "en": "Turn {on} {switch}, then set the phone's language to {language}.",
        "zh": "先{on}{switch}，再把手机语言改为{language}。",
    }

    def sample(self, world: World, rng: random.Random) -> Language:
        return Language("en" if world.locale == "zh" else "zh", rng.choice(sorted(SWITCHES)), rng.random() < 0.5)

    def setup(self, state: State, params: Language) -> None:
        state["os"]["settings"][params.name] = not params.on

    def goals(self, params: Language) -> Sequence[Goal]:
        language = Goal(f"language is {params.language}", lambda end: bool(end.at("os.locale") == params.language))
        return [setting(params.name, params.on), language]

    def allowed(self, params: Language) -> Sequence[str]:
        return [f"os.settings.{params.name}", "os.locale"]

    def solve(self, params: Language) -> Sequence[Unless]:
        choose = Stop("language", tap("radio", key=params.language))
        change = until(holds("os.locale", params.language), at_last(APP, home("language"), choose))
        return [*SWITCHES[params.name].steps(params.on), *change]

    def words(self, params: Language, locale: str) -> dict[str, str]:
        switch = getattr(SWITCHES[params.name], locale)
        return {"on": on_word(params.on, locale), "switch": switch, "language": LANGUAGES[params.language][locale]}


ZONES = {
    "Pacific/Honolulu": {"en": "Honolulu", "zh": "檀香山"},
    "America/Los_Angeles": {"en": "Los Angeles", "zh": "洛杉矶"},
    "America/Denver": {"en": "Denver", "zh": "丹佛"},
    "America/Chicago": {"en": "Chicago", "zh": "芝加哥"},
    "America/New_York": {"en": "New York", "zh": "纽约"},
    "America/Sao_Paulo": {"en": "São Paulo", "zh": "圣保罗"},
    "Europe/London": {"en": "London", "zh": "伦敦"},
    "Europe/Paris": {"en": "Paris", "zh": "巴黎"},
    "Africa/Cairo": {"en": "Cairo", "zh": "开罗"},
    "Africa/Nairobi": {"en": "Nairobi", "zh": "内罗毕"},
    "Asia/Dubai": {"en": "Dubai", "zh": "迪拜"},
    "Asia/Kolkata": {"en": "Kolkata", "zh": "加尔各答"},
    "Asia/Bangkok": {"en": "Bangkok", "zh": "曼谷"},
    "Asia/Shanghai": {"en": "Shanghai", "zh": "上海"},
    "Asia/Tokyo": {"en": "Tokyo", "zh": "东京"},
    "Australia/Sydney": {"en": "Sydney", "zh": "悉尼"},
    "Pacific/Auckland": {"en": "Auckland", "zh": "奥克兰"},
}


class SetTimeZone(Template[Chosen]):
    id = "settings.set-time-zone"
    apps = (APP,)
    goal: ClassVar = {
        "en": "Turn off automatic date and time, and set the time zone to {value}.",
        "zh": "关闭自动设置日期和时间，并把时区改为{value}。",
    }

    def sample(self, world: World, rng: random.Random) -> Chosen:
        return Chosen(rng.choice([zone for zone in ZONES if zone != world.zone]))

    def goals(self, params: Chosen) -> Sequence[Goal]:
        zone = Goal(f"zone is {params.value}", lambda end: bool(end.at("os.clock.zone") == params.value))
        return [setting("autoTime", False), zone]

    def allowed(self, params: Chosen) -> Sequence[str]:
        return ["os.settings.autoTime", "os.clock.zone"]

    def solve(self, params: Chosen) -> Sequence[Unless]:
        by_hand, zone = holds("os.settings.autoTime", False), holds("os.clock.zone", params.value)
        off = Stop("dateTime", tap("switch", key="autoTime"))
        choose = Stop("zones", scroll_to("radio", key=params.value, order=lambda view: list(ZONES)))
        return [
            *until(by_hand, at_last(APP, home("dateTime"), off)),
            *until(both(by_hand, zone), at_last(APP, home("dateTime"), Stop("dateTime", row("zone")), choose)),
        ]

    def words(self, params: Chosen, locale: str) -> dict[str, str]:
        return {"value": ZONES[params.value][locale]}


# Apps


def app_stops(app: str, onward: Gesture) -> list[Stop]:
    return [home("apps"), Stop("apps", row(app)), Stop("app", onward, {"app": app})]


class ClearCache(Template[Chosen]):
    id = "settings.clear-cache"
    apps = (APP,)
    goal: ClassVar = {"en": "Clear the cache of the {value} app.", "zh": "清除“{value}”应用的缓存。"}

    def sample(self, world: World, rng: random.Random) -> Chosen:
        return Chosen(rng.choice(sorted(APP_NAMES)))

    def goals(self, params: Chosen) -> Sequence[Goal]:
        path = f"apps.settings.data.storage.cache.{params.value}"
        return [Goal("the cache is empty", lambda end: bool(end.at(path) == 0))]

    def allowed(self, params: Chosen) -> Sequence[str]:
        return [f"apps.settings.data.storage.cache.{params.value}"]

    def solve(self, params: Chosen) -> Sequence[Unless]:
        clear = Stop("appStorage", tap("button", ("Clear cache", "清除缓存")), {"app": params.value})
        done = holds(f"apps.settings.data.storage.cache.{params.value}", 0)
        return until(done, at_last(APP, *app_stops(params.value, row("storage")), clear))

    def words(self, params: Chosen, locale: str) -> dict[str, str]:
        return {"value": APP_NAMES[params.value][locale]}


class SetAppNotifications(Template[OneSwitch]):
    id = "settings.set-app-notifications"
    apps = (APP,)
    goal: ClassVar = {"en": "Turn {on} notifications of the {name} app.", "zh": "{on}“{name}”应用的通知。"}

    def sample(self, world: World, rng: random.Random) -> OneSwitch:
        return OneSwitch(rng.choice(sorted(APP_NAMES)), rng.random() < 0.5)

    def setup(self, state: State, params: OneSwitch) -> None:
        state["os"]["permissions"].setdefault(params.name, {})["notifications"] = self._grant(not params.on)

    def _grant(self, on: bool) -> str:
        return "granted" if on else "denied"

    def _path(self, params: OneSwitch) -> str:
        return f"os.permissions.{params.name}.notifications"

    def goals(self, params: OneSwitch) -> Sequence[Goal]:
        wanted = self._grant(params.on)
        return [Goal(f"notifications are {wanted}", lambda end: bool(end.at(self._path(params)) == wanted))]

    def allowed(self, params: OneSwitch) -> Sequence[str]:
        return [self._path(params)]

    def solve(self, params: OneSwitch) -> Sequence[Unless]:
        stops = app_stops(params.name, tap("switch", key="notifications"))
        return until(holds(self._path(params), self._grant(params.on)), at_last(APP, *stops))

    def words(self, params: OneSwitch, locale: str) -> dict[str, str]:
        return {"on": on_word(params.on, locale), "name": APP_NAMES[params.name][locale]}


# The phone itself

NAMES = {
    "en": ("Blue Fern", "Harbor Lamp", "Old Kite", "Grey Heron", "Copper Pot", "Tall Pear", "Red Door", "Slow Boat"),
    "zh": ("蓝蕨", "港灯", "旧风筝", "灰鹭", "铜锅", "高梨树", "红门", "慢船"),
}


@dataclass(frozen=True)
class Named:
    name: str


class RenameDevice(Template[Named]):
    id = "settings.rename-device"
    apps = (APP,)
    goal: ClassVar = {"en": "Change the device name to {name}.", "zh": "把设备名称改为“{name}”。"}

    def sample(self, world: World, rng: random.Random) -> Named:
        return Named(rng.choice(NAMES[world.locale]))

    def goals(self, params: Named) -> Sequence[Goal]:
        path = "apps.settings.data.deviceName"
        return [Goal(f"the device is called {params.name}", lambda end: bool(end.at(path) == params.name))]

    def allowed(self, params: Named) -> Sequence[str]:
        return ["apps.settings.data.deviceName"]

    def solve(self, params: Named) -> Sequence[Unless]:
        stops = [home("about"), Stop("about", row("deviceName")), Stop("rename", params={"what": "deviceName"})]
        return until(
            holds("apps.settings.data.deviceName", params.name),
            reach(APP, *stops),
            fill(("Device name", "设备名称"), params.name),
            do(tap("button", ("Save", "保存")), "save"),
        )


FACTS = {
    "model": {"en": "model", "zh": "型号"},
    "osVersion": {"en": "system version", "zh": "系统版本"},
    "build": {"en": "build number", "zh": "版本号"},
    "serial": {"en": "serial number", "zh": "序列号"},
    "phoneNumber": {"en": "own phone number", "zh": "本机号码"},
}


@dataclass(frozen=True)
class Fact:
    """`among`: the other facts beside it, which are near misses."""

    kind: str
    value: str
    among: tuple[str, ...]


def fact(world: World, rng: random.Random, kinds: Sequence[str]) -> Fact:
    data = phone.settings(world)["data"]
    kind = rng.choice(sorted(kinds))
    return Fact(kind, data[kind], tuple(data[other] for other in FACTS if other != kind))


class ReadFact(Template[Fact]):
    id = "settings.read-fact"
    apps = (APP,)
    goal: ClassVar = {"en": "What is this phone's {kind}?", "zh": "这部手机的{kind}是什么？"}

    def sample(self, world: World, rng: random.Random) -> Fact:
        return fact(world, rng, list(FACTS))

    def goals(self, params: Fact) -> Sequence[Goal]:
        return []

    def allowed(self, params: Fact) -> Sequence[str]:
        return []

    def answer(self, params: Fact) -> Expected:
        return Text(params.value, params.among)

    def solve(self, params: Fact) -> Sequence[Unless]:
        return [reach(APP, home("about"), Stop("about"))]

    def words(self, params: Fact, locale: str) -> dict[str, str]:
        return {"kind": FACTS[params.kind][locale]}


KINDS = {"photos": {"en": "photos", "zh": "照片"}, "videos": {"en": "videos", "zh": "视频"}}


def size_text(size: int) -> str:
    """As the phone writes sizes from 1 GB on."""
    return f"{round(size / 100_000_000) / 10:g} GB"


class ReadStorage(Template[Fact]):
    id = "settings.read-storage"
    apps = (APP,)
    goal: ClassVar = {"en": "How much storage do {kind} take, in GB?", "zh": "{kind}占用了多少GB存储空间？"}

    def sample(self, world: World, rng: random.Random) -> Fact:
        sizes = {
            k: size_text(v) for k, v in phone.settings(world)["data"]["storage"]["byKind"].items() if v >= phone.GB
        }
        kind = rng.choice(sorted(KINDS))
        return Fact(kind, sizes[kind], tuple(text for other, text in sizes.items() if other != kind))

    def goals(self, params: Fact) -> Sequence[Goal]:
        return []

    def allowed(self, params: Fact) -> Sequence[str]:
        return []

    def answer(self, params: Fact) -> Expected:
        number = params.value.removesuffix(" GB")
        return Text(params.value, params.among, (number, f"{number}GB"))

    def solve(self, params: Fact) -> Sequence[Unless]:
        return [reach(APP, home("storage"), Stop("storage"))]

    def words(self, params: Fact, locale: str) -> dict[str, str]:
        return {"kind": KINDS[params.kind][locale]}


@dataclass(frozen=True)
class Extreme:
    most: bool
    app: str
    among: tuple[str, ...]


class ReadBatteryUse(Template[Extreme]):
    id = "settings.read-battery-use"
    apps = (APP,)
    goal: ClassVar = {
        "en": "Which app has used the {most} battery since the last charge?",
        "zh": "上次充电后，哪个应用用电{most}？",
    }

    def sample(self, world: World, rng: random.Random) -> Extreme:
        use = phone.settings(world)["data"]["batteryUse"]
        most = rng.random() < 0.5
        app = (max if most else min)(use, key=lambda name: use[name])
        others = tuple(APP_NAMES[name][world.locale] for name in use if name != app)
        return Extreme(most, APP_NAMES[app][world.locale], others)

    def goals(self, params: Extreme) -> Sequence[Goal]:
        return []

    def allowed(self, params: Extreme) -> Sequence[str]:
        return []

    def answer(self, params: Extreme) -> Expected:
        return Choice(params.app, params.among)

    def solve(self, params: Extreme) -> Sequence[Unless]:
        return [reach(APP, home("battery"), Stop("battery"))]

    def words(self, params: Extreme, locale: str) -> dict[str, str]:
        word = ("最多" if params.most else "最少") if locale == "zh" else ("most" if params.most else "least")
        return {"most": word}
