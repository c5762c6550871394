"""Tasks of the clock: alarms, world clock, timer, stopwatch."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, TypeVar
from zoneinfo import ZoneInfo

from mobilegym.judge.answers import Expected, Integer, Time
from mobilegym.judge.ending import Ending
from mobilegym.phone.action import AnyAction
from mobilegym.tasks.gestures import (
    Condition,
    back,
    both,
    do,
    either,
    ensure_app,
    fill,
    holds,
    need,
    on_screen,
    sees,
    tap,
    tap_node,
    until,
)
from mobilegym.tasks.reach import reach
from mobilegym.tasks.template import Goal, State, Template, Unless, Unsuitable
from mobilegym.tasks.view import View
from mobilegym.world import dates
from mobilegym.world.cities import BY_ID, CITIES
from mobilegym.world.clock import LABELS, SOUNDS, clock, quiet
from mobilegym.world.world import World

DATA = "apps.clock.data"
ALARMS = f"{DATA}.alarms"
SOUND_NAMES = {
    "dawn": ("Dawn", "破晓"),
    "tide": ("Tide", "潮汐"),
    "bell": ("Bell", "铃铛"),
    "marimba": ("Marimba", "木琴"),
    "birds": ("Birds", "鸟鸣"),
    "pulse": ("Pulse", "脉冲"),
}
DAYS = (
    ("Mon", "周一"),
    ("Tue", "周二"),
    ("Wed", "周三"),
    ("Thu", "周四"),
    ("Fri", "周五"),
    ("Sat", "周六"),
    ("Sun", "周日"),
)
PRESETS = {
    (0, 1, 2, 3, 4): ("Weekdays", "工作日"),
    (5, 6): ("Weekends", "周末"),
    (0, 1, 2, 3, 4, 5, 6): ("Every day", "每天"),
}
TABS = {
    "alarms": ("Alarms", "闹钟"),
    "world": ("World clock", "世界时钟"),
    "timer": ("Timer", "计时器"),
    "stopwatch": ("Stopwatch", "秒表"),
}
SAVE = ("Save", "保存")
TIME = ("Time", "时间")
LABEL = ("Label", "标签")
T = TypeVar("T")


# What the worlds hold


def alarms_of(world: World) -> list[dict[str, Any]]:
    """As a person reads them, by time of day."""
    return shown(clock(world)["data"]["alarms"])


def shown(alarms: Any) -> list[dict[str, Any]]:
    return sorted(alarms.values(), key=lambda a: (a["minute"], a["label"], a["id"]))


def order(view: View) -> Sequence[str]:
    return [alarm["id"] for alarm in shown(view.at(ALARMS, {}))]


def pick(rng: random.Random, items: Sequence[T], what: str) -> T:
    if not items:
        raise Unsuitable(f"no {what}")
    return rng.choice(items)


def said(minute: int, locale: str) -> str:
    """A time of day as a goal writes it: `7:30 PM`, `19:30`."""
    if locale == "zh":
        return f"{minute // 60:02d}:{minute % 60:02d}"
    return f"{(minute // 60 - 1) % 12 + 1}:{minute % 60:02d} {'AM' if minute < 720 else 'PM'}"


def draw_minute(world: World, rng: random.Random, taken: Sequence[dict[str, Any]]) -> int:
    """A time at which nothing is set and which an episode will not reach."""
    used = {alarm["minute"] for alarm in taken}
    return rng.choice([m for m in range(5 * 60, 24 * 60, 5) if m not in used and quiet(world, m)])


# Ways


def in_tab(tab: str) -> Condition:
    return both(on_screen("clock", "home"), sees("tab", TABS[tab], selected=True))


def to_tab(tab: str) -> list[Unless]:
    """The clock's front, at this tab."""
    return until(
        in_tab(tab),
        ensure_app("clock"),
        Unless(on_screen("clock", "home"), back(), "back to the front"),
        do(tap("tab", TABS[tab]), f"tab {tab}"),
    )


def in_form(key: str) -> Condition:
    """The form of this alarm is open; '' is a new one."""
    return lambda view: on_screen("clock", "alarm")(view) and view.at("apps.clock.ui.draft.id") == key


def new_form() -> list[Unless]:
    return until(in_form(""), *to_tab("alarms"), do(tap("button", ("Add alarm", "添加闹钟")), "new alarm"))


def form_of(key: str) -> list[Unless]:
    return until(in_form(key), *to_tab("alarms"), do(reach("listitem", key=key, order=order), "open the alarm"))


def days_step(days: Sequence[int]) -> Unless:
    """The chips of the form stand as wanted, by one of the three sets where that is shorter."""
    wanted = tuple(days)

    def now(view: View) -> tuple[int, ...]:
        return tuple(day for day, names in enumerate(DAYS) if view.visible("option", names, selected=True))

    def act(view: View) -> AnyAction:
        on = now(view)
        preset = PRESETS.get(wanted) or (PRESETS.get(on) if not wanted else None)
        if preset:
            return tap("option", preset)(view)
        wrong = next(day for day in range(7) if (day in on) != (day in wanted))
        return tap("option", DAYS[wrong])(view)

    def done(view: View) -> bool:
        return view.visible("option", DAYS[0]) and now(view) == wanted

    return Unless(done, act, f"repeat on {wanted}")


def save() -> Unless:
    return do(tap("button", SAVE), "save")


# Judging


def one_added(path: str, **values: Any) -> Goal:
    """Exactly one item is new, with these values, and none is gone."""

    def holds_(ending: Ending) -> bool:
        new = list(ending.added(path).values())
        fits = len(new) == 1 and all(new[0][name] == value for name, value in values.items())
        return fits and not ending.removed(path)

    return Goal(f"one new item with {', '.join(values)}", holds_)


def value_is(path: str, value: Any, name: str = "") -> Goal:
    return Goal(name or f"{path.rpartition('.')[2]} is set", lambda e: bool(e.at(path) == value))


def has_new(minute: int, label: str, repeat: Sequence[int]) -> Condition:
    def there(view: View) -> bool:
        return any(
            a["minute"] == minute and a["label"] == label and a["repeat"] == list(repeat) and a["enabled"]
            for a in view.at(ALARMS, {}).values()
        )

    return there


# Alarms


@dataclass(frozen=True)
class AlarmParams:
    id: str
    label: str
    minute: int
    on: bool = True


class ToggleAlarm(Template[AlarmParams]):
    id = "clock.toggle-alarm"
    apps = ("clock",)
    goal: ClassVar[dict[str, str]] = {
        "en": "In Clock, turn {word} the alarm at {time}.",
        "zh": "在时钟里{word}{time}的闹钟。",
    }

    def sample(self, world: World, rng: random.Random) -> AlarmParams:
        alarm = rng.choice(alarms_of(world))
        return AlarmParams(alarm["id"], alarm["label"], alarm["minute"], not alarm["enabled"])

    def words(self, params: AlarmParams, locale: str) -> dict[str, str]:
        word = {"en": ("off", "on"), "zh": ("关闭", "打开")}[locale][params.on]
        return {"time": said(params.minute, locale), "word": word}

    def goals(self, params: AlarmParams) -> Sequence[Goal]:
        return [value_is(f"{ALARMS}.{params.id}.enabled", params.on, "the alarm is switched")]

    def allowed(self, params: AlarmParams) -> Sequence[str]:
        return [f"{ALARMS}.{params.id}.enabled"]

    def solve(self, params: AlarmParams) -> Sequence[Unless]:
        done = holds(f"{ALARMS}.{params.id}.enabled", params.on)
        return until(done, *to_tab("alarms"), do(reach("switch", key=params.id, order=order), "the switch"))


@dataclass(frozen=True)
class NewAlarm:
    minute: int
    label: str
    repeat: tuple[int, ...] = ()


class CreateAlarm(Template[NewAlarm]):
    id = "clock.create-alarm"
    apps = ("clock",)
    goal: ClassVar[dict[str, str]] = {
        "en": 'Set a one-time alarm for {time} with the label "{label}".',
        "zh": "新建一个{time}的单次闹钟，标签写“{label}”。",
    }

    def sample(self, world: World, rng: random.Random) -> NewAlarm:
        alarms = alarms_of(world)
        unused = set(LABELS[world.locale]) - {alarm["label"] for alarm in alarms}
        return NewAlarm(draw_minute(world, rng, alarms), pick(rng, sorted(unused), "unused label"))

    def words(self, params: NewAlarm, locale: str) -> dict[str, str]:
        return {"time": said(params.minute, locale), "label": params.label}

    def goals(self, params: NewAlarm) -> Sequence[Goal]:
        values = {"minute": params.minute, "label": params.label, "repeat": list(params.repeat), "enabled": True}
        return [one_added(ALARMS, **values)]

    def allowed(self, params: NewAlarm) -> Sequence[str]:
        return [f"{ALARMS}.*"]

    def free(self, params: NewAlarm) -> Sequence[str]:
        return [f"{ALARMS}.*.sound", f"{ALARMS}.*.vibrate"]

    def solve(self, params: NewAlarm) -> Sequence[Unless]:
        return create_alarm(params.minute, params.label, params.repeat)


def create_alarm(minute: int, label: str, repeat: Sequence[int]) -> list[Unless]:
    return until(
        has_new(minute, label, repeat),
        *new_form(),
        time_step(minute),
        fill(LABEL, label),
        days_step(repeat),
        save(),
    )


def time_step(minute: int) -> Unless:
    """The form's time field holds the time as the goal writes it."""

    def step(view: View) -> Unless:
        return fill(TIME, said(minute, view.locale))

    return Unless(lambda view: step(view).done(view), lambda view: step(view).act(view), f"time {minute}")


class CreateRepeatingAlarm(CreateAlarm):
    id = "clock.create-repeating-alarm"
    goal: ClassVar[dict[str, str]] = {
        "en": 'Add an alarm labelled "{label}" that rings at {time} {days}.',
        "zh": "添加一个闹钟：{days}{time}响，标签为“{label}”。",
    }

    def sample(self, world: World, rng: random.Random) -> NewAlarm:
        fresh = super().sample(world, rng)
        some = tuple(sorted(rng.sample(range(7), 2)))
        return NewAlarm(fresh.minute, fresh.label, rng.choice([*PRESETS, some]))

    def words(self, params: NewAlarm, locale: str) -> dict[str, str]:
        return {**super().words(params, locale), "days": days_text(params.repeat, locale)}


FULL_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
SETS = {
    (0, 1, 2, 3, 4): ("on weekdays", "工作日"),
    (5, 6): ("on weekends", "周末"),
    (0, 1, 2, 3, 4, 5, 6): ("every day", "每天"),
}


def days_text(days: tuple[int, ...], locale: str) -> str:
    if days in SETS:
        return SETS[days][locale == "zh"]
    if locale == "zh":
        return "每" + "和".join(DAYS[day][1] for day in days)
    return "on " + " and ".join(f"{FULL_DAYS[day]}s" for day in days)


@dataclass(frozen=True)
class Change:
    id: str
    label: str
    minute: int
    sound: str = ""


class ChangeAlarmTime(Template[Change]):
    id = "clock.change-alarm-time"
    apps = ("clock",)
    goal: ClassVar[dict[str, str]] = {
        "en": 'Move the alarm labelled "{label}" to {time}.',
        "zh": "把标签为“{label}”的闹钟改到{time}。",
    }

    def sample(self, world: World, rng: random.Random) -> Change:
        alarms = alarms_of(world)
        alarm = pick(rng, [a for a in alarms if a["label"] and a["enabled"]], "labelled alarm that is on")
        return Change(alarm["id"], alarm["label"], draw_minute(world, rng, alarms))

    def words(self, params: Change, locale: str) -> dict[str, str]:
        return {"label": params.label, "time": said(params.minute, locale)}

    def goals(self, params: Change) -> Sequence[Goal]:
        return [value_is(f"{ALARMS}.{params.id}.minute", params.minute, "the alarm is at the new time")]

    def allowed(self, params: Change) -> Sequence[str]:
        return [f"{ALARMS}.{params.id}.minute"]

    def solve(self, params: Change) -> Sequence[Unless]:
        done = holds(f"{ALARMS}.{params.id}.minute", params.minute)
        clean = leave_changed(params.id, "label", "repeat", "vibrate", "sound")
        return until(done, clean, *form_of(params.id), time_step(params.minute), save())


def leave_changed(key: str, *fields: str) -> Unless:
    """The form of an alarm that holds changes in these fields, which nobody asked for, is left."""

    def fine(view: View) -> bool:
        alarm, draft = view.at(f"{ALARMS}.{key}"), view.at("apps.clock.ui.draft")
        return not in_form(key)(view) or all(alarm[name] == draft[name] for name in fields)

    return Unless(fine, back(), "leave a half-changed form")


class ChangeAlarmSound(Template[Change]):
    id = "clock.change-alarm-sound"
    apps = ("clock",)
    goal: ClassVar[dict[str, str]] = {
        "en": "Change the sound of the {time} alarm to {sound}.",
        "zh": "把{time}闹钟的铃声换成“{sound}”。",
    }

    def sample(self, world: World, rng: random.Random) -> Change:
        alarm = pick(rng, [a for a in alarms_of(world) if a["enabled"]], "alarm that is on")
        sound = rng.choice([s for s in SOUNDS if s != alarm["sound"]])
        return Change(alarm["id"], alarm["label"], alarm["minute"], sound)

    def words(self, params: Change, locale: str) -> dict[str, str]:
        return {"time": said(params.minute, locale), "sound": SOUND_NAMES[params.sound][locale == "zh"]}

    def goals(self, params: Change) -> Sequence[Goal]:
        return [value_is(f"{ALARMS}.{params.id}.sound", params.sound, "the alarm has the sound")]

    def allowed(self, params: Change) -> Sequence[str]:
        return [f"{ALARMS}.{params.id}.sound"]

    def solve(self, params: Change) -> Sequence[Unless]:
        done = holds(f"{ALARMS}.{params.id}.sound", params.sound)
        chosen = holds("apps.clock.ui.draft.sound", params.sound)
        choosing = both(on_screen("clock", "sound"), holds("apps.clock.ui.draft.id", params.id))
        choose = until(
            both(in_form(params.id), chosen),
            *until(choosing, *form_of(params.id), do(tap("listitem", ("Sound", "铃声")), "sounds")),
            do(tap("radio", key=params.sound), "choose"),
        )
        clean = leave_changed(params.id, "label", "repeat", "vibrate")
        return until(done, clean, *choose, time_kept(params.minute), save())


def time_kept(minute: int) -> Unless:
    """The form's time is still the alarm's own, in whatever way it is written."""
    right = (said(minute, "en"), said(minute, "zh"), twelve_zh(minute))

    def done(view: View) -> bool:
        node = view.find("textbox", TIME)
        return node is not None and node.value in right

    return Unless(done, time_step(minute).act, f"time {minute} as it was")


def twelve_zh(minute: int) -> str:
    return f"{'上午' if minute < 720 else '下午'}{(minute // 60 - 1) % 12 + 1}:{minute % 60:02d}"


class DeleteAlarm(Template[AlarmParams]):
    id = "clock.delete-alarm"
    apps = ("clock",)
    goal: ClassVar[dict[str, str]] = {
        "en": 'Delete the alarm labelled "{label}".',
        "zh": "删除标签为“{label}”的闹钟。",
    }

    def sample(self, world: World, rng: random.Random) -> AlarmParams:
        alarm = pick(rng, [a for a in alarms_of(world) if a["label"]], "labelled alarm")
        return AlarmParams(alarm["id"], alarm["label"], alarm["minute"])

    def goals(self, params: AlarmParams) -> Sequence[Goal]:
        def only_this(ending: Ending) -> bool:
            return set(ending.removed(ALARMS)) == {params.id}

        return [Goal("just this alarm is gone", only_this)]

    def allowed(self, params: AlarmParams) -> Sequence[str]:
        return [f"{ALARMS}.{params.id}"]

    def solve(self, params: AlarmParams) -> Sequence[Unless]:
        gone = lambda view: params.id not in view.at(ALARMS)  # noqa: E731
        return until(gone, *form_of(params.id), do(tap("listitem", ("Delete alarm", "删除闹钟")), "delete"))


@dataclass(frozen=True)
class Nobody:
    """A goal without words of its own."""

    ids: tuple[str, ...]
    count: int


class AllAlarmsOff(Template[Nobody]):
    id = "clock.all-alarms-off"
    apps = ("clock",)
    goal: ClassVar[dict[str, str]] = {
        "en": "Switch off every alarm in Clock that is on.",
        "zh": "把时钟里所有开着的闹钟都关掉。",
    }

    def sample(self, world: World, rng: random.Random) -> Nobody:
        on = tuple(a["id"] for a in alarms_of(world) if a["enabled"])
        return Nobody(on, len(on))

    def goals(self, params: Nobody) -> Sequence[Goal]:
        return [value_is(f"{ALARMS}.{key}.enabled", False, f"alarm {key} is off") for key in params.ids]

    def allowed(self, params: Nobody) -> Sequence[str]:
        return [f"{ALARMS}.{key}.enabled" for key in params.ids]

    def solve(self, params: Nobody) -> Sequence[Unless]:
        def all_off(view: View) -> bool:
            return not any(view.at(f"{ALARMS}.{key}.enabled") for key in params.ids)

        switches = [
            Unless(holds(f"{ALARMS}.{key}.enabled", False), reach("switch", key=key, order=order), f"switch off {key}")
            for key in params.ids
        ]
        return until(all_off, *to_tab("alarms"), *switches)


class SnoozeRinging(Template[AlarmParams]):
    id = "clock.snooze-ringing"
    apps = ("clock",)
    goal: ClassVar[dict[str, str]] = {
        "en": "An alarm is ringing. {word} it.",
        "zh": "闹钟正在响，请{word}。",
    }

    def sample(self, world: World, rng: random.Random) -> AlarmParams:
        once = [a for a in alarms_of(world) if not a["repeat"] and a["enabled"]]
        alarm = pick(rng, once, "alarm for once that is on")
        return AlarmParams(alarm["id"], alarm["label"], world.minute - rng.choice((0, 1)), rng.random() < 0.5)

    def words(self, params: AlarmParams, locale: str) -> dict[str, str]:
        return {"word": {"en": ("Stop", "Snooze"), "zh": ("停止它", "让它小睡")}[locale][params.on]}

    def setup(self, state: State, params: AlarmParams) -> None:
        app, now = state["apps"]["clock"], state["os"]["clock"]["now"]
        app["data"]["alarms"][params.id]["minute"] = params.minute
        app["ui"]["ringing"] = {"kind": "alarm", "id": params.id, "since": now, "over": "launcher"}
        stack = [{"screen": "home", "params": {}}, {"screen": "ringing", "params": {}}]
        state["os"]["nav"] = {"active": "clock", "stacks": {"clock": stack}, "recents": ["clock"]}

    def goals(self, params: AlarmParams) -> Sequence[Goal]:
        alarm = f"{ALARMS}.{params.id}"
        if not params.on:
            return [value_is(f"{alarm}.enabled", False, "the alarm is done with")]
        return [Goal("the alarm is snoozed", lambda e: e.at(f"{alarm}.snoozedUntil") is not None)]

    def allowed(self, params: AlarmParams) -> Sequence[str]:
        return [f"{ALARMS}.{params.id}.{'snoozedUntil' if params.on else 'enabled'}"]

    def solve(self, params: AlarmParams) -> Sequence[Unless]:
        alarm = f"{ALARMS}.{params.id}"
        snoozed: Condition = lambda view: view.at(f"{alarm}.snoozedUntil") is not None  # noqa: E731
        button = tap(
            "button", lambda name: name.startswith(("Snooze", "小睡")) if params.on else name in ("Stop", "停止")
        )
        ringing = until(
            on_screen("clock", "ringing"),
            ensure_app("clock"),
            Unless(on_screen("clock", "home"), back(), "back to the front"),
            do(tap("button", ("Ringing now", "正在响铃")), "show what rings"),
        )
        return until(snoozed if params.on else holds(f"{alarm}.enabled", False), *ringing, do(button, "the button"))


class AskAlarmTime(Template[AlarmParams]):
    id = "clock.ask-alarm-time"
    apps = ("clock",)
    goal: ClassVar[dict[str, str]] = {
        "en": 'What time is my "{label}" alarm set for?',
        "zh": "我的“{label}”闹钟定在几点？",
    }

    def sample(self, world: World, rng: random.Random) -> AlarmParams:
        alarm = pick(rng, [a for a in alarms_of(world) if a["label"]], "labelled alarm")
        return AlarmParams(alarm["id"], alarm["label"], alarm["minute"])

    def goals(self, params: AlarmParams) -> Sequence[Goal]:
        return []

    def allowed(self, params: AlarmParams) -> Sequence[str]:
        return []

    def answer(self, params: AlarmParams) -> Expected:
        return Time(params.minute)

    def solve(self, params: AlarmParams) -> Sequence[Unless]:
        seen = both(in_tab("alarms"), sees("listitem", key=params.id))
        return until(seen, *to_tab("alarms"), do(reach("listitem", key=params.id, order=order), "find it"))


class CountAlarmsOn(Template[Nobody]):
    id = "clock.count-alarms-on"
    apps = ("clock",)
    goal: ClassVar[dict[str, str]] = {
        "en": "How many alarms are switched on in Clock?",
        "zh": "时钟里有几个闹钟是打开的？",
    }

    def sample(self, world: World, rng: random.Random) -> Nobody:
        alarms = alarms_of(world)
        on = [a["id"] for a in alarms if a["enabled"]]
        return Nobody((alarms[-1]["id"],), len(on))

    def goals(self, params: Nobody) -> Sequence[Goal]:
        return []

    def allowed(self, params: Nobody) -> Sequence[str]:
        return []

    def answer(self, params: Nobody) -> Expected:
        return Integer(params.count, ("alarms", "alarm", "个", "个闹钟"))

    def solve(self, params: Nobody) -> Sequence[Unless]:
        last = both(in_tab("alarms"), sees("listitem", key=params.ids[0]))
        return until(last, *to_tab("alarms"), do(reach("listitem", key=params.ids[0], order=order), "to the end"))


# World clock


@dataclass(frozen=True)
class CityParams:
    city: str
    cities: tuple[str, ...]
    hours: int = 0
    ahead: bool = True


def city_order(view: View) -> Sequence[str]:
    return list(view.at(f"{DATA}.cities", []))


class _OfCities(Template[CityParams]):
    """Shared by what is done to the list of cities."""

    apps = ("clock",)

    def sample(self, world: World, rng: random.Random) -> CityParams:
        cities = clock(world)["data"]["cities"]
        return CityParams(rng.choice(cities[1:]), tuple(cities))

    def words(self, params: CityParams, locale: str) -> dict[str, str]:
        return {"city": BY_ID[params.city].name["zh" if locale == "zh" else "en"]}

    def expected(self, params: CityParams) -> list[str]:
        return [city for city in params.cities if city != params.city]

    def goals(self, params: CityParams) -> Sequence[Goal]:
        return [value_is(f"{DATA}.cities", self.expected(params), "the list of cities is as asked")]

    def allowed(self, params: CityParams) -> Sequence[str]:
        return [f"{DATA}.cities.**"]

    def menu(self, params: CityParams) -> list[Unless]:
        shown_ = both(on_screen("clock", "cityMenu"), sees("dialog", tuple(BY_ID[params.city].name.values())))
        return until(shown_, *to_tab("world"), do(reach("listitem", key=params.city, order=city_order), "the city"))


class AddCity(_OfCities):
    id = "clock.add-city"
    goal: ClassVar[dict[str, str]] = {
        "en": "Add {city} to the world clock.",
        "zh": "在世界时钟里添加{city}。",
    }

    def sample(self, world: World, rng: random.Random) -> CityParams:
        cities = clock(world)["data"]["cities"]
        return CityParams(rng.choice([c.id for c in CITIES if c.id not in cities]), tuple(cities))

    def expected(self, params: CityParams) -> list[str]:
        return [*params.cities, params.city]

    def solve(self, params: CityParams) -> Sequence[Unless]:
        def typed(view: View) -> Unless:
            return fill(("Search cities", "搜索城市"), self.words(params, view.locale)["city"])

        found = both(on_screen("clock", "addCity"), sees("listitem", key=params.city))
        return until(
            lambda view: params.city in city_order(view),
            *until(
                on_screen("clock", "addCity"),
                *to_tab("world"),
                do(tap("button", ("Add city", "添加城市")), "add a city"),
            ),
            Unless(either(found, lambda v: typed(v).done(v)), lambda v: typed(v).act(v), "search"),
            do(tap("listitem", key=params.city), "choose it"),
        )


class RemoveCity(_OfCities):
    id = "clock.remove-city"
    goal: ClassVar[dict[str, str]] = {
        "en": "Remove {city} from the world clock.",
        "zh": "把{city}从世界时钟中移除。",
    }

    def solve(self, params: CityParams) -> Sequence[Unless]:
        remove = do(tap("listitem", ("Remove", "移除")), "remove")
        return until(holds(f"{DATA}.cities", self.expected(params)), *self.menu(params), remove)


class MoveCityFirst(_OfCities):
    id = "clock.move-city-first"
    goal: ClassVar[dict[str, str]] = {
        "en": "Make {city} the first city of the world clock.",
        "zh": "把{city}移到世界时钟的第一位。",
    }

    def expected(self, params: CityParams) -> list[str]:
        return [params.city, *super().expected(params)]

    def solve(self, params: CityParams) -> Sequence[Unless]:
        done = holds(f"{DATA}.cities", self.expected(params))
        second = params.cities.index(params.city) == 1
        names = ("Move up", "上移") if second else ("Move to top", "移到最前")
        return until(done, *self.menu(params), do(tap("listitem", names), "move"))


class AskDifference(_OfCities):
    id = "clock.ask-time-difference"
    goal: ClassVar[dict[str, str]] = {
        "en": "According to the world clock, by how many hours is {city} {word} here?",
        "zh": "根据世界时钟，{city}的时间比这里{word}多少小时？",
    }

    def sample(self, world: World, rng: random.Random) -> CityParams:
        cities = clock(world)["data"]["cities"]
        apart = {city: difference(world, city) for city in cities}
        city = pick(rng, [c for c in cities if apart[c] and apart[c] % 3600 == 0], "city whole hours away")
        return CityParams(city, tuple(cities), abs(apart[city]) // 3600, apart[city] > 0)

    def words(self, params: CityParams, locale: str) -> dict[str, str]:
        word = {"en": ("behind", "ahead of"), "zh": ("慢", "快")}[locale][params.ahead]
        return {**super().words(params, locale), "word": word}

    def goals(self, params: CityParams) -> Sequence[Goal]:
        return []

    def allowed(self, params: CityParams) -> Sequence[str]:
        return []

    def answer(self, params: CityParams) -> Expected:
        return Integer(params.hours, ("hours", "hour", "h", "小时", "个小时"))

    def solve(self, params: CityParams) -> Sequence[Unless]:
        seen = both(in_tab("world"), sees("listitem", key=params.city))
        return until(seen, *to_tab("world"), do(reach("listitem", key=params.city, order=city_order), "find it"))


def difference(world: World, city: str) -> int:
    """Seconds that the city's clocks are ahead of the phone's."""
    here = dates.wall(world.now, world.zone)
    there = here.astimezone(ZoneInfo(BY_ID[city].zone))
    gap = (there.utcoffset() or here - here) - (here.utcoffset() or here - here)
    return int(gap.total_seconds())


# Timer and stopwatch


@dataclass(frozen=True)
class Minutes:
    minutes: int
    before: int = 0


class StartTimer(Template[Minutes]):
    id = "clock.start-timer"
    apps = ("clock",)
    goal: ClassVar[dict[str, str]] = {
        "en": "Start a timer for {minutes} minutes.",
        "zh": "开始一个{minutes}分钟的倒计时。",
    }
    PRESETS: ClassVar[tuple[int, ...]] = (1, 5, 10, 30)

    def sample(self, world: World, rng: random.Random) -> Minutes:
        return Minutes(rng.choice((5, 10, 30, *(rng.randint(2, 59) for _ in range(4)))))

    def goals(self, params: Minutes) -> Sequence[Goal]:
        running = Goal("the timer runs", lambda e: e.at(f"{DATA}.timer.endsAt") is not None)
        return [value_is(f"{DATA}.timer.duration", params.minutes * 60, "it was set to the time"), running]

    def allowed(self, params: Minutes) -> Sequence[str]:
        return [f"{DATA}.timer.{name}" for name in ("duration", "endsAt", "left")]

    def solve(self, params: Minutes) -> Sequence[Unless]:
        def running(view: View) -> bool:
            timer = view.at(f"{DATA}.timer")
            return timer["endsAt"] is not None and timer["duration"] == params.minutes * 60

        idle: Condition = lambda view: view.visible("button", "7")  # noqa: E731
        reset = Unless(idle, tap("button", ("Reset", "重置")), "reset an old timer")
        return until(running, *to_tab("timer"), reset, do(self._keys(params.minutes), "enter the time"))

    def _keys(self, minutes: int) -> Callable[[View], AnyAction]:
        wanted = f"{minutes}00"

        def act(view: View) -> AnyAction:
            if minutes in self.PRESETS:
                return tap_node(need(view, "button", (f"{minutes} min", f"{minutes}分钟")))
            typed = str(view.at("apps.clock.ui.timerInput", ""))
            if typed == wanted:
                return tap_node(need(view, "button", ("Start", "开始")))
            if not wanted.startswith(typed):
                return tap_node(need(view, "button", ("Erase digit", "删除一位")))
            rest = wanted[len(typed) :]
            return tap_node(need(view, "button", "00" if rest == "00" else rest[0]))

        return act


class SetSnooze(Template[Minutes]):
    id = "clock.set-snooze"
    apps = ("clock",)
    goal: ClassVar[dict[str, str]] = {
        "en": "Make snoozing an alarm last {minutes} minutes.",
        "zh": "把闹钟的小睡时长设为{minutes}分钟。",
    }

    def sample(self, world: World, rng: random.Random) -> Minutes:
        before = clock(world)["data"]["snoozeMinutes"]
        return Minutes(rng.choice([n for n in (5, 10, 15, 20, 30) if n != before]), before)

    def goals(self, params: Minutes) -> Sequence[Goal]:
        return [value_is(f"{DATA}.snoozeMinutes", params.minutes, "a snooze lasts as asked")]

    def allowed(self, params: Minutes) -> Sequence[str]:
        return [f"{DATA}.snoozeMinutes"]

    def solve(self, params: Minutes) -> Sequence[Unless]:
        settings = until(
            on_screen("clock", "settings"),
            ensure_app("clock"),
            Unless(on_screen("clock", "home"), back(), "back to the front"),
            do(tap("button", ("Clock settings", "时钟设置")), "settings"),
        )
        dialog = until(
            on_screen("clock", "snoozeLength"),
            *settings,
            do(tap("listitem", ("Snooze length", "小睡时长")), "snooze length"),
        )
        names = (f"{params.minutes} minutes", f"{params.minutes}分钟")
        return until(holds(f"{DATA}.snoozeMinutes", params.minutes), *dialog, do(tap("radio", names), "choose"))


@dataclass(frozen=True)
class Laps:
    laps: int


class TimeLaps(Template[Laps]):
    id = "clock.time-laps"
    apps = ("clock",)
    goal: ClassVar[dict[str, str]] = {
        "en": "Start the stopwatch, take {laps} laps, then pause it.",
        "zh": "启动秒表，计{laps}圈，然后暂停。",
    }

    def sample(self, world: World, rng: random.Random) -> Laps:
        return Laps(rng.randint(1, 4))

    def goals(self, params: Laps) -> Sequence[Goal]:
        watch = f"{DATA}.stopwatch"
        return [
            Goal("there are as many laps", lambda e: len(e.at(f"{watch}.laps")) == params.laps),
            Goal("it stands paused", lambda e: e.at(f"{watch}.elapsed") > 0 and e.at(f"{watch}.startedAt") is None),
        ]

    def allowed(self, params: Laps) -> Sequence[str]:
        return [f"{DATA}.stopwatch.**"]

    def free(self, params: Laps) -> Sequence[str]:
        return [f"{DATA}.stopwatch.elapsed"]

    def solve(self, params: Laps) -> Sequence[Unless]:
        watch = f"{DATA}.stopwatch"

        def taken(view: View) -> int:
            return len(view.at(f"{watch}.laps"))

        def running(view: View) -> bool:
            return view.at(f"{watch}.startedAt") is not None

        def complete(view: View) -> bool:
            return taken(view) == params.laps and not running(view) and view.at(f"{watch}.elapsed") > 0

        enough: Condition = lambda view: taken(view) == params.laps  # noqa: E731
        few: Condition = lambda view: taken(view) <= params.laps  # noqa: E731
        stop = tap("button", ("Pause", "暂停"))
        go = tap("button", ("Start", "开始", "Resume", "继续"))
        return until(
            complete,
            *to_tab("stopwatch"),
            *until(few, Unless(lambda view: not running(view), stop), do(tap("button", ("Reset", "重置")), "reset")),
            *until(enough, Unless(running, go, "start"), do(tap("button", ("Lap", "计次")), "lap")),
            do(stop, "pause"),
        )
