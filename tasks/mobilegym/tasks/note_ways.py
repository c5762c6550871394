"""Ways to a note and through its menu, for the oracles of several suites."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mobilegym.phone.action import AnyAction, Back, Enter, Type
from mobilegym.tasks.gestures import (
    Gesture,
    clear_and_type,
    in_app,
    long_press,
    need,
    open_app,
    scroll_to,
    tap,
    tap_node,
)
from mobilegym.tasks.routes import Stop, at_stop, is_at, top
from mobilegym.tasks.template import Unless
from mobilegym.tasks.view import Name, View
from mobilegym.world.notes import notes
from mobilegym.world.world import World

APP = "notes"
DATA = "apps.notes.data"
NOTES = f"{DATA}.notes"
SEARCH = ("Search notes", "搜索便签")
MORE = ("More options", "更多选项")
SAVE = ("Save", "保存")
FARTHEST = 20  # rows that are still scrolled to; what lies deeper is searched for
Touch = Callable[..., Gesture]  # `tap` or `long_press`
PLAIN_WIDTH = 20  # titles up to here are easy to name in a goal


@dataclass(frozen=True)
class NoteRef:
    id: str
    title: str


def plainly_titled(world: World) -> list[dict[str, Any]]:
    """Notes that are not in the trash, with a short title that no other note has, by id."""
    all_notes = list(notes(world)["data"]["notes"].values())
    titles = [note["title"] for note in all_notes]
    return [
        note
        for note in all_notes
        if note["trashed"] is None and titles.count(note["title"]) == 1 and _is_plain(note["title"])
    ]


def _is_plain(title: str) -> bool:
    return 0 < len(title) <= PLAIN_WIDTH and all(ord(c) < 0x1F000 for c in title)


def ref(note: Mapping[str, Any]) -> NoteRef:
    return NoteRef(note["id"], note["title"])


def shown_order(view: View) -> list[str] | None:
    """Ids as the list shows them; None where they are sorted by a collation of the browser's."""
    by = view.at(f"{DATA}.sort")
    if by == "title":
        return None
    live = [note for note in view.at(NOTES).values() if note["trashed"] is None]
    return [note["id"] for note in sorted(live, key=lambda n: (not n["pinned"], -n[by], n["id"]))]


def trash_order(view: View) -> list[str]:
    gone = [note for note in view.at(NOTES).values() if note["trashed"] is not None]
    return [note["id"] for note in sorted(gone, key=lambda n: (-n["trashed"], n["id"]))]


def to_tab(tab: str, onward: Gesture) -> Gesture:
    """On the app's home: `onward` under this tab, else the tab."""
    names = {"notes": ("Notes", "便签"), "folders": ("Folders", "文件夹"), "trash": ("Trash", "回收站")}

    def act(view: View) -> AnyAction:
        return onward(view) if view.at("apps.notes.ui.tab") == tab else tap("tab", names[tab])(view)

    return act


def find(note: NoteRef, touch: Touch = tap) -> Gesture:
    """One step nearer to the note, through the list or, where it lies deep, through the search; its row is touched."""

    def act(view: View) -> AnyAction:
        if not in_app(APP)(view):
            return open_app(APP)(view)
        if view.screen not in ("home", "search", *(["folder"] if touch is tap else [])):
            return Back()
        if view.visible("listitem", key=note.id):
            return touch("listitem", key=note.id)(view)
        if view.screen == "search":
            return _search(view, note)
        return to_tab("notes", lambda v: _scroll(v, note))(view) if view.screen == "home" else Back()

    return act


def _search(view: View, note: NoteRef) -> AnyAction:
    if need(view, "textbox", SEARCH).value != note.title:
        return clear_and_type(SEARCH, note.title)(view)
    return tap("listitem", key=note.id)(view)  # not visible: the keyboard goes first


def _scroll(view: View, note: NoteRef) -> AnyAction:
    order = shown_order(view)
    if order is None or order.index(note.id) > FARTHEST:
        return tap("button", ("Search", "搜索"))(view)
    return scroll_to("listitem", key=note.id, order=lambda v: order)(view)


def open_note(note: NoteRef) -> Unless:
    return Unless(at_stop(APP, "note", id=note.id), find(note), f"open the note {note.title}")


def on_note(note: NoteRef, *stops: Stop) -> Unless:
    """From the note on through these screens, of which the first is the note's own; never done by itself."""

    def act(view: View) -> AnyAction:
        for stop in reversed(stops):
            if in_app(APP)(view) and is_at(top(view, APP), stop) and stop.onward:
                return stop.onward(view)
        return find(note)(view)

    return Unless(lambda view: False, act, f"in the note {note.title}")


def menu_item(note: NoteRef, option: Name, *stops: Stop) -> Unless:
    """Chooses from the note's menu, and goes on through what that leads to."""
    screen = Stop("note", tap("button", MORE), {"id": note.id})
    return on_note(note, screen, Stop("noteMenu", tap("option", option), {"id": note.id}), *stops)


def selected(pair: Sequence[NoteRef], button: Name, *stops: Stop) -> Unless:
    """Selects just these notes, by holding the first one's row, and taps a button of the selection; never done."""
    wanted = [note.id for note in pair]

    def act(view: View) -> AnyAction:
        ticked = view.at("apps.notes.ui.selected")
        route = top(view, APP)
        if not in_app(APP)(view) or set(ticked) - set(wanted):
            return find(pair[0], long_press)(view)
        for stop in stops:
            if is_at(route, stop) and stop.onward and set(ticked) == set(wanted):
                return stop.onward(view)
        if not is_at(route, Stop("select", params={"folder": "all"})):
            return find(pair[0], long_press)(view)
        missing = [key for key in wanted if key not in ticked]
        if missing:
            return scroll_to("checkbox", key=missing[0], order=lambda v: shown_order(v) or [])(view)
        return tap("button", button)(view)

    return Unless(lambda view: False, act, f"select {', '.join(note.title for note in pair)}")


def fill_text(field: Name, text: str) -> Unless:
    """A field of several lines holds exactly `text`. It has no button that clears it: what is wrong is cancelled."""

    def done(view: View) -> bool:
        node = view.find("textbox", field)
        return node is not None and node.value == text

    def act(view: View) -> AnyAction:
        node = need(view, "textbox", field)
        value = node.value or ""
        if not text.startswith(value):
            return tap("button", ("Cancel", "取消"))(view)
        if not node.focused:
            return tap_node(node)
        line, _, _ = text[len(value) :].partition("\n")
        return Type(line) if line else Enter()

    return Unless(done, act, f"type {text!r}")
