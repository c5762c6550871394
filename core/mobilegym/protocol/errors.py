"""Errors of the protocol.

ProtocolError
 x AddressError
 + CodecError
 |  x SchemaTooNew
 |  x Undecodable
 + StreamError
 |  x StreamUnavailable
 |  x LeaseLost
 + BlobError
    x BlobNotFound
    x BlobCorrupt
    x BlobUnavailable
"""

from __future__ import annotations


class ProtocolError(Exception):
    """Base of every error raised by `mobilegym.protocol`."""


class AddressError(ProtocolError):
    """What was given as an address is none: another try is of no use."""


class CodecError(ProtocolError):
    """A message could not be read."""


class SchemaTooNew(CodecError):
    """The writer is newer than this reader: upgrade the reader."""

    def __init__(self, kind: str, got: int, known: int) -> None:
        super().__init__(
            f"{kind} has schema {got}, this process reads up to {known}: upgrade it to the writer's release"
        )
        self.got = got
        self.known = known


class Undecodable(CodecError):
    """The bytes are not a message of the expected type."""


class StreamError(ProtocolError):
    """A stream operation failed."""


class StreamUnavailable(StreamError):
    """The server did not answer, also after retries. Safe to repeat: every write is idempotent by id."""


class LeaseLost(StreamError):
    """Another worker holds the episode now: stop playing it."""


class BlobError(ProtocolError):
    """A blob operation failed."""


class BlobNotFound(BlobError):
    """No blob under this key: it was never stored, or it has expired."""


class BlobCorrupt(BlobError):
    """The bytes under a key do not hash to it."""


class BlobUnavailable(BlobError):
    """The store did not answer or could not be written."""
