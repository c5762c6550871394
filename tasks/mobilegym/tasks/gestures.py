"""Building blocks of oracles: gestures read what is visible and propose the next action; steps say when they are done.

Names may be one text, several (`("Add alarm", "添加闹钟")`: any will do) or a predicate.
A `key` is the node's stable key, the same in every language.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from mobilegym.phone.action import AnyAction, Back, DoubleTap, Enter, Home, LongPress, Swipe, Tap, Type
from mobilegym.tasks.template import Unless
from mobilegym.tasks.view import Name, Node, View, fits

Gesture = Callable[[View], AnyAction]
Condition = Callable[[View], bool]
Order = Callable[[View], Sequence[str]]  # keys (or names) of a list's rows, in shown order


class NotVisible(Exception):
    """What the gesture needs is not on the screen; the oracle then backs out and comes again."""


APP_NAMES = {
    "clock": ("Clock", "时钟"),
    "notes": ("Notes", "便签"),
    "contacts": ("Contacts", "通讯录"),
    "settings": ("Settings", "设置"),
}

# Conditions


def never(view: View) -> bool:
    return False


def in_app(app: str) -> Condition:
    """The app is in front, with neither shade, recents nor a system dialog over it."""
    return lambda view: view.app == app and view.overlay == "none" and not view.dialog


def on_screen(app: str, *screens: str) -> Condition:
    return lambda view: in_app(app)(view) and view.screen in screens


def sees(role: str | None = None, name: Name = None, key: str | None = None, **states: object) -> Condition:
    return lambda view: view.visible(role, name, key, **states)


def either(*conditions: Condition) -> Condition:
    return lambda view: any(condition(view) for condition in conditions)


def both(*conditions: Condition) -> Condition:
    return lambda view: all(condition(view) for condition in conditions)


def holds(path: str, value: object) -> Condition:
    """The state has `value` at `path`."""
    return lambda view: bool(view.at(path) == value)


# Gestures


def need(view: View, role: str | None = None, name: Name = None, key: str | None = None, **states: object) -> Node:
    """The first enabled node that fits. Raises `NotVisible`."""
    found = view.find(role, name, key, **{"disabled": False, **states})
    if found is None:
        raise NotVisible(f"no {role or 'node'} {name or key or ''} on {view.app}/{view.screen}")
    return found


def tap(role: str | None = None, name: Name = None, key: str | None = None, **states: object) -> Gesture:
    def act(view: View) -> AnyAction:
        return tap_node(need(view, role, name, key, **states))

    return hiding_keyboard(act)


def tap_key(key: str, role: str | None = None) -> Gesture:
    return tap(role, key=key)


def tap_node(node: Node) -> Tap:
    return Tap(*node.centre)


def long_press(role: str | None = None, name: Name = None, key: str | None = None, **states: object) -> Gesture:
    return hiding_keyboard(lambda view: LongPress(*need(view, role, name, key, **states).centre))


def double_tap(role: str | None = None, name: Name = None, key: str | None = None, **states: object) -> Gesture:
    return hiding_keyboard(lambda view: DoubleTap(*need(view, role, name, key, **states).centre))


def slide(percent: int, name: Name = None, key: str | None = None) -> Gesture:
    """Taps a slider where it stands for `percent`, 0..100."""

    def act(view: View) -> AnyAction:
        node = need(view, "slider", name, key)
        left, _, width, _ = node.box
        pixel = min(round(left + width * percent / 100), int(left + width) - 1)
        return Tap((pixel + 0.5) / view.size[0], node.centre[1])

    return hiding_keyboard(act)


def hiding_keyboard(gesture: Gesture) -> Gesture:
    """Where the keyboard may cover the target, Back takes it away first."""

    def act(view: View) -> AnyAction:
        try:
            return gesture(view)
        except NotVisible:
            if view.keyboard:
                return Back()
            raise

    return act


def back() -> Gesture:
    return lambda view: Back()


def home() -> Gesture:
    return lambda view: Home()


def enter() -> Gesture:
    return lambda view: Enter()


def swipe(up: bool = True, top: float = 0.2, bottom: float = 0.85) -> Gesture:
    """Scrolls by a little less than half of what lies between `top` and `bottom`; `up` shows what is below."""

    def act(view: View) -> AnyAction:
        low = min(bottom, 0.56) if view.keyboard else bottom
        middle, reach = (top + low) / 2, (low - top) * 0.22
        start, end = (middle + reach, middle - reach) if up else (middle - reach, middle + reach)
        x = EDGE if any(_near(node, start, view) for node in view.all("slider")) else 0.5
        return Swipe(x, start, x, end)

    return act


EDGE = 0.04  # left of every row's content


def _near(slider: Node, y: float, view: View) -> bool:
    """Whether a finger put down in the middle at `y` would move this slider instead of the list."""
    return abs(slider.centre[1] - y) * view.size[1] < slider.box[3] / 2 + 8


def scroll_to(
    role: str | None = None,
    name: Name = None,
    key: str | None = None,
    order: Order | None = None,
    top: float = 0.2,
    bottom: float = 0.85,
) -> Gesture:
    """Taps the target if it is visible, else swipes towards it.

    `order` gives the rows' keys or names as shown, from the state: it tells on which side the target lies, so that
    the swipes end from any offset. Without it the target is taken to lie below.
    """

    def act(view: View) -> AnyAction:
        if view.visible(role, name, key, disabled=False):
            return tap_node(need(view, role, name, key))
        below = True if order is None else _lies_below(view, list(order(view)), key, name)
        return swipe(below, top, bottom)(view)

    return hiding_keyboard(act) if order is None else act


def _lies_below(view: View, rows: list[str], key: str | None, name: Name) -> bool:
    wanted = key if key is not None else next((row for row in rows if _named(name, row)), None)
    if wanted is None or wanted not in rows:
        raise NotVisible(f"{key or name} is not in this list")
    shown = [rows.index(label) for node in view.nodes for label in (node.key, node.name) if label in rows]
    if not shown:
        raise NotVisible(f"none of the rows of this list is on {view.app}/{view.screen}")
    return rows.index(wanted) > min(shown)


def _named(name: Name, row: str) -> bool:
    return name is not None and fits(name, row)


def open_app(app: str) -> Gesture:
    """Home, then the app's icon; pages are turned until it is there."""

    def act(view: View) -> AnyAction:
        if view.dialog:
            return Back()
        if view.app != "launcher" or view.overlay != "none" or view.at("os.launcher.search") is not None:
            return Home()
        icon = view.find("icon", key=app) or view.find("icon", APP_NAMES[app])
        if icon is not None:
            return tap_node(icon)
        onward = view.at("os.launcher.page", 0) == 0
        return Swipe(0.8, 0.4, 0.2, 0.4) if onward else Swipe(0.2, 0.4, 0.8, 0.4)

    return act


def clear_and_type(field: Name, text: str, key: str | None = None) -> Gesture:
    """Brings a text field to hold exactly `text`: focus, clear what is wrong, commit the rest at the end."""

    def act(view: View) -> AnyAction:
        node = need(view, "textbox", field, key)
        value = node.value or ""
        cursor_at_end = view.at("os.focus.cursor", 0) == _utf16(value)
        if value and not (text.startswith(value) and node.focused and cursor_at_end):
            return tap_node(_clear_button(view, node))
        if not node.focused:
            return tap_node(node)
        return Type(text[len(value) :])

    return act


def _utf16(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2


def _clear_button(view: View, field: Node) -> Node:
    names = (f"Clear {field.name}", f"清除{field.name}", f"清空{field.name}")
    return need(view, "button", names)


# Steps


def ensure_app(app: str) -> Unless:
    return Unless(in_app(app), open_app(app), f"open {app}")


def ensure_screen(app: str, screen: str, *ways: Unless) -> list[Unless]:
    """Gets to `app/screen` by `ways`, each of which leads one screen further."""
    return until(on_screen(app, screen), ensure_app(app), *ways)


def fill(field: Name, text: str, key: str | None = None) -> Unless:
    """The text field holds exactly `text`."""

    def done(view: View) -> bool:
        node = view.find("textbox", field, key)
        return node is not None and (node.value or "") == text

    return Unless(done, clear_and_type(field, text, key), f"type {text!r}")


def toggle(name: Name = None, on: bool = True, key: str | None = None, role: str = "switch") -> Unless:
    """A visible switch or checkbox stands as wanted."""
    return Unless(sees(role, name, key, checked=on), tap(role, name, key), f"switch {'on' if on else 'off'}")


def do(act: Gesture, note: str = "") -> Unless:
    """A gesture without a condition of its own: for the last step of `until`."""
    return Unless(never, act, note)


def until(goal: Condition, *steps: Unless) -> list[Unless]:
    """Steps that are only needed until `goal` holds: each is done when the goal holds or its own condition does."""
    return [Unless(either(goal, step.done), step.act, step.note) for step in steps]
