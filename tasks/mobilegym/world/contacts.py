"""The contacts: everyone the owner knows, groups, favourites, one entered twice, and names that try a layout."""

from __future__ import annotations

import random
from typing import Any

from mobilegym.world.dates import Locale
from mobilegym.world.people import Person
from mobilegym.world.world import World

GROUPS: dict[Locale, dict[str, tuple[str, ...]]] = {
    "en": {
        "Family": ("mother", "father", "sibling", "cousin"),
        "Team": ("team",),
        "School": ("school friend",),
        "Neighbours": ("neighbour",),
        "Hiking": (),
        "Book club": (),
    },
    "zh": {
        "家人": ("mother", "father", "sibling", "cousin"),
        "同事": ("team",),
        "同学": ("school friend",),
        "邻居": ("neighbour",),
        "徒步": (),
        "读书会": (),
    },
}
NOTES: dict[Locale, tuple[str, ...]] = {
    "en": (
        "Allergic to nuts",
        "Met at the harbor fair",
        "Prefers mail to calls",
        "Has our spare key",
        "Borrowed the blue tent",
        "Likes lemon cake",
        "Back from leave in May",
        "Ring twice at the side door",
    ),
    "zh": (
        "对坚果过敏",
        "在码头集市认识",
        "喜欢写邮件，不爱打电话",
        "有我们家的备用钥匙",
        "借了蓝色帐篷",
        "爱吃柠檬蛋糕",
        "五月休假回来",
        "侧门按两次铃",
    ),
}
ODD: dict[Locale, tuple[tuple[str, str], ...]] = {
    "en": (
        ("Z", ""),
        ("Maximiliana-Rosalind", "Featherstonehay-Brooke"),
        ("Taxi 🚕", ""),
        ("Zoë", "O'Quill"),
        ("书瑶", "陆"),
    ),
    "zh": (("阿", ""), ("克里斯蒂安娜伊丽莎白", "欧阳"), ("出租车🚕", ""), ("Wren", "Marlow"), ("O", "")),
}
CLOSE = ("mother", "father", "sibling", "cousin", "partner", "friend", "school friend")
_EXTRA_NUMBER = {"en": "555-02{:02d}", "zh": "000-9000-{:04d}"}


def contacts(world: World) -> dict[str, Any]:
    rng = world.rng("contacts")
    listed = [_contact(rng, person) for person in world.people]
    favourites = rng.sample(listed, rng.randint(4, 8))
    for contact in favourites:
        contact["favourite"] = True
    listed += _odd(rng, world.locale)
    listed.append(_twice(rng, world))
    return {
        "data": {
            "contacts": {contact["id"]: contact for contact in listed},
            "groups": _groups(rng, world),
            "sort": "given" if world.locale == "en" else "family",
        },
        "ui": {"tab": "all", "search": "", "find": "", "draft": None, "groupName": ""},
    }


def _contact(rng: random.Random, person: Person) -> dict[str, Any]:
    phones = [{"kind": "mobile", "number": person.number}]
    if person.work_number:
        phones.append({"kind": "work", "number": person.work_number})
    known = person.relation in CLOSE
    return {
        "id": person.id,
        "given": person.given,
        "family": person.family,
        "nickname": person.nickname,
        "company": person.company,
        "title": person.title,
        "phones": phones,
        "email": person.email if rng.random() < 0.85 else "",
        "address": person.address if known or rng.random() < 0.3 else "",
        "birthday": person.birthday.isoformat() if known or rng.random() < 0.35 else "",
        "notes": rng.choice(NOTES[person.locale]) if rng.random() < 0.3 else "",
        "favourite": False,
        "avatar": person.avatar,
    }


def bare(key: str, given: str, family: str, number: str, avatar: int) -> dict[str, Any]:
    """A contact with a name and a mobile number only."""
    return {
        "id": key,
        "given": given,
        "family": family,
        "nickname": "",
        "company": "",
        "title": "",
        "phones": [{"kind": "mobile", "number": number}],
        "email": "",
        "address": "",
        "birthday": "",
        "notes": "",
        "favourite": False,
        "avatar": avatar,
    }


def _odd(rng: random.Random, locale: Locale) -> list[dict[str, Any]]:
    """One letter, very long, emoji, marks, the other script: two of them a world."""
    return [
        bare(f"odd{n}", given, family, _EXTRA_NUMBER[locale].format(n), rng.randrange(1 << 31))
        for n, (given, family) in enumerate(rng.sample(ODD[locale], 2), start=1)
    ]


def _twice(rng: random.Random, world: World) -> dict[str, Any]:
    """A friend entered a second time, with another number."""
    friend = rng.choice([p for p in world.people if p.relation == "friend"])
    number = _EXTRA_NUMBER[world.locale].format(rng.randint(10, 99))
    return bare("twice", friend.given, friend.family, number, rng.randrange(1 << 31))


def _groups(rng: random.Random, world: World) -> dict[str, Any]:
    made: dict[str, Any] = {}
    for n, (name, relations) in enumerate(GROUPS[world.locale].items(), start=1):
        members = [p.id for p in world.people if p.relation in relations]
        chosen = members if members else rng.sample([p.id for p in world.people], rng.randint(3, 7))
        made[f"g{n}"] = {"id": f"g{n}", "name": name, "members": sorted(chosen)}
    return made
