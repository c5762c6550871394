"""The `mobile_use` tool call, shared by the Qwen-VL families and what is trained from them.

Several calls in one text are made in order; `answer` does not finish, `terminate` does.
"""

from __future__ import annotations

import json
import re
from abc import ABC, abstractmethod
from collections.abc import Sequence

from mobilegym.dialects.base import (
    IMAGE,
    Inexpressible,
    Message,
    Parsed,
    Past,
    Seen,
    Size,
    Unreadable,
    refused,
    shorten,
)
from mobilegym.dialects.mobile_call import Grid, in_words, read, written
from mobilegym.dialects.mobile_prompt import system
from mobilegym.dialects.toolcall import tool_calls
from mobilegym.phone.action import AnyAction


class MobileUse(ABC):
    """A family says how it counts: `grid`, and in words `points`."""

    name: str

    @abstractmethod
    def grid(self, size: Size) -> Grid: ...

    @abstractmethod
    def points(self, size: Size) -> str: ...

    def messages(self, goal: str, history: Sequence[Past], observation: Seen) -> list[Message]:
        lines = [f"Task: {goal}"]
        if history:
            lines.append("Steps so far:")
            lines.extend(f"{number}. {_told(past)}" for number, past in enumerate(history, 1))
        content = [{"type": "text", "text": "\n".join(lines)}, dict(IMAGE)]
        told = system(self.points(observation.size))
        return [{"role": "system", "content": told}, {"role": "user", "content": content}]

    def parse(self, text: str, size: Size) -> Parsed:
        try:
            return Parsed(actions=tuple(read(call, self.grid(size)) for call in tool_calls(text)))
        except Unreadable as error:
            return refused(error)

    def encode(self, action: AnyAction, size: Size) -> str:
        arguments = written(action, self.grid(size))
        if arguments is None:
            raise Inexpressible(self.name, action)
        call = json.dumps({"name": "mobile_use", "arguments": arguments}, ensure_ascii=False)
        return f"Action: {in_words(arguments)}\n<tool_call>\n{call}\n</tool_call>"


def _told(past: Past) -> str:
    """An earlier step in a line: its own summary, else its call."""
    said = re.search(r"^\s*Action:\s*(.+)$", past.text, re.MULTILINE)
    line = shorten(said[1] if said else past.text, 160) or "nothing"
    return f"{line} (not done: {shorten(past.error)})" if past.error else line
