"""Rows of a long list, above which a floating button may lie."""

from __future__ import annotations

from mobilegym.phone.action import AnyAction
from mobilegym.tasks.gestures import Gesture, Order, hiding_keyboard, scroll_to, swipe, tap_node
from mobilegym.tasks.view import Name, Node, View


def reach(role: str, name: Name = None, key: str | None = None, order: Order | None = None) -> Gesture:
    """Taps a row or its switch, scrolled out from under what covers it; `order` as for `scroll_to`."""

    def act(view: View) -> AnyAction:
        found = view.all(role, name, key, disabled=False)
        clear = [node for node in found if not covered(view, node)]
        if clear:
            return tap_node(max(clear, key=lambda node: node.box[3]))
        if found:
            return swipe(up=True)(view)
        return scroll_to(role, name, key, order)(view)

    return hiding_keyboard(act)


def covered(view: View, target: Node) -> bool:
    """Whether a button that is no part of the row lies over the middle of the target."""
    x, y = target.box[0] + target.box[2] / 2, target.box[1] + target.box[3] / 2
    return any(
        button is not target
        and button.box[0] <= x <= button.box[0] + button.box[2]
        and button.box[1] <= y <= button.box[1] + button.box[3]
        for button in view.all("button")
    )
