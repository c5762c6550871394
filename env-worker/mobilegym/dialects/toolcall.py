"""Tool calls in a model's text: found and read leniently, because one stray quote must not end an episode."""

from __future__ import annotations

import ast
import json
import re
import warnings
from typing import Any

from mobilegym.dialects.base import Fault, Unreadable, shorten

TAG = re.compile(r"<tool_call>(.*?)(?:</tool_call>|(?=<tool_call>)|$)", re.DOTALL)
MAX_CHARS = 20_000  # of a text; a policy's answer is far below


def tool_calls(text: str) -> list[dict[str, Any]]:
    """The arguments of every call, in order. Raises Unreadable."""
    text = text[:MAX_CHARS]
    blocks = [block for block in TAG.findall(text) if block.strip()] or [text]
    found = [call for block in blocks if (call := _first_object(block)) is not None]
    if not found:
        if "{" in text:
            raise Unreadable(Fault.BAD_SYNTAX, f"the tool call is no JSON: {shorten(text[text.index('{') :])}")
        raise Unreadable(Fault.NO_ACTION, "no tool call")
    return [_arguments(call) for call in found]


def _arguments(call: dict[str, Any]) -> dict[str, Any]:
    """`arguments` of a call, which some models write as a string, or leave their wrapper out."""
    arguments = call.get("arguments", call)
    if isinstance(arguments, str):
        arguments = _loads(arguments)
    if not isinstance(arguments, dict):
        raise Unreadable(Fault.BAD_SYNTAX, f"`arguments` is no object: {shorten(str(call.get('arguments')))}")
    return arguments


def _first_object(text: str) -> dict[str, Any] | None:
    start = text.find("{")
    if start < 0:
        return None
    body = text[start:]
    for candidate in (_balanced(body), body[: body.rfind("}") + 1], body.rstrip() + "}", body.rstrip() + "}}"):
        read = _loads(candidate) if candidate else None
        if isinstance(read, dict):
            return read
    return None


def _balanced(text: str) -> str:
    """The leading object, by counting braces outside of double-quoted strings."""
    depth, quoted, escaped = 0, False, False
    for index, character in enumerate(text):
        if escaped:
            escaped = False
        elif quoted and character == "\\":
            escaped = True
        elif character == '"':
            quoted = not quoted
        elif not quoted and character in "{}":
            depth += 1 if character == "{" else -1
            if depth == 0:
                return text[: index + 1]
    return ""


def _loads(text: str) -> Any:
    """JSON, or what a Python literal or a trailing comma makes of it; None where it is neither."""
    for candidate in (text, re.sub(r",\s*([}\]])", r"\1", text)):
        try:
            return json.loads(candidate, strict=False)
        except (ValueError, RecursionError):
            continue
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of stray backslashes
            return ast.literal_eval(text)  # single quotes; evaluates literals only
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return None
