"""What a learner says of itself."""

from __future__ import annotations

import asyncio
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path

import msgspec
from prometheus_client import generate_latest

from mobilegym.learner.desk import Desk
from mobilegym.learner.status import Phase, Status
from mobilegym.protocol.errors import StreamUnavailable
from mobilegym.protocol.messages import Heartbeat
from mobilegym.protocol.ports import read_ports
from mobilegym.protocol.streams import MemoryStreams


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


def test_time_is_told_by_phase_with_the_one_that_goes_on() -> None:
    clock, ended = Clock(), list[tuple[Phase, float]]()
    status = Status(10, lambda phase, seconds: ended.append((phase, seconds)), clock)
    for phase, seconds in ((Phase.COLLECTING, 5.0), (Phase.TRAINING, 7.0), (Phase.COLLECTING, 11.0)):
        clock.now += 1.0 if phase is not Phase.COLLECTING else 0.0
        status.enter(phase)
        clock.now += seconds
    detail = status.detail()
    assert detail["phase"] == "collecting"
    assert detail["phase_since"] == clock.now - 11.0
    assert (detail["rollout_seconds"], detail["train_seconds"]) == (5.0 + 1.0 + 11.0, 7.0)
    assert ended == [(Phase.STARTING, 0.0), (Phase.COLLECTING, 6.0), (Phase.TRAINING, 7.0)]
    assert msgspec.msgpack.encode(detail)


def test_entering_a_phase_again_changes_nothing() -> None:
    clock, ended = Clock(), list[tuple[Phase, float]]()
    status = Status(10, lambda phase, seconds: ended.append((phase, seconds)), clock)
    clock.now += 3.0
    status.enter(Phase.STARTING)
    assert ended == []
    assert status.detail()["phase_since"] == 1000.0


def test_it_is_ready_once_a_version_is_out() -> None:
    status = Status(10)
    assert status.ready() == "starting: the first policy version is not published yet"
    status.published = True
    assert status.ready() is None


def until(condition: Callable[[], object]) -> None:
    deadline = time.monotonic() + 20
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.005)  # a condition of another thread


def test_every_phase_is_said_at_once_and_the_last_one_at_the_end(tmp_path: Path) -> None:
    streams = MemoryStreams("r")

    def said() -> str | None:
        beats = asyncio.run(streams.heartbeats())
        return str(beats[0].detail["phase"]) if beats else None

    with Desk(streams, 10) as desk:
        desk.serve("127.0.0.1", 0, tmp_path)
        until(lambda: said() == "starting")
        for phase in (Phase.COLLECTING, Phase.TRAINING):
            desk.enter(phase)
            until(lambda: said() == phase.value)  # noqa: B023
        url = f"http://127.0.0.1:{read_ports(tmp_path)['learner']}"
        with urllib.request.urlopen(f"{url}/healthz", timeout=10) as answer:
            assert answer.status == 200
        text = generate_latest(desk.metrics.registry).decode()
        assert 'mobilegym_learner_phase_seconds_count{phase="collecting"} 1.0' in text
        assert "mobilegym_learner_success_ratio NaN" in text
        assert 'mobilegym_learner_phase_seconds_count{phase="evaluating"} 0.0' in text
        desk.enter(Phase.PREEMPTED)
    assert said() == "preempted"


def test_a_stream_that_is_away_does_not_hold_up_the_end() -> None:
    class Away(MemoryStreams):
        async def beat(self, heartbeat: Heartbeat, ttl: float = 15.0) -> None:
            raise StreamUnavailable("away")

    with Desk(Away("r"), 10) as desk:
        desk.enter(Phase.DONE)
