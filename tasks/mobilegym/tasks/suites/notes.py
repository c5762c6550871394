"""Notes: writing, sorting into folders, pinning, colouring, throwing away, finding out."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

from mobilegym.judge.ending import Ending
from mobilegym.tasks.gestures import Condition, both, do, fill, holds, scroll_to, tap, until
from mobilegym.tasks.note_ways import (
    APP,
    DATA,
    NOTES,
    SAVE,
    NoteRef,
    fill_text,
    menu_item,
    on_note,
    plainly_titled,
    ref,
    selected,
    to_tab,
    trash_order,
)
from mobilegym.tasks.routes import Stop, at_last, at_stop, reach
from mobilegym.tasks.template import Goal, Template, Unless, Unsuitable
from mobilegym.world.notes import notes
from mobilegym.world.world import World

TITLE, BODY = ("Title", "标题"), ("Note", "正文")
NEW_NOTE = ("New note", "新建便签")
FOLDERS = f"{DATA}.folders"

TITLES = {
    "en": ("Lamp", "Boat trip", "Old map", "Tea", "New keys", "Train home", "Blue chair", "Rain coat", "Piano"),
    "zh": ("台灯", "划船", "旧地图", "茶叶", "新钥匙", "回家的车", "蓝椅子", "雨衣", "钢琴"),
}
LINES = {
    "en": ("Ask for the red one", "Not before noon", "Pay in cash", "Bring a bag", "Second floor", "Ring twice"),
    "zh": ("要红色的那个", "中午以后再去", "付现金", "带个袋子", "在二楼", "按两次门铃"),
}


def only_new(end: Ending, wanted: dict[str, Any], path: str = NOTES) -> bool:
    """Exactly one item was added, it is as wanted, and none is gone."""
    added = list(end.added(path).values())
    return len(added) == 1 and not end.removed(path) and all(added[0][k] == v for k, v in wanted.items())


BLANK = {"checklist": None, "folder": "", "pinned": False, "color": "none", "trashed": None}


@dataclass(frozen=True)
class Written:
    title: str
    text: str


class CreateNote(Template[Written]):
    id = "notes.create-note"
    apps = (APP,)
    goal: ClassVar = {
        "en": "Create a note titled {title} with the text: {text}",
        "zh": "新建一条便签，标题是“{title}”，正文是“{text}”。",
    }

    def sample(self, world: World, rng: random.Random) -> Written:
        return Written(rng.choice(TITLES[world.locale]), rng.choice(LINES[world.locale]))

    def goals(self, params: Written) -> Sequence[Goal]:
        wanted = {**BLANK, "title": params.title, "body": params.text}
        return [Goal("one note is added, as asked", lambda end: only_new(end, wanted))]

    def allowed(self, params: Written) -> Sequence[str]:
        return [f"{NOTES}.*"]

    def solve(self, params: Written) -> Sequence[Unless]:
        return write_note(params.title, params.text)


def write_note(title: str, text: str) -> list[Unless]:
    form = {"id": "", "folder": "", "kind": "note"}
    return until(
        exists(title, text),
        reach(APP, Stop("home", to_tab("notes", tap("button", NEW_NOTE))), Stop("edit", params=form)),
        fill(TITLE, title),
        fill_text(BODY, text),
        do(tap("button", SAVE), "save"),
    )


def exists(title: str, text: str) -> Condition:
    return lambda view: any(
        note["title"] == title and note["body"] == text and note["trashed"] is None for note in view.at(NOTES).values()
    )


@dataclass(frozen=True)
class Appended:
    note: NoteRef
    body: str
    line: str


class AddLine(Template[Appended]):
    id = "notes.add-line"
    apps = (APP,)
    goal: ClassVar = {
        "en": "Add this as a new last line to the note {title}: {line}",
        "zh": "在便签“{title}”的末尾另起一行写上“{line}”。",
    }

    def sample(self, world: World, rng: random.Random) -> Appended:
        note = rng.choice([n for n in plainly_titled(world) if n["checklist"] is None])
        return Appended(ref(note), note["body"], rng.choice(LINES[world.locale]))

    def goals(self, params: Appended) -> Sequence[Goal]:
        wanted = f"{params.body}\n{params.line}"
        return [Goal("the line stands at the end", lambda end: end.at(f"{NOTES}.{params.note.id}.body") == wanted)]

    def allowed(self, params: Appended) -> Sequence[str]:
        return [f"{NOTES}.{params.note.id}.body", f"{NOTES}.{params.note.id}.modified"]

    def solve(self, params: Appended) -> Sequence[Unless]:
        return append_line(params.note, params.body, params.line)

    def words(self, params: Appended, locale: str) -> dict[str, str]:
        return {"title": params.note.title, "line": params.line}


def append_line(note: NoteRef, body: str, line: str) -> list[Unless]:
    whole = f"{body}\n{line}"
    edit = Stop("note", tap("button", ("Edit", "编辑")), {"id": note.id})
    at_form = at_stop(APP, "edit", id=note.id)
    steps = [on_note(note, edit)]
    return until(
        holds(f"{NOTES}.{note.id}.body", whole),
        *until(at_form, *steps),
        fill(TITLE, note.title),
        fill_text(BODY, whole),
        do(tap("button", SAVE), "save"),
    )


@dataclass(frozen=True)
class OneNote:
    note: NoteRef


class PinNote(Template[OneNote]):
    id = "notes.pin-note"
    apps = (APP,)
    goal: ClassVar = {"en": "Pin the note {title}.", "zh": "把便签“{title}”置顶。"}

    def sample(self, world: World, rng: random.Random) -> OneNote:
        return OneNote(ref(rng.choice([n for n in plainly_titled(world) if not n["pinned"]])))

    def goals(self, params: OneNote) -> Sequence[Goal]:
        return [Goal("the note is pinned", lambda end: end.at(f"{NOTES}.{params.note.id}.pinned") is True)]

    def allowed(self, params: OneNote) -> Sequence[str]:
        return [f"{NOTES}.{params.note.id}.pinned"]

    def solve(self, params: OneNote) -> Sequence[Unless]:
        return until(holds(f"{NOTES}.{params.note.id}.pinned", True), menu_item(params.note, ("Pin", "置顶")))

    def words(self, params: OneNote, locale: str) -> dict[str, str]:
        return {"title": params.note.title}


@dataclass(frozen=True)
class Colored:
    note: NoteRef
    color: str


COLORS = {
    "red": {"en": "red", "zh": "红色"},
    "yellow": {"en": "yellow", "zh": "黄色"},
    "green": {"en": "green", "zh": "绿色"},
    "blue": {"en": "blue", "zh": "蓝色"},
    "purple": {"en": "purple", "zh": "紫色"},
}


class ColorNote(Template[Colored]):
    id = "notes.color-note"
    apps = (APP,)
    goal: ClassVar = {"en": "Give the note {title} the color {color}.", "zh": "把便签“{title}”的颜色设为{color}。"}

    def sample(self, world: World, rng: random.Random) -> Colored:
        note, color = rng.choice(plainly_titled(world)), rng.choice(sorted(COLORS))
        if note["color"] == color:
            raise Unsuitable("the note has this color already")
        return Colored(ref(note), color)

    def goals(self, params: Colored) -> Sequence[Goal]:
        path = f"{NOTES}.{params.note.id}.color"
        return [Goal(f"the note is {params.color}", lambda end: bool(end.at(path) == params.color))]

    def allowed(self, params: Colored) -> Sequence[str]:
        return [f"{NOTES}.{params.note.id}.color"]

    def solve(self, params: Colored) -> Sequence[Unless]:
        choose = Stop("color", tap("radio", key=params.color), {"id": params.note.id})
        done = holds(f"{NOTES}.{params.note.id}.color", params.color)
        return until(done, menu_item(params.note, ("Color", "颜色"), choose))

    def words(self, params: Colored, locale: str) -> dict[str, str]:
        return {"title": params.note.title, "color": COLORS[params.color][locale]}


@dataclass(frozen=True)
class Moved:
    note: NoteRef
    folder: str
    name: str


class MoveNote(Template[Moved]):
    id = "notes.move-note"
    apps = (APP,)
    goal: ClassVar = {
        "en": "Move the note {title} to the folder {folder}.",
        "zh": "把便签“{title}”移动到文件夹“{folder}”。",
    }

    def sample(self, world: World, rng: random.Random) -> Moved:
        note = rng.choice(plainly_titled(world))
        folders = [f for f in notes(world)["data"]["folders"].values() if f["id"] != note["folder"]]
        folder = rng.choice(folders)
        return Moved(ref(note), folder["id"], folder["name"])

    def goals(self, params: Moved) -> Sequence[Goal]:
        path = f"{NOTES}.{params.note.id}.folder"
        return [Goal(f"the note lies in {params.name}", lambda end: bool(end.at(path) == params.folder))]

    def allowed(self, params: Moved) -> Sequence[str]:
        return [f"{NOTES}.{params.note.id}.folder"]

    def solve(self, params: Moved) -> Sequence[Unless]:
        choose = Stop("move", tap("radio", key=params.folder), {"id": params.note.id})
        done = holds(f"{NOTES}.{params.note.id}.folder", params.folder)
        return until(done, menu_item(params.note, ("Move to folder", "移动到文件夹"), choose))

    def words(self, params: Moved, locale: str) -> dict[str, str]:
        return {"title": params.note.title, "folder": params.name}


@dataclass(frozen=True)
class TwoMoved:
    first: NoteRef
    second: NoteRef
    folder: str
    name: str


class MoveTwo(Template[TwoMoved]):
    id = "notes.move-two"
    apps = (APP,)
    goal: ClassVar = {
        "en": "Move the notes {first} and {second} to the folder {folder}.",
        "zh": "把便签“{first}”和“{second}”移动到文件夹“{folder}”。",
    }

    def sample(self, world: World, rng: random.Random) -> TwoMoved:
        folder = rng.choice(list(notes(world)["data"]["folders"].values()))
        first, second = rng.sample([n for n in plainly_titled(world) if n["folder"] != folder["id"]], 2)
        return TwoMoved(ref(first), ref(second), folder["id"], folder["name"])

    def goals(self, params: TwoMoved) -> Sequence[Goal]:
        return [
            Goal(f"{note.title} lies in {params.name}", partial(lies_in, note, params.folder))
            for note in (params.first, params.second)
        ]

    def allowed(self, params: TwoMoved) -> Sequence[str]:
        return [f"{NOTES}.{note.id}.folder" for note in (params.first, params.second)]

    def solve(self, params: TwoMoved) -> Sequence[Unless]:
        """By selection: one note is held, the other one ticked."""
        pair = (params.first, params.second)
        choose = Stop("move", tap("radio", key=params.folder), {"id": ""})
        moved = both(*(holds(f"{NOTES}.{note.id}.folder", params.folder) for note in pair))
        return until(moved, selected(pair, ("Move to folder", "移动到文件夹"), choose))

    def words(self, params: TwoMoved, locale: str) -> dict[str, str]:
        return {"first": params.first.title, "second": params.second.title, "folder": params.name}


def lies_in(note: NoteRef, folder: str, end: Ending) -> bool:
    return bool(end.at(f"{NOTES}.{note.id}.folder", "gone") == folder)


class TrashNote(Template[OneNote]):
    id = "notes.trash-note"
    apps = (APP,)
    goal: ClassVar = {"en": "Delete the note {title}.", "zh": "删除便签“{title}”。"}

    def sample(self, world: World, rng: random.Random) -> OneNote:
        return OneNote(ref(rng.choice([n for n in plainly_titled(world) if not n["pinned"]])))

    def goals(self, params: OneNote) -> Sequence[Goal]:
        return [Goal("the note is in the trash", partial(is_trashed, params.note))]

    def allowed(self, params: OneNote) -> Sequence[str]:
        return [f"{NOTES}.{params.note.id}.trashed"]

    def solve(self, params: OneNote) -> Sequence[Unless]:
        return until(in_trash(params.note), menu_item(params.note, ("Move to trash", "移到回收站")))

    def words(self, params: OneNote, locale: str) -> dict[str, str]:
        return {"title": params.note.title}


def is_trashed(note: NoteRef, end: Ending) -> bool:
    return end.at(f"{NOTES}.{note.id}.trashed", "gone") not in (None, "gone")


def in_trash(note: NoteRef) -> Condition:
    return lambda view: view.at(f"{NOTES}.{note.id}.trashed") is not None


@dataclass(frozen=True)
class TwoNotes:
    first: NoteRef
    second: NoteRef


class TrashTwo(Template[TwoNotes]):
    id = "notes.trash-two"
    apps = (APP,)
    goal: ClassVar = {
        "en": "Move the notes {first} and {second} to the trash.",
        "zh": "把便签“{first}”和“{second}”移到回收站。",
    }

    def sample(self, world: World, rng: random.Random) -> TwoNotes:
        first, second = rng.sample([n for n in plainly_titled(world) if not n["pinned"]], 2)
        return TwoNotes(ref(first), ref(second))

    def goals(self, params: TwoNotes) -> Sequence[Goal]:
        return [
            Goal(f"{note.title} is in the trash", partial(is_trashed, note)) for note in (params.first, params.second)
        ]

    def allowed(self, params: TwoNotes) -> Sequence[str]:
        return [f"{NOTES}.{note.id}.trashed" for note in (params.first, params.second)]

    def solve(self, params: TwoNotes) -> Sequence[Unless]:
        return [
            step
            for note in (params.first, params.second)
            for step in until(in_trash(note), menu_item(note, ("Move to trash", "移到回收站")))
        ]

    def words(self, params: TwoNotes, locale: str) -> dict[str, str]:
        return {"first": params.first.title, "second": params.second.title}


class RestoreNote(Template[OneNote]):
    id = "notes.restore-note"
    apps = (APP,)
    goal: ClassVar = {"en": "Restore the note {title} from the trash.", "zh": "从回收站恢复便签“{title}”。"}

    def sample(self, world: World, rng: random.Random) -> OneNote:
        return OneNote(ref(rng.choice(trashed(world))))

    def goals(self, params: OneNote) -> Sequence[Goal]:
        path = f"{NOTES}.{params.note.id}.trashed"
        return [Goal("the note is out of the trash", lambda end: end.at(path, "gone") is None)]

    def allowed(self, params: OneNote) -> Sequence[str]:
        return [f"{NOTES}.{params.note.id}.trashed"]

    def solve(self, params: OneNote) -> Sequence[Unless]:
        restore = Stop("trashed", tap("button", ("Restore", "恢复")), {"id": params.note.id})
        return until(holds(f"{NOTES}.{params.note.id}.trashed", None), at_last(APP, trash_row(params.note), restore))

    def words(self, params: OneNote, locale: str) -> dict[str, str]:
        return {"title": params.note.title}


def trashed(world: World) -> list[dict[str, Any]]:
    return [note for note in notes(world)["data"]["notes"].values() if note["trashed"] is not None]


def trash_row(note: NoteRef) -> Stop:
    return Stop("home", to_tab("trash", scroll_to("listitem", key=note.id, order=trash_order)))


class DeleteForever(Template[OneNote]):
    id = "notes.delete-forever"
    apps = (APP,)
    goal: ClassVar = {
        "en": "Delete the note {title} forever from the trash.",
        "zh": "在回收站里彻底删除便签“{title}”。",
    }

    def sample(self, world: World, rng: random.Random) -> OneNote:
        return OneNote(ref(rng.choice(trashed(world))))

    def goals(self, params: OneNote) -> Sequence[Goal]:
        return [
            Goal("the note is gone", lambda end: params.note.id not in end.at(NOTES)),
            Goal("no other is gone", lambda end: end.removed(NOTES).keys() <= {params.note.id}),
        ]

    def allowed(self, params: OneNote) -> Sequence[str]:
        return [f"{NOTES}.{params.note.id}"]

    def solve(self, params: OneNote) -> Sequence[Unless]:
        forever = Stop("trashed", tap("button", ("Delete forever", "彻底删除")), {"id": params.note.id})
        confirm = Stop("deleteForever", tap("button", ("Remove", "移除")), {"id": params.note.id})
        steps = at_last(APP, trash_row(params.note), forever, confirm)
        return until(lambda view: params.note.id not in view.at(NOTES), steps)

    def words(self, params: OneNote, locale: str) -> dict[str, str]:
        return {"title": params.note.title}


@dataclass(frozen=True)
class FolderName:
    name: str


FOLDER_NAMES = {
    "en": ("Music", "Garden", "School", "Letters", "Boats", "Winter", "Money", "Poems"),
    "zh": ("音乐", "花园", "学校", "书信", "船", "冬天", "账目", "诗"),
}


class CreateFolder(Template[FolderName]):
    id = "notes.create-folder"
    apps = (APP,)
    goal: ClassVar = {"en": "Create a notes folder called {name}.", "zh": "新建一个名为“{name}”的便签文件夹。"}

    def sample(self, world: World, rng: random.Random) -> FolderName:
        return FolderName(rng.choice(FOLDER_NAMES[world.locale]))

    def goals(self, params: FolderName) -> Sequence[Goal]:
        return [Goal("one folder is added", lambda end: only_new(end, {"name": params.name}, FOLDERS))]

    def allowed(self, params: FolderName) -> Sequence[str]:
        return [f"{FOLDERS}.*"]

    def solve(self, params: FolderName) -> Sequence[Unless]:
        new = Stop("home", to_tab("folders", tap("button", ("New folder", "新建文件夹"))))
        return until(
            lambda view: any(folder["name"] == params.name for folder in view.at(FOLDERS).values()),
            reach(APP, new, Stop("folderName", params={"id": ""})),
            fill(("Folder name", "文件夹名称"), params.name),
            do(tap("button", ("Create", "创建")), "create"),
        )


@dataclass(frozen=True)
class Renamed:
    folder: str
    old: str
    new: str


class RenameFolder(Template[Renamed]):
    id = "notes.rename-folder"
    apps = (APP,)
    goal: ClassVar = {"en": "Rename the notes folder {old} to {new}.", "zh": "把便签文件夹“{old}”重命名为“{new}”。"}

    def sample(self, world: World, rng: random.Random) -> Renamed:
        folder = rng.choice(list(notes(world)["data"]["folders"].values()))
        return Renamed(folder["id"], folder["name"], rng.choice(FOLDER_NAMES[world.locale]))

    def goals(self, params: Renamed) -> Sequence[Goal]:
        path = f"{FOLDERS}.{params.folder}.name"
        return [Goal(f"the folder is called {params.new}", lambda end: bool(end.at(path) == params.new))]

    def allowed(self, params: Renamed) -> Sequence[str]:
        return [f"{FOLDERS}.{params.folder}.name"]

    def solve(self, params: Renamed) -> Sequence[Unless]:
        options = tap("button", (f"Options for {params.old}", f"{params.old}的选项"))
        menu = Stop("folderMenu", tap("option", ("Rename folder", "重命名文件夹")), {"id": params.folder})
        form = Stop("folderName", params={"id": params.folder})
        return until(
            holds(f"{FOLDERS}.{params.folder}.name", params.new),
            reach(APP, Stop("home", to_tab("folders", options)), menu, form),
            fill(("Folder name", "文件夹名称"), params.new),
            do(tap("button", SAVE), "save"),
        )


@dataclass(frozen=True)
class Sorting:
    by: str


class SortNotes(Template[Sorting]):
    id = "notes.sort-notes"
    apps = (APP,)
    goal: ClassVar = {"en": "Sort the notes by {by}.", "zh": "让便签按{by}排序。"}
    _names: ClassVar = {
        "title": {"en": "title", "zh": "标题"},
        "created": {"en": "the date they were created", "zh": "创建时间"},
        "modified": {"en": "the date they were modified", "zh": "修改时间"},
    }

    def sample(self, world: World, rng: random.Random) -> Sorting:
        return Sorting(rng.choice(sorted(self._names)))

    def setup(self, state: dict[str, Any], params: Sorting) -> None:
        state["apps"]["notes"]["data"]["sort"] = "title" if params.by == "modified" else "modified"

    def goals(self, params: Sorting) -> Sequence[Goal]:
        return [Goal(f"sorted by {params.by}", lambda end: bool(end.at(f"{DATA}.sort") == params.by))]

    def allowed(self, params: Sorting) -> Sequence[str]:
        return [f"{DATA}.sort"]

    def solve(self, params: Sorting) -> Sequence[Unless]:
        stops = [
            Stop("home", to_tab("notes", tap("button", ("More options", "更多选项")))),
            Stop("homeMenu", tap("option", ("Sort by", "排序方式"))),
            Stop("sort", tap("radio", key=params.by)),
        ]
        return until(holds(f"{DATA}.sort", params.by), at_last(APP, *stops))

    def words(self, params: Sorting, locale: str) -> dict[str, str]:
        return {"by": self._names[params.by][locale]}
