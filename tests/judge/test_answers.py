"""Typed answers: what is read as equal, and what is refused."""

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mobilegym.judge.answers import (
    Choice,
    Date,
    Duration,
    Expected,
    Integer,
    ListOf,
    Money,
    SetOf,
    Text,
    Time,
    describe,
    texts,
)

NAMES = texts(["Ada Hollin", "Kit Varley"])


@pytest.mark.parametrize(
    ("expected", "said"),
    [
        (Integer(17), "17"),
        (Integer(17), " １７ "),
        (Integer(17), "十七"),
        (Integer(1234), "1,234"),
        (Integer(17), "17."),
        (Integer(-3), "-3"),
        (Integer(3, unit=("alarms", "个")), "3 alarms"),
        (Integer(3, unit=("alarms", "个")), "3个"),
        (Money(123450), "$1,234.50"),
        (Money(123450), "1234.5"),
        (Money(123450), "１２３４．５０"),
        (Money(123450), "1,234.50 USD"),
        (Money(1200, "CNY"), "¥12"),
        (Money(1200, "CNY"), "12元"),
        (Money(-500), "-$5"),
        (Date("2026-10-21"), "Oct 21st"),
        (Date("2026-10-21"), "21 October"),
        (Date("2026-10-21"), "Wednesday, October 21, 2026"),
        (Date("2026-10-21"), "the 21st of October 2026"),
        (Date("2026-10-21"), "2026-10-21"),
        (Date("2026-10-21"), "10/21/2026"),
        (Date("2026-10-21"), "2026年10月21日"),
        (Date("2026-10-21"), "十月二十一日"),
        (Date("2026-10-21"), "10月21日 星期三"),
        (Date("2026-09-01"), "Sept. 1"),
        (Time(450), "7:30"),
        (Time(450), "07:30 AM"),
        (Time(450), "7.30 a.m."),
        (Time(450), "上午7点半"),
        (Time(1170), "19:30"),
        (Time(1170), "7:30pm"),
        (Time(1170), "晚上七点三十分"),
        (Time(1170), "下午7:30"),
        (Time(0), "12 am"),
        (Time(0), "midnight"),
        (Time(720), "noon"),
        (Time(720), "中午12点"),
        (Duration(5400), "1 h 30 min"),
        (Duration(5400), "90 minutes"),
        (Duration(5400), "1:30:00"),
        (Duration(5400), "1小时30分钟"),
        (Duration(5400), "1.5 hours"),
        (Duration(90), "1:30"),
        (Text("Ada Hollin"), "ada  hollin."),
        (Text("Ada Hollin", also=("Ada",)), "Ada"),
        (Choice("vibrate", ("sound", "vibrate")), "“Vibrate”"),
        (ListOf(NAMES), "Ada Hollin, Kit Varley"),
        (ListOf(NAMES), "Ada Hollin and Kit Varley"),
        (ListOf(NAMES), "Ada Hollin\nKit Varley"),
        (ListOf(texts(["Salt, fine", "Plums"])), "Salt, fine; Plums"),
        (ListOf((Money(123450), Money(100))), "$1,234.50, $1"),
        (SetOf(NAMES), "Kit Varley、Ada Hollin"),
        (SetOf((Integer(1), Integer(1), Integer(2))), "1, 2, 1"),
    ],
)
def test_reads_as_the_expected(expected: Expected, said: str) -> None:
    assert expected.matches(said)


@pytest.mark.parametrize(
    ("expected", "said"),
    [
        (Integer(17), "170"),
        (Integer(17), "117"),
        (Integer(17), "17.5"),
        (Integer(17), "17 or 18"),
        (Integer(17), "1,7"),
        (Integer(17), ""),
        (Integer(3), "3 alarms"),
        (Integer(23), "2十3"),
        (Money(1700), "170"),
        (Money(1234), "12.345"),
        (Money(1200), "¥12"),
        (Money(1200, "CNY"), "$12"),
        (Money(123450), "1.234,50"),
        (Date("2026-10-21"), "October 2026"),
        (Date("2026-10-21"), "Oct 22"),
        (Date("2026-10-21"), "21"),
        (Date("2026-10-21"), "Oct 21, 2025"),
        (Date("2026-02-28"), "Feb 31"),
        (Time(1170), "7:30"),
        (Time(450), "7:30 pm"),
        (Time(420), "7"),
        (Time(450), "7:31"),
        (Time(0), "24:00"),
        (Time(780), "13:00 am"),
        (Duration(5400), "90"),
        (Duration(5400), ""),
        (Duration(5400), "1:30"),
        (Text("Ada Hollin"), "Ada"),
        (Text("Ada"), "Ada Hollin"),
        (Text("Ada"), "It is Ada"),
        (ListOf(NAMES), "Kit Varley, Ada Hollin"),
        (ListOf(NAMES), "Ada Hollin"),
        (SetOf(NAMES), "Ada Hollin, Ada Hollin"),
        (SetOf(NAMES), "Ada Hollin, Kit Varley, Una Lorne"),
        (SetOf((Integer(1), Integer(1), Integer(2))), "1, 2, 2"),
    ],
)
def test_refuses(expected: Expected, said: str) -> None:
    assert not expected.matches(said)


dates = st.dates(date(2024, 1, 1), date(2030, 12, 31)).map(lambda day: Date(day.isoformat()))
answers = st.one_of(
    st.integers(-10_000, 10_000).map(Integer),
    st.integers(-10_000_000, 10_000_000).map(Money),
    st.integers(0, 10_000_000).map(lambda minor: Money(minor, "CNY")),
    dates,
    st.integers(0, 1439).map(Time),
    st.integers(0, 200_000).map(Duration),
    st.sampled_from(["Ada Hollin", "顾思源", "Jo-Ann O'Dell"]).map(Text),
)


@given(answers)
def test_takes_what_it_says_and_no_near_miss(expected: Expected) -> None:
    for locale in ("en", "zh"):
        assert expected.matches(expected.say(locale))
    assert not [miss for miss in expected.near() if expected.matches(miss)]


@given(st.lists(answers, min_size=1, max_size=4), st.sampled_from([ListOf, SetOf]))
def test_several_take_what_they_say(items: list[Expected], kind: type[ListOf]) -> None:
    assert kind(tuple(items)).matches(kind(tuple(items)).say("zh"))


@given(st.text(max_size=40), answers)
def test_no_text_raises(text: str, expected: Expected) -> None:
    assert expected.matches(text) in (True, False)
    assert ListOf((expected, expected)).matches(text) in (True, False)


@given(st.integers(0, 10**9), st.integers(0, 10**9))
def test_numbers_match_only_themselves(a: int, b: int) -> None:
    assert Integer(a).matches(str(b)) == (a == b)
    assert Money(a).matches(Money(b).say()) == (a == b)


@given(dates, st.integers(1, 300))
def test_another_day_never_matches(expected: Date, days: int) -> None:
    other = date.fromisoformat(expected.iso) + timedelta(days=days)
    assert not expected.matches(Date(other.isoformat()).say())


def test_describes_itself_as_json() -> None:
    assert describe(Integer(3))["type"] == "integer"
    assert describe(SetOf(NAMES))["value"] == "Ada Hollin; Kit Varley"
