"""Notes: checklists."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from mobilegym.judge.ending import Ending
from mobilegym.phone.action import AnyAction, Back
from mobilegym.tasks.gestures import Condition, Gesture, do, fill, holds, tap, until
from mobilegym.tasks.note_ways import APP, NOTES, SAVE, NoteRef, on_note, open_note, plainly_titled, ref, to_tab
from mobilegym.tasks.routes import Stop, at_stop, reach, top
from mobilegym.tasks.suites.notes import BLANK, TITLE
from mobilegym.tasks.template import Goal, Template, Unless
from mobilegym.tasks.view import View
from mobilegym.world import note_texts as texts
from mobilegym.world.world import World

NEW_ITEM = ("New item", "新条目")
ADD = ("Add", "添加")


def plain(items: Sequence[dict[str, Any]] | None) -> list[tuple[str, bool]]:
    return [(item["text"], item["done"]) for item in items or ()]


def checklists(world: World) -> list[dict[str, Any]]:
    return [note for note in plainly_titled(world) if note["checklist"]]


@dataclass(frozen=True)
class Item:
    """`index`: where the item stands, or will stand."""

    note: NoteRef
    text: str
    index: int


class ItemTemplate(Template[Item]):
    """Changes one checklist."""

    apps = (APP,)

    def words(self, params: Item, locale: str) -> dict[str, str]:
        return {"title": params.note.title, "item": params.text}


class TickItem(ItemTemplate):
    id = "notes.tick-item"
    goal: ClassVar = {"en": "Tick off {item} on my checklist {title}.", "zh": "在清单“{title}”里勾选“{item}”。"}

    def sample(self, world: World, rng: random.Random) -> Item:
        note = rng.choice(checklists(world))
        index = rng.choice([n for n, item in enumerate(note["checklist"]) if not item["done"]])
        return Item(ref(note), note["checklist"][index]["text"], index)

    def _path(self, params: Item) -> str:
        return f"{NOTES}.{params.note.id}.checklist.{params.index}.done"

    def goals(self, params: Item) -> Sequence[Goal]:
        return [Goal("the item is ticked", lambda end: end.at(self._path(params)) is True)]

    def allowed(self, params: Item) -> Sequence[str]:
        return [self._path(params), f"{NOTES}.{params.note.id}.modified"]

    def solve(self, params: Item) -> Sequence[Unless]:
        tick = Stop("note", tap("checkbox", params.text), {"id": params.note.id})
        return until(holds(self._path(params), True), on_note(params.note, tick))


class AddItem(ItemTemplate):
    id = "notes.add-item"
    goal: ClassVar = {"en": "Add {item} to my checklist {title}.", "zh": "在清单“{title}”里添加“{item}”。"}

    def sample(self, world: World, rng: random.Random) -> Item:
        note = rng.choice(checklists(world))
        have = {item["text"] for item in note["checklist"]}
        pool = [text for pool in texts.LISTS[world.locale].values() for text in pool if text not in have]
        return Item(ref(note), rng.choice(sorted(set(pool))), len(note["checklist"]))

    def goals(self, params: Item) -> Sequence[Goal]:
        path = f"{NOTES}.{params.note.id}.checklist"

        def added(end: Ending) -> bool:
            return plain(end.at(path)) == [*plain(end.was(path)), (params.text, False)]

        return [Goal("the item stands at the end", added)]

    def allowed(self, params: Item) -> Sequence[str]:
        return [f"{NOTES}.{params.note.id}.checklist.*", f"{NOTES}.{params.note.id}.modified"]

    def solve(self, params: Item) -> Sequence[Unless]:
        path = f"{NOTES}.{params.note.id}.checklist"
        return until(lambda view: len(view.at(path)) > params.index, open_note(params.note), *add(params.text))


def add(text: str) -> list[Unless]:
    return [fill(NEW_ITEM, text), do(tap("button", ADD), "add")]


class RemoveItem(ItemTemplate):
    id = "notes.remove-item"
    goal: ClassVar = {"en": "Remove {item} from my checklist {title}.", "zh": "从清单“{title}”里移除“{item}”。"}

    def sample(self, world: World, rng: random.Random) -> Item:
        note = rng.choice(checklists(world))
        index = rng.randrange(len(note["checklist"]))
        return Item(ref(note), note["checklist"][index]["text"], index)

    def goals(self, params: Item) -> Sequence[Goal]:
        path = f"{NOTES}.{params.note.id}.checklist"

        def removed(end: Ending) -> bool:
            return list(end.at(path) or ()) == [item for item in end.was(path) if item["text"] != params.text]

        return [Goal("the item is gone, the others stand", removed)]

    def allowed(self, params: Item) -> Sequence[str]:
        return [f"{NOTES}.{params.note.id}.checklist", f"{NOTES}.{params.note.id}.modified"]

    def solve(self, params: Item) -> Sequence[Unless]:
        path = f"{NOTES}.{params.note.id}.checklist"
        options = tap("button", (f"Options for {params.text}", f"{params.text}的选项"))
        steps = on_note(
            params.note,
            Stop("note", options, {"id": params.note.id}),
            Stop("itemMenu", self._remove(params), {"id": params.note.id}),
        )
        return until(lambda view: all(item["text"] != params.text for item in view.at(path)), steps)

    def _remove(self, params: Item) -> Gesture:
        """Only in this item's menu; another one is left."""

        def act(view: View) -> AnyAction:
            items = view.at(f"{NOTES}.{params.note.id}.checklist")
            of = next((item["text"] for item in items if item["id"] == top(view, APP)["params"]["item"]), None)
            return tap("option", ("Remove item", "移除条目"))(view) if of == params.text else Back()

        return act


@dataclass(frozen=True)
class NewList:
    title: str
    first: str
    second: str
    third: str


class MakeChecklist(Template[NewList]):
    id = "notes.make-checklist"
    apps = (APP,)
    goal: ClassVar = {
        "en": "Make a checklist called {title} with the items {first}, {second} and {third}, in this order.",
        "zh": "新建名为“{title}”的清单，依次添加“{first}”、“{second}”和“{third}”。",
    }
    _titles: ClassVar = {
        "en": ("Attic", "Boat", "Picnic", "Office", "Kites"),
        "zh": ("阁楼", "小船", "野餐", "办公", "风筝"),
    }

    def sample(self, world: World, rng: random.Random) -> NewList:
        pool = rng.choice(sorted(texts.LISTS[world.locale].items()))[1]
        first, second, third = rng.sample(pool, 3)
        return NewList(rng.choice(self._titles[world.locale]), first, second, third)

    def goals(self, params: NewList) -> Sequence[Goal]:
        wanted = [(text, False) for text in (params.first, params.second, params.third)]

        def new(end: Ending) -> list[dict[str, Any]]:
            return list(end.added(NOTES).values())

        def made(end: Ending) -> bool:
            others = {**BLANK, "title": params.title, "body": ""}
            del others["checklist"]
            found = new(end)
            return len(found) == 1 and not end.removed(NOTES) and all(found[0][k] == v for k, v in others.items())

        def filled(end: Ending) -> bool:
            return [plain(note["checklist"]) for note in new(end)] == [wanted]

        return [Goal("one checklist is added", made), Goal("its items are as asked", filled)]

    def allowed(self, params: NewList) -> Sequence[str]:
        return [f"{NOTES}.*", f"{NOTES}.*.checklist.*", f"{NOTES}.*.modified"]

    def solve(self, params: NewList) -> Sequence[Unless]:
        form = {"id": "", "folder": "", "kind": "checklist"}
        new = Stop("home", to_tab("notes", tap("button", ("New checklist", "新建清单"))))
        make = until(
            lambda view: made_list(view, params.title) is not None,
            reach(APP, new, Stop("edit", params=form)),
            fill(TITLE, params.title),
            do(tap("button", SAVE), "save"),
        )
        items = (params.first, params.second, params.third)
        for count, text in enumerate(items, start=1):
            make += until(has_items(params.title, count), *into(params.title, text))
        return make


def made_list(view: View, title: str) -> dict[str, Any] | None:
    """The checklist of this title that was made last."""
    found = [n for n in view.at(NOTES).values() if n["title"] == title and n["checklist"] is not None]
    return max(found, key=lambda note: note["created"], default=None)


def has_items(title: str, count: int) -> Condition:
    def holds_items(view: View) -> bool:
        note = made_list(view, title)
        return note is not None and len(note["checklist"]) >= count

    return holds_items


def into(title: str, text: str) -> list[Unless]:
    """Adds an item to the checklist that was just made, whose id only the state tells."""

    def act(view: View) -> AnyAction:
        note = made_list(view, title)
        assert note is not None
        return open_note(NoteRef(note["id"], title)).act(view)

    def there(view: View) -> bool:
        note = made_list(view, title)
        return note is not None and at_stop(APP, "note", id=note["id"])(view)

    return [Unless(there, act, f"open the list {title}"), *add(text)]
