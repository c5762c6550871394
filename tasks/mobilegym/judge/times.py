"""Reads dates, times of day and durations, in English and Chinese; None for anything that is not wholly one."""

from __future__ import annotations

import re

from mobilegym.judge.text import digits

_SPRING = ("january", "february", "march", "april", "may", "june")
_NAMES = (*_SPRING, "july", "august", "september", "october", "november", "december")
_MONTHS = {short: n for n, full in enumerate(_NAMES, start=1) for short in (full, full[:3])} | {"sept": 9}
_DAYS = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_WEEKDAY = r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|mon|tues?|wed|thur?s?|fri|sat|sun)"
_ZH_WEEKDAY = r"(?:\s*\(?(?:星期|周)[0-9日天]\)?)?"
_DAY = r"(?P<d>\d{1,2})(?:st|nd|rd|th)?"
_MONTH = r"(?P<name>[a-z]{3,9})\.?"
_YEAR = r"(?:,?\s*(?P<y>\d{4}))?"
_DATES = tuple(
    re.compile(pattern)
    for pattern in (
        r"(?P<y>\d{4})[-/.](?P<m>\d{1,2})[-/.](?P<d>\d{1,2})",
        r"(?P<m>\d{1,2})/(?P<d>\d{1,2})(?:/(?P<y>\d{4}))?",
        rf"(?:(?P<y>\d{{4}})年\s*)?(?P<m>\d{{1,2}})月\s*(?P<d>\d{{1,2}})[日号]?{_ZH_WEEKDAY}",
        rf"(?:{_WEEKDAY},?\s*)?{_MONTH}\s*{_DAY}{_YEAR}",
        rf"(?:{_WEEKDAY},?\s*)?(?:the\s+)?{_DAY}\s*(?:of\s+)?{_MONTH}{_YEAR}",
    )
)


def read_date(text: str) -> tuple[int | None, int, int] | None:
    """(year or None, month, day)."""
    written = digits(text)
    for pattern in _DATES:
        found = pattern.fullmatch(written)
        if not found:
            continue
        part = found.groupdict()
        month = _MONTHS.get(part["name"]) if part.get("name") else int(part.get("m") or 0)
        day = int(part["d"])
        if month and 1 <= month <= 12 and 1 <= day <= _DAYS[month - 1]:
            return (int(part["y"]) if part["y"] else None, month, day)
    return None


_CLOCK = re.compile(r"(?P<h>\d{1,2})(?:[:.](?P<m>\d{2}))?(?::00)?\s*(?P<half>[ap]\.?m\.?)?(?:\s*o'?clock)?")
_ZH_CLOCK = re.compile(
    r"(?P<half>凌晨|早上|早晨|上午|中午|下午|傍晚|晚上|夜里)?\s*(?P<h>\d{1,2})(?::(?P<m>\d{2})|[点时](?:(?P<zm>\d{1,2})分?|(?P<part>半|1刻|3刻|整|钟))?)"
)
_AFTERNOON = ("下午", "傍晚", "晚上", "夜里")


def read_time(text: str) -> int | None:
    """Minutes after midnight."""
    written = digits(text)
    if written in ("noon", "midday", "正午"):
        return 720
    if written in ("midnight", "午夜"):
        return 0
    if found := _CLOCK.fullmatch(written):
        half = (found["half"] or "")[:1]
        if not half and found["m"] is None and "clock" not in written:
            return None
        return _minute(int(found["h"]), int(found["m"] or 0), half)
    if found := _ZH_CLOCK.fullmatch(written):
        minute = int(found["m"] or found["zm"] or {"半": 30, "1刻": 15, "3刻": 45}.get(found["part"] or "", 0))
        return _minute(int(found["h"]), minute, _zh_half(found["half"], int(found["h"])))
    return None


def _zh_half(word: str | None, hour: int) -> str:
    if word is None or hour > 12 or hour == 0:
        return ""
    if word == "中午":
        return "p" if hour in (12, 1, 2) else "a"
    if word in ("晚上", "夜里") and hour == 12:
        return "a"
    return "p" if word in _AFTERNOON else "a"


def _minute(hour: int, minute: int, half: str) -> int | None:
    if minute > 59 or hour > 23 or (half and not 1 <= hour <= 12):
        return None
    if half:
        hour = hour % 12 + (12 if half == "p" else 0)
    return hour * 60 + minute


_UNIT = (
    (3600, r"(?:h|hr|hrs|hours?|个?小时|个?钟头)"),
    (60, r"(?:m|min|mins|minutes?|分钟?)"),
    (1, r"(?:s|sec|secs|seconds?|秒钟?)"),
)
_DURATION = re.compile(r"\s*(?:and|,)?\s*".join(rf"(?:(?P<u{size}>\d+(?:\.\d+)?)\s*{word})?" for size, word in _UNIT))
_COLONS = re.compile(r"(?:(?P<h>\d{1,2}):)?(?P<m>\d{1,2}):(?P<s>\d{2})")


def read_duration(text: str) -> int | None:
    """Seconds."""
    written = digits(text)
    if found := _COLONS.fullmatch(written):
        return int(found["h"] or 0) * 3600 + int(found["m"]) * 60 + int(found["s"])
    if not written or not (found := _DURATION.fullmatch(written)):
        return None
    seconds = sum(float(found[f"u{size}"] or 0) * size for size, _ in _UNIT)
    return int(seconds) if seconds == int(seconds) else None
