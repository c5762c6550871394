"""MessagePack encoding of messages."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, TypeVar

import msgspec

from mobilegym.protocol.errors import SchemaTooNew, Undecodable
from mobilegym.protocol.messages import SCHEMA, Message

M = TypeVar("M", bound=Message)

_encoder = msgspec.msgpack.Encoder()


class _Envelope(msgspec.Struct):
    schema: int = 0


_peek = msgspec.msgpack.Decoder(_Envelope)


@lru_cache
def _decoder(kind: type[Any]) -> msgspec.msgpack.Decoder[Any]:
    return msgspec.msgpack.Decoder(kind)


def encode(message: Any) -> bytes:
    return _encoder.encode(message)


def decode(kind: type[M], data: bytes) -> M:
    """Read one message. Raises SchemaTooNew or Undecodable; fields that this release does not know are ignored."""
    try:
        schema = _peek.decode(data).schema
        if schema > SCHEMA:
            raise SchemaTooNew(kind.__name__, schema, SCHEMA)
        message: M = _decoder(kind).decode(data)
    except msgspec.DecodeError as error:
        raise Undecodable(f"{len(data)} bytes are no {kind.__name__}: {error}") from error
    return message
