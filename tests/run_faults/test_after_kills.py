"""What a killed process leaves half done is put right by the next one."""

from __future__ import annotations

from pathlib import Path

from aiohttp import web
from tests.conftest import free_port
from tests.learner.world import trajectory
from tests.run_faults.story import WORDS

from mobilegym.learner.inbox import Inbox
from mobilegym.learner.publish import Publisher
from mobilegym.pocket.model import build
from mobilegym.policy.engine import Engine
from mobilegym.policy.metrics import Metrics
from mobilegym.policy.server import build_app
from mobilegym.protocol.messages import Episode, trajectory_id
from mobilegym.protocol.streams import MemoryStreams


async def test_an_engine_that_a_killed_learner_left_paused_serves_again(tmp_path: Path) -> None:
    policy, port = build(tmp_path / "model", 0, WORDS), free_port()
    engine = Engine(policy, Metrics())
    runner = web.AppRunner(build_app(engine))
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", port).start()
    try:
        publisher = Publisher(policy, tmp_path / "policy", MemoryStreams("r"), f"http://127.0.0.1:{port}")
        version = publisher.save(1)
        await publisher.publish(version, lambda: False)
        engine.pause()
        await publisher.publish(version, lambda: False)
        assert not engine.paused
    finally:
        await runner.cleanup()


async def test_the_end_discards_what_was_issued_and_nothing_else() -> None:
    """A learner that was killed may not know what it had issued ahead: the stream does."""
    streams, told = MemoryStreams("r"), dict[str, str]()
    ids = [trajectory_id("r", "g", member) for member in range(2)]
    episodes = [
        Episode(id=id, run="r", group="g", member=member, template="clock.toggle-alarm", seed=1)
        for member, id in enumerate(ids)
    ]
    await streams.issue(*episodes)
    await streams.discard(ids[0], "poison")
    inbox = Inbox(streams, lambda: False)
    await inbox.abandon(frozenset(), "the run ended", told.__setitem__)
    assert told == {ids[0]: "poison", ids[1]: "the run ended"}
    audit = await streams.audit()
    assert audit.faults == ()
    assert audit.open == frozenset()


async def test_an_acknowledgement_that_the_stream_lost_is_made_again() -> None:
    """Redis, killed, may forget its last second."""
    streams, told = MemoryStreams("r"), dict[str, str]()
    id = trajectory_id("r", "g", 0)
    await streams.issue(Episode(id=id, run="r", group="g", member=0, template="clock.toggle-alarm", seed=1))
    await streams.push(trajectory("g", 0, [], reward=1, run="r"))
    assert await streams.consume(8)
    inbox = Inbox(streams, lambda: False)
    await inbox.abandon({id}, "the run ended", told.__setitem__)
    await inbox.settle()
    audit = await streams.audit()
    assert audit.trained == {id}
    assert not told
    assert audit.faults == ()
