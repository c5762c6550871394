"""Typed answers: each type parses what was written in full, or refuses it; parts of a text never count."""

from __future__ import annotations

import datetime
import re
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from mobilegym.judge import times
from mobilegym.judge.text import digits, normal


class Expected(ABC):
    """An expected answer of one type."""

    @abstractmethod
    def matches(self, text: str) -> bool:
        """Whether the answer, read in full as this type, is the expected one."""

    @abstractmethod
    def say(self, locale: str = "en") -> str:
        """The answer as a careful person would type it; `matches` takes it."""

    @abstractmethod
    def near(self) -> list[str]:
        """Plausible wrong answers, none of which `matches` takes."""


@dataclass(frozen=True)
class Text(Expected):
    """One text of a closed set. `also` are other ways to say the same; `among` the whole set, for near misses."""

    value: str
    among: tuple[str, ...] = ()
    also: tuple[str, ...] = ()

    def matches(self, text: str) -> bool:
        return normal(text) in {normal(known) for known in (self.value, *self.also)}

    def say(self, locale: str = "en") -> str:
        return self.value

    def near(self) -> list[str]:
        others = [other for other in self.among if not self.matches(other)][:4]
        return [*others, f"{self.value} {self.value}", f"not {self.value}"]


@dataclass(frozen=True)
class Choice(Text):
    """One of the options that the goal names."""


@dataclass(frozen=True)
class Integer(Expected):
    """A whole number. `unit`: words that may follow it, such as `minutes` or `个`."""

    value: int
    unit: tuple[str, ...] = ()

    def matches(self, text: str) -> bool:
        return self.parse(text) == self.value

    def parse(self, text: str) -> int | None:
        written = digits(text)
        for unit in sorted(self.unit, key=len, reverse=True):
            if written.endswith(normal(unit)):
                written = written[: -len(normal(unit))].strip()
                break
        if not re.fullmatch(r"[+-]?(\d+|\d{1,3}(,\d{3})+)(\.0+)?", written):
            return None
        return int(written.replace(",", "").partition(".")[0])

    def say(self, locale: str = "en") -> str:
        return str(self.value)

    def near(self) -> list[str]:
        return [
            str(self.value + 1),
            str(self.value - 1),
            str(self.value * 10 + 5),
            f"1{abs(self.value)}",
            f"{self.value}.5",
        ]


_CURRENCY = {"$": "USD", "usd": "USD", "dollar": "USD", "dollars": "USD"} | {
    sign: "CNY" for sign in ("¥", "cny", "rmb", "元", "块", "人民币")
}


@dataclass(frozen=True)
class Money(Expected):
    """An amount in minor units (cents, fen); the currency may be left out but must not be another."""

    minor: int
    currency: str = "USD"  # USD | CNY

    def matches(self, text: str) -> bool:
        return self.parse(text) == self.minor

    def parse(self, text: str) -> int | None:
        signs = "|".join(re.escape(sign) for sign in sorted(_CURRENCY, key=len, reverse=True))
        number = r"(?P<whole>\d+|\d{1,3}(?:,\d{3})+)(?:\.(?P<part>\d{1,2}))?"
        amount = rf"(?P<sign>[+-]?)\s*(?P<before>{signs})?\s*{number}\s*(?P<after>{signs})?"
        found = re.fullmatch(amount, normal(text))
        if not found:
            return None
        named = {_CURRENCY[sign] for sign in (found["before"], found["after"]) if sign}
        if named - {self.currency}:
            return None
        minor = int(found["whole"].replace(",", "")) * 100 + int((found["part"] or "0").ljust(2, "0"))
        return -minor if found["sign"] == "-" else minor

    def say(self, locale: str = "en") -> str:
        sign = "¥" if self.currency == "CNY" else "$"
        return f"{'-' if self.minor < 0 else ''}{sign}{abs(self.minor) // 100}.{abs(self.minor) % 100:02d}"

    def near(self) -> list[str]:
        wrong = [Money(self.minor + d, self.currency).say() for d in (1, -1, 100)]
        foreign = self.say().strip("$¥") + (" usd" if self.currency == "CNY" else " 元")
        return [*wrong, Money(self.minor * 10 + 5, self.currency).say(), foreign]


@dataclass(frozen=True)
class Date(Expected):
    """A day, ISO `YYYY-MM-DD`. The year may be left out; `10/21` is read month first."""

    iso: str

    def matches(self, text: str) -> bool:
        found = times.read_date(text)
        day = datetime.date.fromisoformat(self.iso)
        return found is not None and found[1:] == (day.month, day.day) and found[0] in (None, day.year)

    def say(self, locale: str = "en") -> str:
        day = datetime.date.fromisoformat(self.iso)
        return f"{day.year}年{day.month}月{day.day}日" if locale == "zh" else f"{day:%B} {day.day}, {day.year}"

    def near(self) -> list[str]:
        day = datetime.date.fromisoformat(self.iso)
        others = [day + datetime.timedelta(days=d) for d in (1, -1, 7, 31)]
        return [other.isoformat() for other in others] + [str(day.day), f"{day.year + 1}{self.iso[4:]}"]


@dataclass(frozen=True)
class Time(Expected):
    """A time of day, in minutes after midnight. Without am or pm it is read on the 24 hour clock."""

    minute: int

    def matches(self, text: str) -> bool:
        return times.read_time(text) == self.minute

    def say(self, locale: str = "en") -> str:
        return f"{self.minute // 60:02d}:{self.minute % 60:02d}"

    def near(self) -> list[str]:
        others = [(self.minute + d) % 1440 for d in (1, -1, 60, 720)]
        return [Time(other).say() for other in others] + [str(self.minute // 60 + 1)]


@dataclass(frozen=True)
class Duration(Expected):
    """A length of time, in seconds; written with units or as h:mm:ss or m:ss."""

    seconds: int

    def matches(self, text: str) -> bool:
        return times.read_duration(text) == self.seconds

    def say(self, locale: str = "en") -> str:
        hours, rest = divmod(self.seconds, 3600)
        units = ("小时", "分钟", "秒") if locale == "zh" else (" h", " min", " s")
        parts = [f"{n}{unit}" for n, unit in zip((hours, rest // 60, rest % 60), units, strict=True) if n]
        return " ".join(parts) or f"0{units[2]}"

    def near(self) -> list[str]:
        others = (self.seconds + 1, self.seconds + 60, self.seconds * 60 or 3600)
        return [*(Duration(other).say() for other in others), str(self.seconds)]


_SEPARATORS = re.compile(r"\s*(?:[;；、\n]|,(?!\d{3}\b)|，)\s*(?:and\s+|和|以及)?|\s+and\s+|\s*(?:以及|和)\s*")


def _parts(text: str) -> list[str]:
    return [part for part in _SEPARATORS.split(text.strip().strip("[](){}.。")) if part.strip()]


@dataclass(frozen=True)
class ListOf(Expected):
    """Several answers in order, separated by commas, semicolons, lines, `and`, `、` or `和`."""

    items: tuple[Expected, ...]

    def matches(self, text: str) -> bool:
        return any(self._fits(parts) for parts in self._readings(text))

    def _readings(self, text: str) -> Sequence[list[str]]:
        """Items may hold a separator themselves: the strong separators are tried first."""
        return [re.split(r"\s*[;；\n]\s*", text.strip()), re.split(r"\s*[,，;；、\n]\s*", text.strip()), _parts(text)]

    def _fits(self, parts: list[str]) -> bool:
        return len(parts) == len(self.items) and all(e.matches(p) for e, p in zip(self.items, parts, strict=True))

    def say(self, locale: str = "en") -> str:
        return "; ".join(item.say(locale) for item in self.items)

    def near(self) -> list[str]:
        said = [item.say() for item in self.items]
        wrong = ["; ".join(said[:-1]), "; ".join([*said, said[-1]])]
        if len(said) > 1 and said[0] != said[-1]:
            wrong.append("; ".join([said[-1], *said[1:-1], said[0]]))
        return [w for w in wrong + ["; ".join([miss, *said[1:]]) for miss in self.items[0].near()[:2]] if w]


@dataclass(frozen=True)
class SetOf(ListOf):
    """Several answers in any order, each once."""

    def _fits(self, parts: list[str]) -> bool:
        if len(parts) != len(self.items):
            return False
        found: Counter[int] = Counter()
        for part in parts:
            found.update([i for i, item in enumerate(self.items) if not found[i] and item.matches(part)][:1])
        return found.total() == len(self.items)

    def near(self) -> list[str]:
        said = [item.say() for item in self.items]
        wrong = ["; ".join(said[:-1]), "; ".join([*said, said[-1]])]
        return [w for w in wrong + ["; ".join([miss, *said[1:]]) for miss in self.items[0].near()[:2]] if w]


def texts(values: Sequence[str], among: Sequence[str] = ()) -> tuple[Text, ...]:
    """Items for `ListOf` and `SetOf`."""
    return tuple(Text(value, tuple(among)) for value in values)


def describe(expected: Expected) -> dict[str, Any]:
    """As JSON, for `mobilegym tasks show`."""
    return {"type": type(expected).__name__.lower(), "value": expected.say(), "near": expected.near()}
