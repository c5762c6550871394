"""What a URL tells and what it must not tell."""

from __future__ import annotations

from urllib.parse import urlsplit

PORTS = {"http": 80, "https": 443, "redis": 6379, "rediss": 6379}
NO_NETWORK = frozenset({"file", "local", "memory", "unix"})
TLS = 443  # object stores


def port(url: str) -> int | None:
    """That it leads to; None where it leads to no network."""
    try:
        parts = urlsplit(url)
        given = parts.port
    except ValueError:  # the process that uses it says what is wrong with it
        return TLS
    if parts.scheme in NO_NETWORK:
        return None
    return given or PORTS.get(parts.scheme, TLS)


def has_secret(url: str) -> bool:
    return public(url) != url


def public(url: str) -> str:
    """Without user, password and query."""
    head, _, tail = url.partition("?")[0].partition("://")
    authority, slash, path = tail.partition("/")
    return f"{head}://{authority.rpartition('@')[2]}{slash}{path}"
