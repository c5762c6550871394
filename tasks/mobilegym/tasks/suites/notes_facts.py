"""Notes: questions that only their texts answer."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from mobilegym.judge.answers import Date, Expected, Integer, Text
from mobilegym.tasks.gestures import until
from mobilegym.tasks.note_ways import APP, NoteRef, menu_item, open_note, plainly_titled, ref
from mobilegym.tasks.routes import at_stop
from mobilegym.tasks.template import Goal, Template, Unless
from mobilegym.world import note_texts as texts
from mobilegym.world.dates import wall
from mobilegym.world.notes import notes
from mobilegym.world.world import World


@dataclass(frozen=True)
class Asked:
    """What the answer is, as text, and what stands in the same place of notes like this one."""

    note: NoteRef
    kind: str
    value: str
    among: tuple[str, ...] = ()


class Question(Template[Asked]):
    """Changes nothing."""

    apps = (APP,)

    def goals(self, params: Asked) -> Sequence[Goal]:
        return []

    def allowed(self, params: Asked) -> Sequence[str]:
        return []

    def answer(self, params: Asked) -> Expected:
        return Text(params.value, params.among)

    def solve(self, params: Asked) -> Sequence[Unless]:
        return [open_note(params.note)]

    def words(self, params: Asked, locale: str) -> dict[str, str]:
        return {"title": params.note.title, "kind": params.kind}


def pattern(template: str, name: str) -> re.Pattern[str]:
    """Finds the number that stands for `{name}` in a text made from a template of `note_texts`."""
    line = next(line for line in template.split("\n") if f"{{{name}}}" in line)
    return re.compile(re.escape(line).replace(re.escape(f"{{{name}}}"), r"(\d+)"))


def numbers(world: World, template: str, name: str) -> dict[NoteRef, str]:
    """The number in each note made from this template."""
    wanted = pattern(template, name)
    found = {ref(note): wanted.search(note["body"]) for note in plainly_titled(world)}
    return {note: match[1] for note, match in found.items() if match}


class ReadLocker(Question):
    id = "notes.read-locker"
    goal: ClassVar = {
        "en": "According to my notes, what is the {kind} of the {title}?",
        "zh": "根据我的便签，{title}的{kind}是多少？",
    }
    _kinds: ClassVar = {
        "number": {"en": "locker number", "zh": "柜号"},
        "code": {"en": "code", "zh": "密码"},
    }

    def sample(self, world: World, rng: random.Random) -> Asked:
        kind = rng.choice(sorted(self._kinds))
        known = numbers(world, texts.LOCKER[world.locale][1], kind)
        note = rng.choice(sorted(known, key=lambda n: n.id))
        return Asked(note, kind, known[note])

    def answer(self, params: Asked) -> Expected:
        return Integer(int(params.value))

    def words(self, params: Asked, locale: str) -> dict[str, str]:
        return {"title": params.note.title, "kind": self._kinds[params.kind][locale]}


class ReadRecipe(Question):
    id = "notes.read-recipe"
    goal: ClassVar = {
        "en": "According to my notes, how many minutes does the {title} have to bake?",
        "zh": "根据我的便签，{title}要烤多少分钟？",
    }

    def sample(self, world: World, rng: random.Random) -> Asked:
        known = numbers(world, texts.RECIPE[world.locale], "minutes")
        note = rng.choice(sorted(known, key=lambda n: n.id))
        return Asked(note, "minutes", known[note])

    def answer(self, params: Asked) -> Expected:
        return Integer(int(params.value), ("minutes", "minute", "min", "分钟", "分"))


class CountOpen(Question):
    id = "notes.count-open-items"
    goal: ClassVar = {
        "en": "How many items of my checklist {title} are not done yet?",
        "zh": "我的清单“{title}”里还有几项没有完成？",
    }

    def sample(self, world: World, rng: random.Random) -> Asked:
        note = rng.choice([n for n in plainly_titled(world) if n["checklist"]])
        left = sum(not item["done"] for item in note["checklist"])
        return Asked(ref(note), "open", str(left))

    def answer(self, params: Asked) -> Expected:
        return Integer(int(params.value), ("items", "item", "项", "个"))


class WhichFolder(Question):
    id = "notes.which-folder"
    goal: ClassVar = {"en": "In which folder is the note {title}?", "zh": "便签“{title}”在哪个文件夹里？"}

    def sample(self, world: World, rng: random.Random) -> Asked:
        folders: dict[str, Any] = notes(world)["data"]["folders"]
        note = rng.choice([n for n in plainly_titled(world) if n["folder"]])
        names = tuple(folder["name"] for key, folder in folders.items() if key != note["folder"])
        return Asked(ref(note), "folder", folders[note["folder"]]["name"], names)


class WhenCreated(Question):
    id = "notes.when-created"
    goal: ClassVar = {"en": "On which day was the note {title} created?", "zh": "便签“{title}”是哪一天创建的？"}

    def sample(self, world: World, rng: random.Random) -> Asked:
        note = rng.choice(plainly_titled(world))
        return Asked(ref(note), "created", wall(note["created"], world.zone).date().isoformat())

    def answer(self, params: Asked) -> Expected:
        return Date(params.value)

    def solve(self, params: Asked) -> Sequence[Unless]:
        return until(at_stop(APP, "details", id=params.note.id), menu_item(params.note, ("Details", "详细信息")))
