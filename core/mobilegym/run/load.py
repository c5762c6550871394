"""Reading a manifest, with every problem in words."""

from __future__ import annotations

import difflib
import typing
from collections.abc import Iterable
from pathlib import Path as FilePath
from typing import Any

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from mobilegym.run.document import Document, Path, dotted, read_document
from mobilegym.run.errors import Problem, RunError
from mobilegym.run.manifest import MobileGymRun

_BOUNDS = {
    "greater_than_equal": (">=", "ge"),
    "greater_than": (">", "gt"),
    "less_than_equal": ("<=", "le"),
    "less_than": ("<", "lt"),
}


def load_run(path: str | FilePath) -> MobileGymRun:
    """Read one manifest from a YAML file. Raises RunError with every problem, its field and its line."""
    file = FilePath(path)
    try:
        text = file.read_text(encoding="utf-8")
    except OSError as error:
        raise RunError(str(path), (Problem("", f"cannot be read: {error.strerror}"),)) from error
    except UnicodeDecodeError as error:
        raise RunError(str(path), (Problem("", f"is no UTF-8 text: {error}"),)) from error
    return parse_run(text, str(path))


def parse_run(text: str, source: str = "manifest") -> MobileGymRun:
    """As `load_run`, from text."""
    document = read_document(text, source)
    if not isinstance(document.data, dict):
        raise RunError(source, (Problem("", "must be a mapping with apiVersion, kind, metadata and spec"),))
    return _validate(document, source)


def validate_run(data: dict[str, Any], source: str = "manifest") -> MobileGymRun:
    """As `load_run`, from plain data. Raises RunError without lines."""
    return _validate(Document(data), source)


def _validate(document: Document, source: str) -> MobileGymRun:
    try:
        return MobileGymRun.model_validate(document.data, by_alias=True, by_name=False)
    except ValidationError as error:
        details = error.errors()
        inside = {detail["loc"][:-1] for detail in details}
        # A list with a bad item is also reported as too short: the item is the news.
        told = (d for d in details if not (d["type"] == "too_short" and d["loc"] in inside))
        problems = sorted((_problem(d, document) for d in told), key=lambda problem: (problem.line or 0, problem.path))
        raise RunError(source, tuple(problems)) from None


def _problem(detail: ErrorDetails, document: Document) -> Problem:
    location: Path = detail["loc"]
    message = _message(detail)
    if "\x00" in message:  # SpecError: names the field itself
        inner, message = message.split("\x00")
        location = (*location, *inner.split("."))
    return Problem(dotted(location), message, document.line(location))


def _message(detail: ErrorDetails) -> str:
    kind, got, context = detail["type"], detail["input"], detail.get("ctx", {})
    if kind == "extra_forbidden":
        name = str(detail["loc"][-1])
        return f"unknown key{_suggest(name, _keys_at(detail['loc'][:-1]))}"
    if kind == "missing":
        return "is missing, must be given"
    if kind in _BOUNDS:
        sign, name = _BOUNDS[kind]
        return f"got {_show(got)}, must be {sign} {context[name]:g}"
    if kind in ("enum", "literal_error"):
        allowed = context["expected"]
        return f"got {_show(got)}, must be {allowed}{_suggest(str(got), allowed.replace(' or ', ', ').split(', '))}"
    if kind == "value_error":
        text = str(context["error"])
        return text if "\x00" in text else f"got {_show(got)}, {text}"
    if kind in ("too_short", "too_long"):
        bound = context.get("min_length", context.get("max_length"))
        return f"got {_show(got)}, must have at {'least' if kind == 'too_short' else 'most'} {bound} items"
    if kind == "string_pattern_mismatch":
        return f"got {_show(got)}, must match {context['pattern']}"
    said = detail["msg"].removeprefix("Input ").removeprefix("should ")
    return f"got {_show(got)}, must {said[:1].lower()}{said[1:]}"


def _show(value: Any) -> str:
    text = str(value).lower() if isinstance(value, bool) else "null" if value is None else repr(value)
    if isinstance(value, dict | list):
        text = "a mapping" if isinstance(value, dict) else f"a list of {len(value)}"
    return text if len(text) <= 60 else f"{text[:57]}..."


def _suggest(name: str, known: Iterable[str]) -> str:
    names = {candidate.strip("'").lower(): candidate.strip("'") for candidate in known}
    close = difflib.get_close_matches(name.lower().replace("_", ""), names, n=1, cutoff=0.6)
    return f", did you mean {names[close[0]]}?" if close else ""


def _keys_at(location: Path) -> list[str]:
    """The keys that are known at a place in the manifest."""
    model: type[BaseModel] = MobileGymRun
    for part in location:
        found = next((f for f in model.model_fields.values() if f.alias == part), None)
        inner = _model_in(found.annotation) if found is not None else None
        if inner is None:
            return []
        model = inner
    return [field.alias or name for name, field in model.model_fields.items()]


def _model_in(annotation: Any) -> type[BaseModel] | None:
    options = (annotation, *typing.get_args(annotation))
    return next((a for a in options if isinstance(a, type) and issubclass(a, BaseModel)), None)
