"""What an oracle sees: the accessibility tree of one moment, and the state behind it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from mobilegym.judge.paths import at

Name = str | Sequence[str] | Callable[[str], bool] | None
SIZE = (360, 800)  # CSS px


@dataclass(frozen=True)
class Node:
    """A visible node. `box` is x, y, width, height in CSS px, clipped to what is visible."""

    role: str
    name: str
    box: tuple[float, float, float, float]
    screen: tuple[int, int] = SIZE
    value: str | None = None
    checked: bool = False
    selected: bool = False
    disabled: bool = False
    focused: bool = False
    key: str | None = None

    @property
    def centre(self) -> tuple[float, float]:
        """In [0, 1) of the screen."""
        x, y, width, height = self.box
        return (x + width / 2) / self.screen[0], (y + height / 2) / self.screen[1]

    def inside(self, outer: Node) -> bool:
        x, y, width, height = self.box
        left, top, wide, high = outer.box
        return left <= x and top <= y and x + width <= left + wide and y + height <= top + high


@dataclass(frozen=True)
class View:
    """One moment of a phone. Built from a live phone or from a stored state and tree alike.

    `answered`: the last answer given in this episode, as text.
    """

    state: Mapping[str, Any]
    tree: Mapping[str, Any]
    answered: str | None = None
    size: tuple[int, int] = field(default=SIZE)

    @cached_property
    def nodes(self) -> tuple[Node, ...]:
        return tuple(Node(**{**raw, "box": tuple(raw["box"])}, screen=self.size) for raw in self.tree["nodes"])

    @property
    def app(self) -> str:
        """An app id, or `launcher`."""
        return str(self.tree["app"])

    @property
    def screen(self) -> str:
        return str(self.tree["screen"])

    @property
    def heading(self) -> str:
        return str(self.tree["heading"])

    @property
    def overlay(self) -> str:
        """`none`, `shade` or `recents`."""
        return str(self.tree["overlay"])

    @property
    def keyboard(self) -> bool:
        return bool(self.tree["keyboard"])

    @property
    def dialog(self) -> bool:
        """Whether a dialog of the system stands over everything."""
        return self.at("os.dialog") is not None

    @property
    def locale(self) -> str:
        return str(self.at("os.locale"))

    def at(self, path: str, default: Any = None) -> Any:
        """The state's value at `apps.clock.data...`; `default` where there is none."""
        return at(self.state, path, default)

    def all(self, role: str | None = None, name: Name = None, key: str | None = None, **states: Any) -> list[Node]:
        """Nodes in reading order that fit all that is given.

        `name`: a text, several of which any will do (one a language, say), or a predicate.
        `states`: `checked`, `selected`, `disabled`, `focused`, `value`.
        """
        return [
            node
            for node in self.nodes
            if (role is None or node.role == role)
            and fits(name, node.name)
            and (key is None or node.key == key)
            and all(getattr(node, state) == wanted for state, wanted in states.items())
        ]

    def find(self, role: str | None = None, name: Name = None, key: str | None = None, **states: Any) -> Node | None:
        """The first node that fits, or None."""
        found = self.all(role, name, key, **states)
        return found[0] if found else None

    def visible(self, role: str | None = None, name: Name = None, key: str | None = None, **states: Any) -> bool:
        return bool(self.all(role, name, key, **states))


def fits(name: Name, text: str) -> bool:
    if name is None:
        return True
    if isinstance(name, str):
        return text == name
    if callable(name):
        return name(text)
    return text in name
