"""Errors of a phone session.

PhoneError
 + SetupError
 |  x MissingChromium
 |  x MissingPhoneBuild
 |  x LimitTooLow
 x BadState
 x KernelError
 + Gone
    + PageGone
    |  x PageCrashed
    x BrowserGone
    x PhoneTimeout

After a `Gone` the phone is of no more use: give it back to its pool, which replaces it, and play the episode again.
"""

from __future__ import annotations


class PhoneError(Exception):
    """Base of every error raised by `mobilegym.phone`."""


class SetupError(PhoneError):
    """Something this machine lacks; the message holds the command that mends it."""


class MissingChromium(SetupError):
    """No browser binary was found."""


class MissingPhoneBuild(SetupError):
    """The phone page has not been built here."""

    def __init__(self, where: str) -> None:
        super().__init__(
            f"no phone build in {where}: run `make phone` (or set MOBILEGYM_PHONE_BUILD to a folder that holds one)"
        )


class LimitTooLow(SetupError):
    """A limit of the operating system does not allow this many phones."""

    def __init__(self, name: str, have: int, need: int, fix: str) -> None:
        super().__init__(f"{name} is {have}, but {need} are needed for this many phones: {fix}")
        self.name, self.have, self.need = name, have, need


class BadState(PhoneError):
    """A state does not fit the phone's schema. Nothing on the phone has changed."""

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(f"state{path}: {reason}")
        self.path, self.reason = path, reason


class KernelError(PhoneError):
    """The phone's own code threw: a fault of ours, not of the agent. The next reset starts clean."""


class Gone(PhoneError):
    """The phone, or the browser under it, is no longer there."""


class PageGone(Gone):
    """The page was closed."""


class PageCrashed(PageGone):
    """The page's renderer process ended."""


class BrowserGone(Gone):
    """The browser process ended or its connection broke."""


class PhoneTimeout(Gone):
    """The browser gave no answer in time; the phone counts as lost."""

    def __init__(self, what: str, seconds: float) -> None:
        super().__init__(f"{what} gave no answer within {seconds:g} s")
        self.what, self.seconds = what, seconds
