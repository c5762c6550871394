"""Whether the phone and the tasks are still those that the shipped weights were made with."""

from __future__ import annotations

from pathlib import Path

from mobilegym.phone.build import PhoneBuild
from mobilegym.pocket.card import read_card
from mobilegym.pocket.recipe import task_set_hash


def moved_on(folder: Path) -> list[str]:
    """What has changed since the card was written, in words; empty where nothing has, or where there is no card."""
    file = folder / "card.json"
    if not file.is_file():
        return []
    card, found = read_card(file), []
    build = PhoneBuild.load().hash
    if card.phone_build != build:
        found.append(f"the phone (then {card.phone_build}, now {build})")
    try:
        tasks = task_set_hash(card.templates)
    except KeyError as error:
        found.append(f"the tasks (there is no template {error} any more)")
    else:
        if tasks != card.task_set:
            found.append("the tasks' goals")
    return found
