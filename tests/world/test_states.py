"""Whole states: they fit the phone's schema, and the apps tell of the same life."""

import os

import pytest

from mobilegym.phone.build import PhoneBuild
from mobilegym.phone.errors import MissingPhoneBuild
from mobilegym.world.dates import Locale
from mobilegym.world.world import World


@pytest.fixture(scope="module")
def build() -> PhoneBuild:
    try:
        return PhoneBuild.load()
    except MissingPhoneBuild as error:
        if os.environ.get("CI") == "true":
            pytest.fail(str(error))
        pytest.skip(str(error))


@pytest.mark.parametrize("locale", ["en", "zh"])
def test_every_world_fits_the_schema(build: PhoneBuild, locale: Locale) -> None:
    for seed in range(25):
        build.schema.check(World(seed, locale).state())


@pytest.mark.parametrize("locale", ["en", "zh"])
def test_contacts_are_the_people_of_the_world(locale: Locale) -> None:
    for seed in range(10):
        world = World(seed, locale)
        numbers = {p.number for p in world.everyone}
        contacts = world.state()["apps"]["contacts"]["data"]["contacts"]
        assert len(contacts) >= 30
        known = [c for c in contacts.values() if {phone["number"] for phone in c["phones"]} & numbers]
        assert len(known) > len(contacts) / 2


@pytest.mark.parametrize("locale", ["en", "zh"])
def test_no_alarm_rings_in_the_first_half_hour(locale: Locale) -> None:
    """An episode takes a second a gesture: an alarm would ring into the task."""
    for seed in range(50):
        world = World(seed, locale)
        for alarm in world.state()["apps"]["clock"]["data"]["alarms"].values():
            ahead = (alarm["minute"] - world.minute) % 1440
            assert not alarm["enabled"] or ahead > 30, (seed, alarm)
