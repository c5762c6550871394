"""The notes on a phone: writing, checklists, selection, sharing, the trash."""

from __future__ import annotations

import copy
from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio
from tests.phone.conftest import State

from mobilegym.phone.action import Back, Enter, LongPress, OpenApp, Tap, Type, Wait
from mobilegym.phone.build import PhoneBuild
from mobilegym.phone.phone import Phone
from mobilegym.phone.pool import PhonePool, PoolOptions

pytestmark = pytest.mark.asyncio(loop_scope="module")

DAY = 86_400_000


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def pool(build: PhoneBuild) -> AsyncIterator[PhonePool]:
    async with PhonePool(PoolOptions(phones=1), build) as pool:
        yield pool


@pytest_asyncio.fixture(loop_scope="module")
async def phone(pool: PhonePool) -> AsyncIterator[Phone]:
    async with pool.phone() as phone:
        yield phone


def note(state: State, key: str, **fields: Any) -> dict[str, Any]:
    now = state["os"]["clock"]["now"]
    blank = {"title": key, "body": "", "checklist": None, "folder": "", "pinned": False, "color": "none"}
    return {"id": key, **blank, "created": now - 3 * DAY, "modified": now - 2 * DAY, "trashed": None, **fields}


def item(key: str, done: bool = False) -> dict[str, Any]:
    return {"id": f"i-{key}", "text": key, "done": done}


@pytest.fixture
def state(states: list[State]) -> State:
    """An English phone with a plain note, a checklist and a note in the trash."""
    state = copy.deepcopy(states[0])
    now = state["os"]["clock"]["now"]
    made = [
        note(state, "Plan", body="first\nsecond"),
        note(state, "List", checklist=[item("milk"), item("eggs", True), item("tea")], modified=now - DAY),
        note(state, "Gone", body="old", trashed=now - 30 * DAY + 20_000),
    ]
    state["apps"]["notes"]["data"]["notes"] = {n["id"]: n for n in made}
    return state


def centre(node: dict[str, Any]) -> tuple[float, float]:
    x, y, width, height = node["box"]
    return (x + width / 2) / 360, (y + height / 2) / 800


async def find(phone: Phone, name: str, role: str) -> dict[str, Any]:
    return next(n for n in (await phone.tree())["nodes"] if n["role"] == role and n["name"] == name)


async def tap(phone: Phone, name: str, role: str = "button") -> None:
    await phone.act(Tap(*centre(await find(phone, name, role))))


async def names(phone: Phone, role: str) -> list[str]:
    return [n["name"] for n in (await phone.tree())["nodes"] if n["role"] == role]


async def saved(phone: Phone) -> dict[str, Any]:
    return dict((await phone.snapshot()).state["apps"]["notes"]["data"]["notes"])


async def start(phone: Phone, state: State) -> None:
    await phone.reset(state, image=False)
    await phone.act(OpenApp("notes"))


async def screen(phone: Phone) -> str:
    return str((await phone.tree())["screen"])


async def test_save_keeps_a_new_note_and_shows_it(phone: Phone, state: State) -> None:
    await start(phone, state)
    await tap(phone, "New note")
    await phone.act(Type("Boat"))
    await phone.act(Enter())
    await phone.act(Type("at noon"))
    await tap(phone, "Save")
    assert (await phone.tree())["heading"] == "Boat"
    await phone.act(Back())
    assert await names(phone, "listitem") == ["Boat", "List", "Plan"]
    made = next(n for n in (await saved(phone)).values() if n["title"] == "Boat")
    assert made["body"] == "at noon"


async def test_back_leaves_a_note_as_it_was(phone: Phone, state: State) -> None:
    await start(phone, state)
    await tap(phone, "Plan", "listitem")
    await tap(phone, "Edit")
    await tap(phone, "Note", "textbox")
    await phone.act(Type(" third"))
    await phone.act(Back())  # the keyboard
    await phone.act(Back())
    assert await screen(phone) == "note"
    assert await saved(phone) == state["apps"]["notes"]["data"]["notes"]


async def test_checklist_items_are_added_ticked_moved_edited_and_removed(phone: Phone, state: State) -> None:
    await start(phone, state)
    await tap(phone, "List", "listitem")
    await tap(phone, "milk", "checkbox")
    await tap(phone, "New item", "textbox")
    await phone.act(Type("jam"))
    await phone.act(Enter())
    await phone.act(Back())  # the keyboard
    await tap(phone, "Options for tea")
    await tap(phone, "Move up", "option")
    await tap(phone, "Options for eggs")
    await tap(phone, "Remove item", "option")
    await tap(phone, "Options for jam")
    await tap(phone, "Edit item", "option")
    await phone.act(Type("my"))
    await tap(phone, "Save")
    items = (await saved(phone))["List"]["checklist"]
    assert [(i["text"], i["done"]) for i in items] == [("milk", True), ("tea", False), ("jammy", False)]


async def test_a_long_press_selects_and_the_selection_goes_to_the_trash(phone: Phone, state: State) -> None:
    await start(phone, state)
    await phone.act(LongPress(*centre(await find(phone, "Plan", "listitem"))))
    await tap(phone, "List", "checkbox")
    assert (await phone.tree())["heading"] == "2 selected"
    await tap(phone, "Move to trash")
    assert await screen(phone) == "home"
    assert all(n["trashed"] for n in (await saved(phone)).values())
    await tap(phone, "Trash", "tab")
    await tap(phone, "Plan", "listitem")
    await tap(phone, "Restore")
    assert (await saved(phone))["Plan"]["trashed"] is None


async def test_the_trash_is_emptied_only_after_a_question(phone: Phone, state: State) -> None:
    await start(phone, state)
    await tap(phone, "Trash", "tab")
    await tap(phone, "Empty trash")
    await tap(phone, "Cancel")
    assert "Gone" in await saved(phone)
    await tap(phone, "Empty trash")
    await tap(phone, "Remove")
    assert "Gone" not in await saved(phone)


async def test_a_note_leaves_the_trash_for_good_after_thirty_days(phone: Phone, state: State) -> None:
    await start(phone, state)
    assert "Gone" in await saved(phone)
    await phone.act(Wait(30))
    assert "Gone" not in await saved(phone)


async def test_a_shared_note_goes_through_the_chooser_into_a_new_one(phone: Phone, state: State) -> None:
    await start(phone, state)
    await tap(phone, "Plan", "listitem")
    await tap(phone, "More options")
    await tap(phone, "Share", "option")
    await tap(phone, "Notes", "listitem")
    draft = (await phone.snapshot()).state["apps"]["notes"]["ui"]["draft"]
    assert draft["title"] == "Plan"
    assert await screen(phone) == "edit"


async def test_a_contact_is_added_only_with_permission(phone: Phone, state: State) -> None:
    person = next(c for c in state["apps"]["contacts"]["data"]["contacts"].values() if c["family"])
    state["apps"]["contacts"]["data"]["contacts"] = {person["id"]: person}
    state["apps"]["contacts"]["data"]["groups"] = {}
    await start(phone, state)
    await tap(phone, "Plan", "listitem")
    for answer in ("Don't allow", None):
        await tap(phone, "More options")
        await tap(phone, "Add contact", "option")
        if answer:
            await tap(phone, answer)
        assert await screen(phone) == "note"
    state["os"]["permissions"]["notes"]["contacts"] = "granted"
    await start(phone, state)
    await tap(phone, "Plan", "listitem")
    await tap(phone, "More options")
    await tap(phone, "Add contact", "option")
    name = f"{person['given']} {person['family']}"
    await tap(phone, name, "listitem")
    assert (await saved(phone))["Plan"]["body"] == f"first\nsecond\n{name} {person['phones'][0]['number']}"


async def test_details_count_words_and_characters(phone: Phone, state: State) -> None:
    await start(phone, state)
    await tap(phone, "Plan", "listitem")
    await tap(phone, "More options")
    await tap(phone, "Details", "option")
    texts = await names(phone, "text")
    assert texts[texts.index("Words") + 1] == "3"
    assert texts[texts.index("Characters") + 1] == str(len("Plan\nfirst\nsecond"))


async def test_a_deleted_folder_leaves_its_notes(phone: Phone, state: State) -> None:
    state["apps"]["notes"]["data"]["notes"]["Plan"]["folder"] = "f1"
    folder = state["apps"]["notes"]["data"]["folders"]["f1"]["name"]
    await start(phone, state)
    await tap(phone, "Folders", "tab")
    await tap(phone, f"Options for {folder}")
    await tap(phone, "Delete folder", "option")
    await tap(phone, "Remove")
    data = (await phone.snapshot()).state["apps"]["notes"]["data"]
    assert "f1" not in data["folders"]
    assert data["notes"]["Plan"]["folder"] == ""
