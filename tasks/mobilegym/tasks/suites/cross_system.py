"""Tasks over two of the system's apps: what one shows is done or written down in the other."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from mobilegym.phone.action import AnyAction
from mobilegym.tasks.gestures import Gesture, both, clear_and_type, either, need, tap, until
from mobilegym.tasks.note_ways import APP as NOTES_APP
from mobilegym.tasks.note_ways import NOTES, NoteRef, menu_item, open_note, plainly_titled, ref
from mobilegym.tasks.routes import Stop, at_last, at_stop, left_at, reach
from mobilegym.tasks.suites.notes import BLANK, exists, only_new, write_note
from mobilegym.tasks.suites.settings import APP as SETTINGS_APP
from mobilegym.tasks.suites.settings import (
    FACTS,
    RINGTONES,
    SWITCHES,
    home,
    on_word,
    ringtone_steps,
    setting,
)
from mobilegym.tasks.template import Goal, State, Template, Unless
from mobilegym.tasks.view import View
from mobilegym.world import os as system
from mobilegym.world import settings as phone
from mobilegym.world.clock import clock
from mobilegym.world.contacts import contacts
from mobilegym.world.world import World

TITLES = {
    "en": ("Phone", "My phone", "Repair", "Warranty", "For the shop", "Look up"),
    "zh": ("手机", "我的手机", "维修", "保修", "给店里", "备查"),
}
KINDS = ("model", "osVersion", "build", "serial")


@dataclass(frozen=True)
class Copied:
    kind: str
    value: str
    title: str


class NotePhoneFact(Template[Copied]):
    id = "cross.note-phone-fact"
    split = "test"
    apps = (SETTINGS_APP, NOTES_APP)
    goal: ClassVar = {
        "en": "Look up this phone's {kind} in Settings and write it as the text of a new note titled {title}.",
        "zh": "在设置里查看这部手机的{kind}，写进一条标题为“{title}”的新便签作为正文。",
    }

    def sample(self, world: World, rng: random.Random) -> Copied:
        kind = rng.choice(KINDS)
        return Copied(kind, phone.settings(world)["data"][kind], rng.choice(TITLES[world.locale]))

    def goals(self, params: Copied) -> Sequence[Goal]:
        return written(params.title, params.value)

    def allowed(self, params: Copied) -> Sequence[str]:
        return [f"{NOTES}.*"]

    def solve(self, params: Copied) -> Sequence[Unless]:
        seen = left_at(SETTINGS_APP, "about")
        look = reach(SETTINGS_APP, home("about"), Stop("about"))
        return after(either(seen, exists(params.title, params.value)), look, write_note(params.title, params.value))

    def words(self, params: Copied, locale: str) -> dict[str, str]:
        return {"kind": FACTS[params.kind][locale], "title": params.title}


def written(title: str, text: str) -> list[Goal]:
    return [Goal("one note is added, as asked", lambda end: only_new(end, {**BLANK, "title": title, "body": text}))]


def after(seen: Any, look: Unless, steps: Sequence[Unless]) -> list[Unless]:
    """First the look at what the rest needs; an app keeps its screen, which tells that it was looked at."""
    return [Unless(seen, look.act, look.note), *steps]


class NoteAlarms(Template[Copied]):
    id = "cross.note-alarm-count"
    split = "test"
    apps = ("clock", NOTES_APP)
    goal: ClassVar = {
        "en": "Count the alarms that are on, and write the number as the text of a new note titled {title}.",
        "zh": "数一数开启了几个闹钟，把数目写进一条标题为“{title}”的新便签作为正文。",
    }

    def sample(self, world: World, rng: random.Random) -> Copied:
        on = sum(alarm["enabled"] for alarm in clock(world)["data"]["alarms"].values())
        return Copied("alarms", str(on), rng.choice(TITLES[world.locale]))

    def goals(self, params: Copied) -> Sequence[Goal]:
        return written(params.title, params.value)

    def allowed(self, params: Copied) -> Sequence[str]:
        return [f"{NOTES}.*"]

    def solve(self, params: Copied) -> Sequence[Unless]:
        def on_alarms(view: View) -> bool:
            return bool(view.at("apps.clock.ui.tab") == "alarms")

        seen = both(left_at("clock", "home"), on_alarms)
        opened = at_last("clock", Stop("home", tap("tab", ("Alarms", "闹钟"))))
        look = Unless(seen, opened.act, "see the alarms")
        return after(either(seen, exists(params.title, params.value)), look, write_note(params.title, params.value))


@dataclass(frozen=True)
class Told:
    """What a note says of a switch of the phone."""

    note: NoteRef
    switch: str
    on: bool


class SwitchAsNoted(Template[Told]):
    id = "cross.switch-as-noted"
    split = "test"
    apps = (NOTES_APP, SETTINGS_APP)
    goal: ClassVar = {
        "en": "Read the note {title} and set up the phone as it says.",
        "zh": "阅读便签“{title}”，按里面写的设置手机。",
    }

    def sample(self, world: World, rng: random.Random) -> Told:
        note = rng.choice([n for n in plainly_titled(world) if n["checklist"] is None])
        return Told(ref(note), rng.choice(sorted(SWITCHES)), rng.random() < 0.5)

    def setup(self, state: State, params: Told) -> None:
        locale = state["os"]["locale"]
        name, on = getattr(SWITCHES[params.switch], locale), on_word(params.on, locale)
        note = state["apps"]["notes"]["data"]["notes"][params.note.id]
        note["body"] = f"{on}{name}" if locale == "zh" else f"Turn {on} {name}"
        state["os"]["settings"][params.switch] = not params.on

    def goals(self, params: Told) -> Sequence[Goal]:
        return [setting(params.switch, params.on)]

    def allowed(self, params: Told) -> Sequence[str]:
        return [f"os.settings.{params.switch}"]

    def solve(self, params: Told) -> Sequence[Unless]:
        seen = left_at(NOTES_APP, "note", id=params.note.id)
        return after(seen, open_note(params.note), SWITCHES[params.switch].steps(params.on))

    def words(self, params: Told, locale: str) -> dict[str, str]:
        return {"title": params.note.title}


@dataclass(frozen=True)
class Tune:
    note: NoteRef
    ringtone: str


class RingtoneAsNoted(Template[Tune]):
    id = "cross.ringtone-as-noted"
    split = "test"
    apps = (NOTES_APP, SETTINGS_APP)
    goal: ClassVar = {
        "en": "Set the ringtone that my note {title} names.",
        "zh": "把来电铃声设为便签“{title}”里写的那个。",
    }

    def sample(self, world: World, rng: random.Random) -> Tune:
        note = rng.choice([n for n in plainly_titled(world) if n["checklist"] is None])
        others = [tone for tone in RINGTONES if tone != system.settings(world)["ringtone"]]
        return Tune(ref(note), rng.choice(others))

    def setup(self, state: State, params: Tune) -> None:
        locale = state["os"]["locale"]
        name = RINGTONES[params.ringtone][locale]
        note = state["apps"]["notes"]["data"]["notes"][params.note.id]
        note["body"] = f"铃声：{name}" if locale == "zh" else f"Ringtone: {name}"

    def goals(self, params: Tune) -> Sequence[Goal]:
        return [setting("ringtone", params.ringtone)]

    def allowed(self, params: Tune) -> Sequence[str]:
        return ["os.settings.ringtone"]

    def solve(self, params: Tune) -> Sequence[Unless]:
        seen = left_at(NOTES_APP, "note", id=params.note.id)
        return after(seen, open_note(params.note), ringtone_steps(params.ringtone))

    def words(self, params: Tune, locale: str) -> dict[str, str]:
        return {"title": params.note.title}


@dataclass(frozen=True)
class Added:
    note: NoteRef
    body: str
    contact: str
    name: str
    number: str


class ContactIntoNote(Template[Added]):
    id = "cross.contact-into-note"
    split = "test"
    apps = (NOTES_APP, "contacts")
    goal: ClassVar = {
        "en": "Add the contact {name}, with the mobile number, as a new last line to the note {title}.",
        "zh": "在便签“{title}”的末尾另起一行，加上联系人{name}和手机号码。",
    }

    def sample(self, world: World, rng: random.Random) -> Added:
        note = rng.choice([n for n in plainly_titled(world) if n["checklist"] is None])
        known = contacts(world)["data"]["contacts"]
        names = Counter((c["given"], c["family"]) for c in known.values())
        people = [p for p in world.people if p.id in known and names[p.given, p.family] == 1]
        person = rng.choice(people)
        return Added(ref(note), note["body"], person.id, person.name, person.number)

    def goals(self, params: Added) -> Sequence[Goal]:
        wanted = f"{params.body}\n{params.name} {params.number}"
        path = f"{NOTES}.{params.note.id}.body"
        return [Goal("the contact stands at the end", lambda end: bool(end.at(path) == wanted))]

    def allowed(self, params: Added) -> Sequence[str]:
        note = f"{NOTES}.{params.note.id}"
        return [f"{note}.body", f"{note}.modified", "os.permissions.notes.contacts"]

    def free(self, params: Added) -> Sequence[str]:
        return ["os.permissions.notes.contacts"]

    def solve(self, params: Added) -> Sequence[Unless]:
        def done(view: View) -> bool:
            return bool(view.at(f"{NOTES}.{params.note.id}.body") != params.body)

        choose = menu_item(params.note, ("Add contact", "添加联系人"))
        allow = Unless(lambda view: not asked(view), tap("button", ("Allow", "允许")), "allow")
        pick = Unless(lambda view: not picking(view, params.note), picked(params), f"pick {params.name}")
        return until(done, allow, pick, choose)

    def words(self, params: Added, locale: str) -> dict[str, str]:
        return {"title": params.note.title, "name": params.name}


def asked(view: View) -> bool:
    """Notes asks to read the contacts."""
    dialog = view.at("os.dialog") or {}
    return dialog.get("kind") == "permission" and dialog.get("app") == NOTES_APP


def picking(view: View, note: NoteRef) -> bool:
    """Contacts is open for a choice that goes into this note."""
    reply = (view.at("os.intent") or {}).get("reply") or {}
    return at_stop("contacts", "pick")(view) and reply.get("args", {}).get("id") == note.id


def picked(params: Added) -> Gesture:
    field = ("Search contacts", "搜索联系人")

    def act(view: View) -> AnyAction:
        if need(view, "textbox", field).value != params.name and not view.visible("listitem", key=params.contact):
            return clear_and_type(field, params.name)(view)
        return tap("listitem", key=params.contact)(view)

    return act
