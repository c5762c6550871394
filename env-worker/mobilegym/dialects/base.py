"""The contract of a dialect."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol

from mobilegym.phone.action import AnyAction

Message = dict[str, Any]  # an OpenAI chat message
IMAGE: Message = {"type": "image"}  # the content part whose place the screenshot takes
Size = tuple[int, int]  # width, height in pixels of the image that the model was shown


class Fault(StrEnum):
    """Why a text holds no action."""

    NO_ACTION = "no_action"  # nothing that looks like one
    BAD_SYNTAX = "bad_syntax"  # looks like one, but cannot be read
    UNKNOWN_ACTION = "unknown_action"
    BAD_ARGUMENT = "bad_argument"  # missing, or not of its type


@dataclass(frozen=True, kw_only=True)
class Parsed:
    """Either actions, to be made in order, or an error that the model is shown with its next observation."""

    actions: tuple[AnyAction, ...] = ()
    error: str = ""
    fault: Fault | None = None


class Inexpressible(ValueError):
    """A dialect has no words for this action."""

    def __init__(self, dialect: str, action: AnyAction) -> None:
        super().__init__(f"{dialect} has no words for {action}")


class Past(Protocol):
    """What a dialect reads of an earlier step; a StepRecord fits."""

    @property
    def text(self) -> str: ...  # what the model wrote
    @property
    def error(self) -> str: ...  # why it could not be read, or ""


class Seen(Protocol):
    """What a dialect reads of an observation."""

    @property
    def size(self) -> Size: ...


class Dialect(Protocol):
    """Translates one model family's text."""

    @property
    def name(self) -> str: ...

    def messages(self, goal: str, history: Sequence[Past], observation: Seen) -> list[Message]:
        """The prompt. The screenshot's place is an `{"type": "image"}` part."""
        ...

    def parse(self, text: str, size: Size) -> Parsed:
        """Never raises, whatever the text."""
        ...

    def encode(self, action: AnyAction, size: Size) -> str:
        """What the model would write for `action`. Raises Inexpressible."""
        ...


class Unreadable(Exception):
    """Raised and caught inside a dialect."""

    def __init__(self, fault: Fault, message: str) -> None:
        super().__init__(message)
        self.fault = fault


def refused(error: Unreadable) -> Parsed:
    return Parsed(error=str(error), fault=error.fault)


def shorten(text: str, limit: int = 80) -> str:
    """One line of at most `limit` characters, to quote a model's words back to it."""
    line = " ".join(text.split())
    return line if len(line) <= limit else f"{line[:limit]}..."
