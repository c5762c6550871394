"""Errors of the API server.

ApiError
 x NotFound
 x Conflict      somebody else wrote, or the object is another one than meant
 x Exists
 x Gone          the resource version is too old: list again
 x Refused       it will not do this, however often it is asked
 x Unavailable   no answer, or it asks for patience; safe to repeat
 x Fenced        this process is not the leader, nothing was sent
"""

from __future__ import annotations

import msgspec

QUOTA_WORDS = ("exceeded quota", "status unknown for quota")


class ApiError(Exception):
    """Base of every error that `api.Api` raises."""


class NotFound(ApiError):
    """No such object, or no such kind on this cluster."""


class Conflict(ApiError):
    """The object's uid or version is not the one given."""


class Exists(ApiError):
    """An object of that name is there already."""


class Gone(ApiError):
    """The history asked for is no longer kept."""


class Refused(ApiError):
    """`reason` and `message` are those of the API's Status. `quota`: a ResourceQuota is used up."""

    def __init__(self, what: str, reason: str, message: str) -> None:
        super().__init__(f"{what}: {reason}: {message}")
        self.what = what
        self.reason = reason
        self.message = message
        self.quota = any(words in message for words in QUOTA_WORDS)


class Unavailable(ApiError):
    """`retry_after` in seconds where the server gave it."""

    def __init__(self, message: str, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class Fenced(ApiError):
    """Another operator leads."""


class _Status(msgspec.Struct):
    reason: str = ""
    message: str = ""


def api_error(what: str, code: int, body: bytes, retry_after: str | None = None) -> ApiError:
    """The error for an answer of 400 and above."""
    try:
        status = msgspec.json.decode(body, type=_Status)
    except msgspec.DecodeError:
        status = _Status(message=body[:300].decode(errors="replace"))
    words = f"{what}: {status.message or f'the API server answers {code}'}"
    if code in (401, 408, 429) or code >= 500:
        return Unavailable(words, _seconds(retry_after))
    if code == 404:
        return NotFound(words)
    if code == 409:
        return Exists(words) if status.reason == "AlreadyExists" else Conflict(words)
    if code == 410:
        return Gone(words)
    return Refused(what, status.reason or str(code), status.message)


def _seconds(retry_after: str | None) -> float | None:
    try:
        return max(0.0, float(retry_after)) if retry_after else None
    except ValueError:  # a date: no API server sends one
        return None
