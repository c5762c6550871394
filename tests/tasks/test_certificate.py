"""Every template on real phones; and faulty templates, which the certificate must find out."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pytest

from mobilegym.judge.answers import Expected, Integer
from mobilegym.judge.ending import Ending
from mobilegym.phone.image import Format, Picture
from mobilegym.phone.pool import PhonePool, PoolOptions
from mobilegym.tasks.certificate import Certificate, Extent, Property
from mobilegym.tasks.certify import certify
from mobilegym.tasks.gestures import do, ensure_app, holds, never, tap, until
from mobilegym.tasks.registry import templates
from mobilegym.tasks.scrutiny import logged
from mobilegym.tasks.template import Goal, Template, Unless
from mobilegym.world.world import World

QUICK = Extent({"en": range(2), "zh": range(1)}, replayed=1)


def certified(chosen: Sequence[Template[Any]], extent: Extent) -> dict[str, Certificate]:
    async def run() -> list[Certificate]:
        options = PoolOptions(phones=4, browsers=2, picture=Picture(format=Format.PNG))
        async with PhonePool(options) as pool:
            return await certify(pool, chosen, extent)

    return {certificate.template: certificate for certificate in asyncio.run(run())}


@pytest.fixture(scope="module")
def all_certified(phones_run: None) -> dict[str, Certificate]:
    return certified(list(templates().values()), QUICK)


@pytest.mark.timeout(900)
@pytest.mark.parametrize("name", sorted(templates()))
def test_is_certified(all_certified: dict[str, Certificate], name: str) -> None:
    certificate = all_certified[name]
    assert [f"{f.prop}: {f.where}: {f.reason}" for f in certificate.failures()] == []
    assert all(certificate.holds(prop) for prop in Property)


@dataclass(frozen=True)
class Params:
    room: int


class Radio(Template[Params]):
    """Wi-Fi off in the shade: sound, but for what each of its heirs breaks."""

    id = "faulty.not"
    apps = ("settings",)
    goal = {"en": "Room {room}: Wi-Fi off", "zh": "{room}号房：关闭WLAN"}  # noqa: RUF012

    def sample(self, world: World, rng: random.Random) -> Params:
        return Params(rng.randint(1, 1000))

    def setup(self, state: dict[str, Any], params: Params) -> None:
        state["os"]["settings"]["wifi"] = True
        state["os"]["overlay"] = "shade"

    def goals(self, params: Params) -> Sequence[Goal]:
        return [Goal("wifi off", lambda e: e.at("os.settings.wifi") is False)]

    def allowed(self, params: Params) -> Sequence[str]:
        return ["os.settings.wifi"]

    def solve(self, params: Params) -> Sequence[Unless]:
        return until(holds("os.settings.wifi", False), do(tap("switch", key="wifi")))


class Passing(Radio):
    id = "faulty.passes-untouched"

    def goals(self, params: Params) -> Sequence[Goal]:
        return [Goal("wifi is a switch", lambda e: isinstance(e.at("os.settings.wifi"), bool))]


class Constant(Radio):
    id = "faulty.never-varies"

    def sample(self, world: World, rng: random.Random) -> Params:
        return Params(1)


class Impossible(Radio):
    id = "faulty.impossible"

    def solve(self, params: Params) -> Sequence[Unless]:
        return [ensure_app("clock"), Unless(never, tap("button", "No such button"))]


class Unclean(Radio):
    id = "faulty.unclean"

    def allowed(self, params: Params) -> Sequence[str]:
        return []


class Lenient(Radio):
    id = "faulty.lenient"

    def goals(self, params: Params) -> Sequence[Goal]:
        return [Goal("something changed", lambda e: bool(e.actions()))]


class Idle(Radio):
    id = "faulty.idle-clause"

    def goals(self, params: Params) -> Sequence[Goal]:
        return [*super().goals(params), Goal("always", lambda e: True)]


class Raising(Radio):
    id = "faulty.raises"

    def goals(self, params: Params) -> Sequence[Goal]:
        return [Goal("boom", lambda e: e.at("os.nothing")["at all"])]


@dataclass(frozen=True)
class Anything(Expected):
    def matches(self, text: str) -> bool:
        return True

    def say(self, locale: str = "en") -> str:
        return "3"

    def near(self) -> list[str]:
        return Integer(3).near()


class Believing(Radio):
    id = "faulty.takes-any-answer"

    def answer(self, params: Params) -> Expected:
        return Anything()


FAULTS = {
    Passing(): Property.IDLE,
    Constant(): Property.SUITS,
    Impossible(): Property.SOLVES,
    Unclean(): Property.SOLVES,
    Lenient(): Property.CLAUSES,
    Idle(): Property.CLAUSES,
    Raising(): Property.IDLE,
    Believing(): Property.MUTANTS,
}


@pytest.fixture(scope="module")
def faulty(phones_run: None) -> dict[str, Certificate]:
    return certified([Radio(), *FAULTS], Extent({"en": range(1)}))


def test_a_sound_template_stands(faulty: dict[str, Certificate]) -> None:
    certificate = faulty[Radio.id]
    assert [f for f in certificate.failures() if f.prop is not Property.RECOVERS] == []
    assert (certificate.steps, certificate.level) == ([2], 1)


@pytest.mark.parametrize(("template", "prop"), FAULTS.items(), ids=lambda value: getattr(value, "id", ""))
def test_a_faulty_template_is_found_out(faulty: dict[str, Certificate], template: Radio, prop: Property) -> None:
    failures = [finding.reason for finding in faulty[template.id].failures() if finding.prop is prop]
    assert failures, f"{prop} holds: {faulty[template.id]}"


def test_reasons_say_where_to_look(faulty: dict[str, Certificate]) -> None:
    def reason(template_id: str, prop: Property) -> str:
        return next(f.reason for f in faulty[template_id].failures() if f.prop is prop)

    assert "os.setting changed /os/settings/wifi" in reason("faulty.unclean", Property.SOLVES)
    assert "no button No such button on clock/" in reason("faulty.impossible", Property.SOLVES)
    assert "reverted at /os/settings/wifi: False -> True" in reason("faulty.lenient", Property.CLAUSES)
    assert "'boom' raised TypeError" in reason("faulty.raises", Property.IDLE)


def test_an_ending_that_changed_without_an_event_is_noticed() -> None:
    before, after = {"os": {"locale": "en", "random": 1}}, {"os": {"locale": "zh", "random": 2}}
    told = {"seq": 0, "step": 0, "app": "os", "action": "x", "args": {}, "paths": ["/os/locale"], "at": 0}
    assert logged(Ending(before, after)) == "changed without an event: /os/locale"
    assert logged(Ending(before, after, [told])) == ""
