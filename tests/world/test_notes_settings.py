"""Notes and settings of a world: enough of them, dated right, with facts that can be asked for."""

import pytest

from mobilegym.world.dates import DAY, Locale
from mobilegym.world.notes import notes
from mobilegym.world.settings import settings
from mobilegym.world.world import World

SEEDS = range(30)


@pytest.mark.parametrize("locale", ["en", "zh"])
def test_thirty_notes_and_more_whose_dates_are_past_and_in_order(locale: Locale) -> None:
    for seed in SEEDS:
        world = World(seed, locale)
        made = notes(world)["data"]["notes"].values()
        assert sum(note["trashed"] is None for note in made) >= 30
        for note in made:
            assert note["created"] <= note["modified"] < (note["trashed"] or world.now) <= world.now


@pytest.mark.parametrize("locale", ["en", "zh"])
def test_no_note_leaves_the_trash_during_a_task(locale: Locale) -> None:
    for seed in SEEDS:
        world = World(seed, locale)
        gone = [note["trashed"] for note in notes(world)["data"]["notes"].values() if note["trashed"]]
        assert gone
        assert world.now - min(gone) < 29 * DAY


@pytest.mark.parametrize("locale", ["en", "zh"])
def test_every_note_lies_in_a_folder_that_exists(locale: Locale) -> None:
    for seed in SEEDS:
        data = notes(World(seed, locale))["data"]
        assert {note["folder"] for note in data["notes"].values()} <= {"", *data["folders"]}


@pytest.mark.parametrize("locale", ["en", "zh"])
def test_free_space_is_shown_exactly(locale: Locale) -> None:
    for seed in SEEDS:
        storage = settings(World(seed, locale))["data"]["storage"]
        used = sum(sum(storage[part].values()) for part in ("byKind", "byApp", "cache"))
        assert used < storage["total"]
        assert used % 100_000_000 == 0


@pytest.mark.parametrize("locale", ["en", "zh"])
def test_some_network_asks_for_a_password_and_some_device_is_unpaired(locale: Locale) -> None:
    for seed in SEEDS:
        data = settings(World(seed, locale))["data"]
        assert any(n["secured"] and not n["saved"] for n in data["networks"].values())
        assert all(bool(n["password"]) == n["secured"] for n in data["networks"].values())
        assert {device["paired"] for device in data["bluetoothDevices"].values()} == {True, False}
