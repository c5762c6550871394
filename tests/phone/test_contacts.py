"""The contacts on a phone: finding, choosing for another app, and what the lists show."""

from __future__ import annotations

import copy
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from tests.phone.conftest import State

from mobilegym.phone.action import OpenApp, Tap, Type
from mobilegym.phone.build import PhoneBuild
from mobilegym.phone.phone import Phone
from mobilegym.phone.pool import PhonePool, PoolOptions

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def pool(build: PhoneBuild) -> AsyncIterator[PhonePool]:
    async with PhonePool(PoolOptions(phones=1), build) as pool:
        yield pool


@pytest_asyncio.fixture(loop_scope="module")
async def phone(pool: PhonePool) -> AsyncIterator[Phone]:
    async with pool.phone() as phone:
        yield phone


def with_people(states: list[State], locale: str, *names: tuple[str, str]) -> State:
    """A phone whose contacts are just these, by given and family name."""
    state = copy.deepcopy(states[0 if locale == "en" else 1])
    app = state["apps"]["contacts"]
    model = next(iter(app["data"]["contacts"].values()))
    bare = {**model, "nickname": "", "company": "", "title": "", "email": "", "birthday": "", "notes": ""}
    app["data"]["contacts"] = {
        f"c{n}": {**bare, "id": f"c{n}", "given": given, "family": family, "phones": [], "favourite": False}
        for n, (given, family) in enumerate(names)
    }
    app["data"]["groups"] = {}
    return state


async def rows(phone: Phone) -> list[str]:
    return [n["name"] for n in (await phone.tree())["nodes"] if n["role"] == "listitem"]


async def tap(phone: Phone, name: str, role: str = "button") -> None:
    nodes = (await phone.tree())["nodes"]
    x, y, width, height = next(n["box"] for n in nodes if n["role"] == role and n["name"] == name)
    await phone.act(Tap((x + width / 2) / 360, (y + height / 2) / 800))


async def test_chinese_names_stand_by_pinyin_among_latin_ones(phone: Phone, states: list[State]) -> None:
    state = with_people(states, "zh", ("鹿鸣", "岑"), ("若水", "安"), ("Wren", "Bramhall"), ("望舒", "蔡"), ("5", ""))
    state["apps"]["contacts"]["data"]["sort"] = "family"
    await phone.reset(state, image=False)
    await phone.act(OpenApp("contacts"))
    assert await rows(phone) == ["安若水", "Wren Bramhall", "蔡望舒", "岑鹿鸣", "5"]


async def test_the_order_follows_the_chosen_name(phone: Phone, states: list[State]) -> None:
    await phone.reset(with_people(states, "en", ("Zadie", "Askham"), ("Ada", "Windrow")), image=False)
    await phone.act(OpenApp("contacts"))
    assert await rows(phone) == ["Ada Windrow", "Zadie Askham"]
    await tap(phone, "More")
    await tap(phone, "Sort by last name", "option")
    assert await rows(phone) == ["Zadie Askham", "Ada Windrow"]


async def test_search_needs_no_accents_and_no_case(phone: Phone, states: list[State]) -> None:
    await phone.reset(with_people(states, "en", ("Zoë", "O'Quill"), ("Ada", "Windrow")), image=False)
    await phone.act(OpenApp("contacts"))
    await tap(phone, "Search contacts", "textbox")
    await phone.act(Type("ZOE"))
    assert await rows(phone) == ["Zoë O'Quill"]


async def test_a_letter_of_the_index_leads_to_its_first_row(phone: Phone, states: list[State]) -> None:
    names = [(f"{letter}{n}", "Lorne") for letter in "ABCDEFGHIJ" for n in range(4)]
    await phone.reset(with_people(states, "en", *names), image=False)
    await phone.act(OpenApp("contacts"))
    await tap(phone, "E")
    assert (await rows(phone))[0] == "E0 Lorne"


async def test_a_date_that_is_none_is_not_saved(phone: Phone, states: list[State]) -> None:
    await phone.reset(with_people(states, "en", ("Ada", "Windrow")), image=False)
    await phone.act(OpenApp("contacts"))
    await tap(phone, "Ada Windrow", "listitem")
    await tap(phone, "Edit")
    await tap(phone, "Birthday, YYYY-MM-DD", "textbox")
    await phone.act(Type("1990-02-30"))
    await tap(phone, "Save")
    assert (await phone.tree())["screen"] == "edit"
    assert (await phone.snapshot()).state["apps"]["contacts"]["data"]["contacts"]["c0"]["birthday"] == ""


async def test_contacts_without_anybody_say_so(phone: Phone, states: list[State]) -> None:
    await phone.reset(with_people(states, "en"), image=False)
    await phone.act(OpenApp("contacts"))
    assert "No contacts yet" in [n["name"] for n in (await phone.tree())["nodes"]]


async def test_a_contact_chosen_for_notes_comes_back_as_its_text(phone: Phone, states: list[State]) -> None:
    state = with_people(states, "en", ("Ada", "Windrow"), ("Wren", "Marlow"))
    state["os"]["permissions"]["notes"] = {"contacts": "granted"}
    notes = state["apps"]["notes"]["data"]["notes"]
    note = next(n for n in notes.values() if n["checklist"] is None)
    state["apps"]["notes"]["data"]["notes"] = {
        "n1": {**note, "id": "n1", "title": "Guests", "body": "", "trashed": None}
    }
    await phone.reset(state, image=False)
    await phone.act(OpenApp("notes"))
    await tap(phone, "Guests", "listitem")
    await tap(phone, "More options")
    await tap(phone, "Add contact", "option")
    assert (await phone.tree())["screen"] == "pick"
    await tap(phone, "Wren Marlow", "listitem")
    assert (await phone.tree())["app"] == "notes"
    assert "Wren Marlow" in (await phone.snapshot()).state["apps"]["notes"]["data"]["notes"]["n1"]["body"]
