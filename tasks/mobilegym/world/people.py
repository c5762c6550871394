"""The owner and the 40 to 80 people around them."""

from __future__ import annotations

import datetime
import random
from dataclasses import dataclass, replace

from mobilegym.world import names, words
from mobilegym.world.dates import Locale

# relation: fewest and most of them
RELATIONS = {
    "mother": (1, 1),
    "father": (1, 1),
    "sibling": (1, 3),
    "cousin": (2, 4),
    "partner": (1, 1),
    "team": (8, 14),
    "old team": (6, 10),
    "school friend": (8, 16),
    "friend": (5, 10),
    "neighbour": (3, 6),
    "landlord": (1, 1),
    "doctor": (1, 2),
    "shop": (2, 5),
}
SAME_FAMILY = ("mother", "father", "sibling")


@dataclass(frozen=True)
class Person:
    """`number` is unique; `name` is the full name as the world's language writes it."""

    id: str  # p1, p2, ...; the owner is `me`
    given: str
    family: str
    nickname: str
    relation: str
    number: str
    work_number: str
    email: str
    birthday: datetime.date
    address: str
    company: str
    title: str
    avatar: int
    locale: Locale

    @property
    def name(self) -> str:
        return f"{self.family}{self.given}" if self.locale == "zh" else f"{self.given} {self.family}"


def draw_people(rng: random.Random, locale: Locale, year: int) -> tuple[Person, ...]:
    """The owner first. Full names and numbers are unique; at least two people share a given name."""
    relations = ["me", *(r for r, (low, high) in RELATIONS.items() for _ in range(rng.randint(low, high)))]
    numbers = _numbers(rng, locale, len(relations))
    people: list[Person] = []
    taken: set[tuple[str, str]] = set()
    for index, relation in enumerate(relations):
        family = people[0].family if relation in SAME_FAMILY else None
        given, family = _name(rng, locale, taken, family)
        people.append(_person(rng, locale, index, relation, given, family, numbers[index], year))
    return tuple(_with_namesake(rng, people, taken))


def _name(rng: random.Random, locale: Locale, taken: set[tuple[str, str]], family: str | None) -> tuple[str, str]:
    givens = names.GIVEN_EN if locale == "en" else tuple(names.GIVEN_ZH)
    families = names.FAMILY_EN if locale == "en" else tuple(names.FAMILY_ZH)
    while True:
        name = (rng.choice(givens), family or rng.choice(families))
        if name not in taken:
            taken.add(name)
            return name


def _person(
    rng: random.Random, locale: Locale, index: int, relation: str, given: str, family: str, number: str, year: int
) -> Person:
    working = relation in ("me", "team", "old team", "doctor", "shop", "landlord") or rng.random() < 0.3
    company, domain = _company(rng, locale, relation)
    title = rng.choice(words.TITLES[locale]) if working else ""
    host = domain if working and relation not in ("me", "friend") else rng.choice(words.MAIL_HOSTS[locale])
    nicknames = names.NICKNAMES_EN if locale == "en" else names.NICKNAMES_ZH
    close = relation in ("sibling", "cousin", "partner", "school friend", "friend")
    return Person(
        id="me" if index == 0 else f"p{index}",
        given=given,
        family=family,
        nickname=rng.choice(nicknames) if close and rng.random() < 0.4 else "",
        relation=relation,
        number=number,
        work_number=_work_number(rng, locale) if working and rng.random() < 0.5 else "",
        email=f"{_spelled(locale, given, family)}@{host}",
        birthday=_birthday(rng, relation, year),
        address=_address(rng, locale),
        company=company if working else "",
        title=title,
        avatar=rng.randrange(1 << 31),
        locale=locale,
    )


def _company(rng: random.Random, locale: Locale, relation: str) -> tuple[str, str]:
    fixed = {"me": 0, "team": 0, "old team": 1, "doctor": 4, "shop": 5, "landlord": 7}
    known = words.COMPANIES[locale]
    return known[fixed[relation]] if relation in fixed else rng.choice(known)


def _spelled(locale: Locale, given: str, family: str) -> str:
    if locale == "zh":
        return f"{names.FAMILY_ZH[family]}.{names.GIVEN_ZH[given]}"
    return f"{given}.{family}".lower()


def _birthday(rng: random.Random, relation: str, year: int) -> datetime.date:
    low, high = {"mother": (50, 65), "father": (50, 68), "doctor": (35, 60), "landlord": (40, 65)}.get(
        relation, (22, 45)
    )
    return datetime.date(year - rng.randint(low, high), 1, 1) + datetime.timedelta(days=rng.randint(0, 364))


def _address(rng: random.Random, locale: Locale) -> str:
    district, street = rng.choice(words.DISTRICTS[locale]), rng.choice(words.STREETS[locale])
    number = rng.randint(1, 180)
    if locale == "zh":
        return f"{words.CITY['zh']}{district}{street}{number}号"
    return f"{number} {street}, {district}, {words.CITY['en']}"


def _numbers(rng: random.Random, locale: Locale, count: int) -> list[str]:
    """Numbers that no one can have: 555-01xx in en, prefix 000 in zh."""
    if locale == "en":
        return [f"555-01{n:02d}" for n in rng.sample(range(100), count)]
    return [f"000-{n // 10_000:04d}-{n % 10_000:04d}" for n in rng.sample(range(10_000_000, 100_000_000), count)]


def _work_number(rng: random.Random, locale: Locale) -> str:
    return (
        f"0{rng.randint(10, 99)}-555-01{rng.randint(0, 99):02d}"
        if locale == "en"
        else f"000-{rng.randint(100, 999)}0-{rng.randint(0, 9999):04d}"
    )


def _with_namesake(rng: random.Random, people: list[Person], taken: set[tuple[str, str]]) -> list[Person]:
    """Gives a friend the given name of a colleague, so that a first name alone never tells who is meant."""
    team = [p for p in people if p.relation == "team"]
    friends = [p for p in people if p.relation in ("school friend", "friend")]
    pairs = [(a, b) for a in team for b in friends if a.family != b.family and (a.given, b.family) not in taken]
    model, friend = rng.choice(pairs)
    email = f"{_spelled(friend.locale, model.given, friend.family)}@{friend.email.partition('@')[2]}"
    people[people.index(friend)] = replace(friend, given=model.given, email=email)
    return people
