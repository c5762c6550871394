"""/metrics, /healthz and /readyz."""

from __future__ import annotations

import asyncio
import contextlib
import urllib.error
import urllib.request

import pytest
from prometheus_client import CollectorRegistry, Gauge

from mobilegym.protocol.health import HealthServer, ListenError, Pulse


def ask(url: str) -> tuple[int, str]:
    try:
        with urllib.request.urlopen(url, timeout=10) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read().decode()


def test_a_process_says_what_it_measures_and_what_is_wrong() -> None:
    registry, wrong = CollectorRegistry(), {"alive": "", "ready": "phones are being opened"}
    Gauge("phones", "Phones.", registry=registry).set(3)
    with HealthServer(
        "127.0.0.1", 0, registry, alive=lambda: wrong["alive"] or None, ready=lambda: wrong["ready"] or None
    ) as server:
        url = f"http://127.0.0.1:{server.port}"
        assert ask(f"{url}/healthz") == (200, "ok\n")
        assert ask(f"{url}/readyz") == (503, "phones are being opened\n")
        wrong.update(alive="stuck", ready="")
        assert ask(f"{url}/healthz?verbose") == (503, "stuck\n")
        assert ask(f"{url}/readyz") == (200, "ok\n")
        status, text = ask(f"{url}/metrics")
        assert status == 200
        assert "phones 3.0" in text
        assert ask(f"{url}/elsewhere")[0] == 404


def test_a_check_that_raises_is_a_failure() -> None:
    def broken() -> str | None:
        raise ValueError("what")

    with HealthServer("127.0.0.1", 0, lambda: b"x 1\n", alive=broken) as server:
        assert ask(f"http://127.0.0.1:{server.port}/healthz") == (500, "ValueError: what\n")
        assert ask(f"http://127.0.0.1:{server.port}/metrics") == (200, "x 1\n")


def test_two_addresses_may_have_one_port() -> None:
    with (
        HealthServer("127.0.0.1", 0, lambda: b"one") as one,
        HealthServer("127.1.0.1", one.port, lambda: b"two") as two,
    ):
        assert ask(f"http://127.0.0.1:{one.port}/metrics")[1] == "one"
        assert ask(f"http://127.1.0.1:{two.port}/metrics")[1] == "two"


def test_a_port_in_use_is_an_error() -> None:
    with HealthServer("127.0.0.1", 0, lambda: b"") as one, pytest.raises(ListenError, match="in use"):
        HealthServer("127.0.0.1", one.port, lambda: b"")


def test_a_pulse_tells_how_long_it_has_been_silent() -> None:
    now = 0.0
    pulse = Pulse("the event loop", 60.0, lambda: now)
    now = 59.0
    assert pulse.check() is None
    now = 61.0
    assert pulse.check() == "the event loop has stood still for 61 s"
    pulse.beat()
    assert pulse.check() is None


async def test_a_pulse_beats_while_the_loop_turns() -> None:
    now = 0.0
    pulse = Pulse("the event loop", 60.0, lambda: now)
    now = 100.0
    keeping = asyncio.create_task(pulse.keep())
    await asyncio.sleep(0)
    assert pulse.check() is None
    keeping.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await keeping
