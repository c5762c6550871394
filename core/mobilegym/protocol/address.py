"""Addresses as processes are given them: as they are, or `@/path` of a file that holds one.

A URL may hold a password, and arguments are read by everybody: hence the file. No message here shows what it holds.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from urllib.parse import urlsplit

from mobilegym.protocol.errors import AddressError

REDIS = ("redis", "rediss", "unix")


def redis_address(given: str, option: str = "--redis") -> str:
    """A Redis URL. Raises AddressError."""
    url = _read(given, option) if given.startswith("@") else given
    where = f"{option}: {given}" if given.startswith("@") else option
    _require_url(url, where, REDIS, "redis://host:6379/0")
    return url


def blobs_address(given: str, option: str = "--blobs") -> str:
    """A URL, or a folder where it does not come from a file. Raises AddressError."""
    if not given.startswith("@"):
        if "://" in given:
            _require_url(given, option, (), "s3://bucket/prefix")
        return given
    url = _read(given, option)
    _require_url(url, f"{option}: {given}", (), "s3://bucket/prefix")
    return url


def _read(given: str, option: str) -> str:
    file = Path(given.removeprefix("@"))
    try:
        text = file.read_text(encoding="utf-8").strip()
    except OSError as error:
        raise AddressError(f"{option}: {file} cannot be read ({error.strerror}): is the Secret mounted?") from error
    except UnicodeDecodeError:
        raise AddressError(f"{option}: {file} is no text: write one URL there") from None
    if not text:
        raise AddressError(f"{option}: {file} is empty: write one URL there")
    return text


def _require_url(url: str, where: str, schemes: Sequence[str], example: str) -> None:
    if not _is_url(url, schemes):
        raise AddressError(f"{where} is no URL: write it like {example}, with / # ? @ in a password as %2F %23 %3F %40")


def _is_url(url: str, schemes: Sequence[str]) -> bool:
    try:
        parts = urlsplit(url)
        remote = parts.scheme in ("redis", "rediss")
        _ = parts.port if remote else None  # a ValueError would show a piece of the password
    except ValueError:
        return False
    known = parts.scheme in schemes if schemes else bool(parts.scheme) and "://" in url
    return known and len(url.split()) == 1 and (bool(parts.hostname) if remote else bool(parts.netloc or parts.path))
