"""All templates: the `Template` classes of every module in `mobilegym.tasks.suites`; a `_Name` is only a base."""

from __future__ import annotations

import difflib
import importlib
import inspect
import pkgutil
from functools import cache
from typing import Any

from mobilegym.tasks import suites
from mobilegym.tasks.template import Template


class UnknownTemplate(LookupError):
    """No template has this id; the message offers the closest ones."""


def templates() -> dict[str, Template[Any]]:
    """By id, sorted. Raises ValueError where two share an id or one is not filled in."""
    return dict(_collected())


@cache
def _collected() -> dict[str, Template[Any]]:
    found: dict[str, Template[Any]] = {}
    for module in sorted(pkgutil.iter_modules(suites.__path__), key=lambda m: m.name):
        namespace = importlib.import_module(f"{suites.__name__}.{module.name}")
        for kind in vars(namespace).values():
            if _is_template(kind) and kind.__module__ == namespace.__name__ and not kind.__name__.startswith("_"):
                _add(found, kind())
    return dict(sorted(found.items()))


def _is_template(kind: object) -> bool:
    return inspect.isclass(kind) and issubclass(kind, Template) and not inspect.isabstract(kind)


def _add(found: dict[str, Template[Any]], template: Template[Any]) -> None:
    name = type(template).__qualname__
    for attribute in ("id", "apps", "goal"):
        if not hasattr(template, attribute):
            raise ValueError(f"template {name} lacks `{attribute}`")
    if {"en", "zh"} - template.goal.keys():
        raise ValueError(f"template {template.id} needs a goal in en and zh")
    if template.id in found:
        raise ValueError(f"two templates have the id {template.id}: {name} and {type(found[template.id]).__qualname__}")
    found[template.id] = template


def template(template_id: str) -> Template[Any]:
    """Raises `UnknownTemplate`."""
    known = _collected()
    if template_id not in known:
        close = difflib.get_close_matches(template_id, known, n=3, cutoff=0.4)
        hint = f"did you mean {', '.join(close)}?" if close else "see `mobilegym tasks list`"
        raise UnknownTemplate(f"no template {template_id!r}; {hint}")
    return known[template_id]
