"""Tasks from one app into another: what stands in Contacts or Notes is needed in Clock or Notes."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from mobilegym.tasks.gestures import both, do, tap, until
from mobilegym.tasks.note_ways import NOTES, SAVE, NoteRef, open_note
from mobilegym.tasks.routes import at_stop, left_at
from mobilegym.tasks.suites.clock import ALARMS, alarms_of, create_alarm, draw_minute, has_new, one_added, said
from mobilegym.tasks.suites.contacts import contact_menu, full_name, open_contact, people, pick
from mobilegym.tasks.suites.notes import BLANK, exists, only_new, write_note
from mobilegym.tasks.template import Goal, State, Template, Unless
from mobilegym.tasks.view import View
from mobilegym.world.world import World

# A title, one that is easily taken for it, and a line with a time.
PLANS = {
    "en": (("Ferry", "Ferry back"), ("Airport", "Airport bus"), ("Concert", "Concert hall"), ("Picnic day", "Picnic")),
    "zh": (("渡轮", "渡轮返程"), ("机场", "机场大巴"), ("音乐会", "音乐厅"), ("野餐日", "野餐")),
}
LINES = {
    "en": ("Leave at {time}, not later.", "We meet at {time} by the gate.", "Be there at {time}."),
    "zh": ("{time}出门，别晚了。", "{time}在门口见。", "{time}要到。"),
}
MEMOS = {"en": ("Call back", "Number", "Ring tonight", "Caller"), "zh": ("回电", "号码", "今晚打电话", "来电人")}
ALARM_FREE = (f"{ALARMS}.*.sound", f"{ALARMS}.*.vibrate")


def looked_up(key: str, name: str) -> list[Unless]:
    """The contact has been looked at: it is where Contacts was left."""
    return until(left_at("contacts", "contact", id=key), *open_contact(key, name))


@dataclass(frozen=True)
class BirthdayAlarm:
    id: str
    name: str
    label: str
    minute: int


class AlarmForBirthday(Template[BirthdayAlarm]):
    id = "cross.alarm-for-birthday"
    split = "test"
    apps = ("contacts", "clock")
    goal: ClassVar[dict[str, str]] = {
        "en": "Look up {name}'s birthday in Contacts. Then set a one-time alarm for {time} with the birthday's month "
        "and day as its label, written like 03-25.",
        "zh": "在通讯录里查{name}的生日，然后新建一个{time}的单次闹钟，标签写生日的月和日，格式如 03-25。",
    }

    def sample(self, world: World, rng: random.Random) -> BirthdayAlarm:
        contact = pick(rng, [c for c in people(world) if c["birthday"]], "contact with a birthday")
        minute = draw_minute(world, rng, alarms_of(world))
        return BirthdayAlarm(contact["id"], full_name(contact), contact["birthday"][5:], minute)

    def words(self, params: BirthdayAlarm, locale: str) -> dict[str, str]:
        return {"name": params.name, "time": said(params.minute, locale)}

    def goals(self, params: BirthdayAlarm) -> Sequence[Goal]:
        return [one_added(ALARMS, minute=params.minute, label=params.label, repeat=[], enabled=True)]

    def allowed(self, params: BirthdayAlarm) -> Sequence[str]:
        return [f"{ALARMS}.*"]

    def free(self, params: BirthdayAlarm) -> Sequence[str]:
        return ALARM_FREE

    def solve(self, params: BirthdayAlarm) -> Sequence[Unless]:
        done = has_new(params.minute, params.label, ())
        read = looked_up(params.id, params.name)
        return until(done, *read, *create_alarm(params.minute, params.label, ()))


@dataclass(frozen=True)
class NotedTime:
    note: NoteRef
    other: str
    minute: int
    wrong: int
    line: str
    title: str


class AlarmFromNote(Template[NotedTime]):
    id = "cross.alarm-from-note"
    split = "test"
    apps = ("notes", "clock")
    goal: ClassVar[dict[str, str]] = {
        "en": "The note {title} says a time. Set a one-time alarm for that time and label it {title}.",
        "zh": "便签“{title}”里写了一个时间，请按这个时间新建一个单次闹钟，标签写“{title}”。",
    }

    def sample(self, world: World, rng: random.Random) -> NotedTime:
        title, other = rng.choice(PLANS[world.locale])
        minute = draw_minute(world, rng, alarms_of(world))
        wrong = (minute + rng.choice((-60, -30, 30, 60))) % 1440
        return NotedTime(NoteRef("n901", title), other, minute, wrong, rng.choice(LINES[world.locale]), title)

    def setup(self, state: State, params: NotedTime) -> None:
        now, locale = state["os"]["clock"]["now"], state["os"]["locale"]
        notes = state["apps"]["notes"]["data"]["notes"]
        for key, title, minute, age in (
            (params.note.id, params.title, params.minute, 26),
            ("n902", params.other, params.wrong, 25),
        ):
            written = now - age * 3_600_000
            body = params.line.format(time=said(minute, locale))
            notes[key] = {**BLANK, "id": key, "title": title, "body": body, "created": written, "modified": written}

    def goals(self, params: NotedTime) -> Sequence[Goal]:
        return [one_added(ALARMS, minute=params.minute, label=params.title, repeat=[], enabled=True)]

    def allowed(self, params: NotedTime) -> Sequence[str]:
        return [f"{ALARMS}.*"]

    def free(self, params: NotedTime) -> Sequence[str]:
        return ALARM_FREE

    def solve(self, params: NotedTime) -> Sequence[Unless]:
        done = has_new(params.minute, params.title, ())
        read = until(left_at("notes", "note", id=params.note.id), open_note(params.note))
        return until(done, *read, *create_alarm(params.minute, params.title, ()))


@dataclass(frozen=True)
class Memo:
    id: str
    name: str
    title: str
    text: str


class NumberIntoNote(Template[Memo]):
    id = "cross.number-into-note"
    split = "test"
    apps = ("contacts", "notes")
    goal: ClassVar[dict[str, str]] = {
        "en": "Create a note titled {title} whose text is just the mobile number of {name}.",
        "zh": "新建一条便签，标题是“{title}”，正文只写{name}的手机号。",
    }

    def sample(self, world: World, rng: random.Random) -> Memo:
        contact = rng.choice(people(world))
        title = rng.choice(MEMOS[world.locale])
        return Memo(contact["id"], full_name(contact), title, contact["phones"][0]["number"])

    def goals(self, params: Memo) -> Sequence[Goal]:
        wanted = {**BLANK, "title": params.title, "body": params.text}
        return [Goal("one note is added, as asked", lambda end: only_new(end, wanted))]

    def allowed(self, params: Memo) -> Sequence[str]:
        return [f"{NOTES}.*"]

    def solve(self, params: Memo) -> Sequence[Unless]:
        done = exists(params.title, params.text)
        return until(done, *looked_up(params.id, params.name), *write_note(params.title, params.text))


def card(contact: dict[str, Any], locale: str) -> str:
    """What the phone shares of a contact."""
    kinds = {"en": {"mobile": "Mobile", "work": "Work phone"}, "zh": {"mobile": "手机", "work": "工作电话"}}[locale]
    lines = [f"{kinds[phone['kind']]}: {phone['number']}" for phone in contact["phones"]]
    mail = [f"{'邮箱' if locale == 'zh' else 'Email'}: {contact['email']}"] if contact["email"] else []
    return "\n".join([full_name(contact), *lines, *mail])


class ShareContact(Template[Memo]):
    id = "cross.share-contact"
    split = "test"
    apps = ("contacts", "notes")
    goal: ClassVar[dict[str, str]] = {
        "en": "Share the contact {name} to Notes and save it there as a note.",
        "zh": "把联系人{name}分享到便签，并保存成一条便签。",
    }

    def sample(self, world: World, rng: random.Random) -> Memo:
        contact = rng.choice(people(world))
        return Memo(contact["id"], full_name(contact), full_name(contact), card(contact, world.locale))

    def goals(self, params: Memo) -> Sequence[Goal]:
        wanted = {**BLANK, "title": params.title, "body": params.text}
        return [Goal("one note is added with what was shared", lambda end: only_new(end, wanted))]

    def allowed(self, params: Memo) -> Sequence[str]:
        return [f"{NOTES}.*"]

    def solve(self, params: Memo) -> Sequence[Unless]:
        def shared(view: View) -> bool:
            draft = view.at("apps.notes.ui.draft")
            return bool(draft["title"] == params.title and draft["body"] == params.text)

        form = both(at_stop("notes", "edit", id="", folder="", kind="note"), shared)
        share = do(tap("option", ("Share", "分享")), "share")
        chooser = Unless(lambda view: not view.dialog, tap("listitem", key="notes"), "choose Notes")
        return until(
            exists(params.title, params.text),
            chooser,
            *until(form, *contact_menu(params.id, params.name), share),
            do(tap("button", SAVE), "save"),
        )
