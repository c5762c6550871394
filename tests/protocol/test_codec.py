"""Messages as bytes."""

from __future__ import annotations

import msgspec
import pytest

from mobilegym.protocol.codec import decode, encode
from mobilegym.protocol.errors import SchemaTooNew, Undecodable
from mobilegym.protocol.messages import SCHEMA, Episode, PolicyVersion, StepRecord, Trajectory
from mobilegym.protocol.status import EpisodeStatus

TRAJECTORY = Trajectory(
    id="i",
    run="r",
    group="g",
    member=0,
    template="clock.set_alarm",
    seed=1,
    status=EpisodeStatus.TRUNCATED,
    reward=0.25,
    goal="把闹钟设为 7:30",
    steps=(StepRecord(image="ab", prompt_ids=(1, 2), token_ids=(3,), logprobs=(-0.5,), policy_version=4),),
)


def test_a_message_survives_the_wire() -> None:
    assert decode(Trajectory, encode(TRAJECTORY)) == TRAJECTORY


def test_a_newer_schema_is_refused_by_number() -> None:
    newer = encode(PolicyVersion(schema=SCHEMA + 1, version=1, path="p", digest="d"))
    with pytest.raises(SchemaTooNew, match=f"schema {SCHEMA + 1}.*up to {SCHEMA}"):
        decode(PolicyVersion, newer)


def test_a_field_of_a_later_release_is_ignored() -> None:
    data = msgspec.msgpack.encode({"schema": SCHEMA, "version": 1, "path": "p", "digest": "d", "later": True})
    assert decode(PolicyVersion, data).version == 1


@pytest.mark.parametrize("data", [b"", b"\xc1", b"nonsense", encode({"schema": 1}), encode([1, 2])])
def test_other_bytes_are_undecodable(data: bytes) -> None:
    with pytest.raises(Undecodable, match="no Episode"):
        decode(Episode, data)
