"""Notes: some forty notes of one life in folders, with facts of the same kind side by side, and a few in the trash."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mobilegym.world import note_texts as texts

if TYPE_CHECKING:
    from mobilegym.world.world import World

COLORS = ("none", "none", "none", "none", "red", "yellow", "green", "blue", "purple")
MOST_DAYS = 320  # age of the oldest note
MOST_DAYS_IN_TRASH = 20  # of the 30 after which a note is gone
TRASHED = (4, 7)


@dataclass(frozen=True)
class Draft:
    """A note before it has dates and an id; `folder` is an index into the folders, -1 for none."""

    title: str
    body: str = ""
    items: tuple[tuple[str, bool], ...] | None = None
    folder: int = -1


def notes(world: World) -> dict[str, Any]:
    """`PhoneState.apps.notes`."""
    rng = world.rng("notes")
    drafts = _drafts(world, rng)
    rng.shuffle(drafts)
    folders = texts.FOLDERS[world.locale]
    made = [_note(world, rng, index, draft) for index, draft in enumerate(drafts, start=1)]
    _pin(rng, made)
    _trash(world, rng, made)
    return {
        "data": {
            "notes": {note["id"]: note for note in made},
            "folders": {f"f{n}": {"id": f"f{n}", "name": name} for n, name in enumerate(folders, start=1)},
            "sort": "modified",
            "view": "list",
        },
        "ui": {
            "tab": "notes",
            "search": "",
            "draft": {"title": "", "body": "", "item": "", "itemEdit": "", "folderName": ""},
            "selected": [],
        },
    }


def _drafts(world: World, rng: random.Random) -> list[Draft]:
    locale = world.locale
    plain = [Draft(title, body, folder=rng.choice((-1, -1, 0, 3, 4, 5))) for title, body in texts.PLAIN[locale]]
    return [
        *_lockers(world, rng),
        *_recipes(world, rng),
        *_meetings(world, rng),
        *_gifts(world, rng),
        *_windows(world, rng),
        *_lists(world, rng),
        *plain,
    ]


def _lockers(world: World, rng: random.Random) -> list[Draft]:
    title, body = texts.LOCKER[world.locale]
    places = rng.sample(texts.LOCKERS[world.locale], 5)
    numbers, codes = rng.sample(range(11, 99), 5), rng.sample(range(1000, 9999), 5)
    return [
        Draft(
            title.format(place=place),
            body.format(number=number, code=code, hour=rng.randint(18, 22)),
            folder=rng.choice((-1, 0, 1)),
        )
        for place, number, code in zip(places, numbers, codes, strict=True)
    ]


def _recipes(world: World, rng: random.Random) -> list[Draft]:
    dishes = rng.sample(texts.DISHES[world.locale], 6)
    minutes = rng.sample(range(20, 95, 5), 6)
    return [
        Draft(
            dish,
            texts.RECIPE[world.locale].format(
                heat=rng.choice(range(160, 230, 10)),
                minutes=minute,
                flour=rng.choice(range(100, 450, 50)),
                eggs=rng.randint(1, 6),
            ),
            folder=2,
        )
        for dish, minute in zip(dishes, minutes, strict=True)
    ]


def _meetings(world: World, rng: random.Random) -> list[Draft]:
    team = [person.given for person in world.people if person.relation == "team"]
    rooms = rng.sample(range(2, 30), 4)
    return [
        Draft(
            title,
            texts.MEETING[world.locale].format(room=room, hour=rng.randint(9, 17), who=rng.choice(team)),
            folder=1,
        )
        for title, room in zip(rng.sample(texts.MEETINGS[world.locale], 4), rooms, strict=True)
    ]


def _gifts(world: World, rng: random.Random) -> list[Draft]:
    close = sorted({p.given for p in world.people if p.relation in ("sibling", "cousin", "partner", "friend")})
    people = rng.sample(close, 4)
    gifts, prices = rng.sample(texts.GIFTS[world.locale], 4), rng.sample(range(15, 100, 5), 4)
    return [
        Draft(
            texts.GIFT_TITLE[world.locale].format(who=who),
            texts.GIFT[world.locale].format(gift=gift, price=price),
            folder=5,
        )
        for who, gift, price in zip(people, gifts, prices, strict=True)
    ]


def _windows(world: World, rng: random.Random) -> list[Draft]:
    title, body = texts.WINDOW[world.locale]
    rooms = rng.sample(texts.ROOMS[world.locale], 3)
    return [
        Draft(title.format(room=room), body.format(width=rng.randint(60, 180), height=rng.randint(70, 140)), folder=0)
        for room in rooms
    ]


def _lists(world: World, rng: random.Random) -> list[Draft]:
    lists = texts.LISTS[world.locale]
    chosen = rng.sample(sorted(lists), 6)
    return [Draft(title, items=_items(rng, lists[title]), folder=rng.choice((-1, 0, 3, 4))) for title in chosen]


def _items(rng: random.Random, pool: tuple[str, ...]) -> tuple[tuple[str, bool], ...]:
    """At least one is ticked and one is not."""
    words = rng.sample(pool, rng.randint(4, min(8, len(pool))))
    done = set(rng.sample(words, rng.randint(1, len(words) - 2)))
    return tuple((word, word in done) for word in words)


def _note(world: World, rng: random.Random, index: int, draft: Draft) -> dict[str, Any]:
    created = rng.randint(3, MOST_DAYS)
    modified = rng.randint(1, created - 1)
    items = draft.items
    return {
        "id": f"n{index}",
        "title": draft.title,
        "body": draft.body,
        "checklist": None
        if items is None
        else [{"id": f"i{index * 20 + n}", "text": text, "done": done} for n, (text, done) in enumerate(items)],
        "folder": "" if draft.folder < 0 else f"f{draft.folder + 1}",
        "pinned": False,
        "color": rng.choice(COLORS),
        # The index keeps instants apart.
        "created": world.at(-created, rng.randint(7 * 60, 22 * 60)) + index * 1000,
        "modified": world.at(-modified, rng.randint(7 * 60, 22 * 60)) + index * 1000,
        "trashed": None,
    }


def _pin(rng: random.Random, made: list[dict[str, Any]]) -> None:
    for note in rng.sample(made, rng.randint(2, 3)):
        note["pinned"] = True


def _trash(world: World, rng: random.Random, made: list[dict[str, Any]]) -> None:
    """Plain texts go: the facts, which tasks ask for, stay."""
    kept = {draft_title for draft_title, _ in texts.PLAIN[world.locale]} - {""}
    free = [note for note in made if note["title"] in kept and not note["pinned"]]
    for note in rng.sample(free, rng.randint(*TRASHED)):
        age = rng.randint(1, MOST_DAYS_IN_TRASH)
        note["trashed"] = world.at(-age, rng.randint(7 * 60, 22 * 60)) + int(note["id"][1:]) * 1000
        note["modified"] = min(note["modified"], note["trashed"] - 60_000)
        note["created"] = min(note["created"], note["modified"])
