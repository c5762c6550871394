"""Tasks of the contacts: people, favourites, groups."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, TypeVar

from mobilegym.judge.answers import Date, Expected, Integer, Text
from mobilegym.judge.ending import Ending
from mobilegym.tasks.gestures import (
    Condition,
    back,
    both,
    do,
    either,
    ensure_app,
    fill,
    holds,
    on_screen,
    sees,
    tap,
    until,
)
from mobilegym.tasks.reach import reach
from mobilegym.tasks.template import Goal, Template, Unless, Unsuitable
from mobilegym.tasks.view import View
from mobilegym.world import names
from mobilegym.world.contacts import contacts
from mobilegym.world.world import World

DATA = "apps.contacts.data"
CONTACTS = f"{DATA}.contacts"
GROUPS = f"{DATA}.groups"
SEARCH = ("Search contacts", "搜索联系人")
SAVE = ("Save", "保存")
MORE = ("More", "更多")
OK = ("OK", "确定")
FIRST, LAST = ("First name", "名字"), ("Last name", "姓氏")
MOBILE = ("Mobile", "手机")
BIRTHDAY = ("Birthday, YYYY-MM-DD", "生日，如 1990-03-25")
GROUP_NAME = ("Group name", "分组名称")
TABS = {
    "all": ("Contacts", "通讯录"),
    "favourites": ("Favourites", "收藏"),
    "groups": ("Groups", "分组"),
}
NEW_GROUPS = {
    "en": ("Choir", "Cinema", "Football", "Garden", "Chess", "Travel"),
    "zh": ("合唱", "电影", "足球", "花园", "象棋", "旅行"),
}
T = TypeVar("T")
Person = dict[str, Any]


# What the worlds hold


def people(world: World) -> list[Person]:
    """Those entered once, with a name of two parts, whose name no one else has."""
    known = contacts(world)["data"]["contacts"].values()
    all_names = [full_name(c) for c in known]
    return [c for c in known if c["family"] and c["id"].startswith("p") and all_names.count(full_name(c)) == 1]


def full_name(contact: Person) -> str:
    """As the phone writes it."""
    given, family = contact["given"], contact["family"]
    written = family + given
    return written if any("\u4e00" <= c <= "\u9fff" for c in written) else f"{given} {family}".strip()


def groups(world: World) -> list[dict[str, Any]]:
    found: dict[str, dict[str, Any]] = contacts(world)["data"]["groups"]
    return list(found.values())


def pick(rng: random.Random, items: Sequence[T], what: str) -> T:
    if not items:
        raise Unsuitable(f"no {what}")
    return rng.choice(items)


def new_number(world: World, rng: random.Random) -> str:
    """A number that nobody has."""
    return f"555-03{rng.randint(0, 99):02d}" if world.locale == "en" else f"000-8000-{rng.randint(0, 9999):04d}"


def new_name(world: World, rng: random.Random) -> tuple[str, str]:
    """Given and family name of somebody who is not in the contacts."""
    given = names.GIVEN_EN if world.locale == "en" else tuple(names.GIVEN_ZH)
    family = names.FAMILY_EN if world.locale == "en" else tuple(names.FAMILY_ZH)
    known = {(c["given"], c["family"]) for c in contacts(world)["data"]["contacts"].values()}
    while True:
        name = (rng.choice(given), rng.choice(family))
        if name not in known:
            return name


# Ways


def top(view: View) -> Any:
    """The route in front, of the contacts."""
    stack = view.at("os.nav.stacks.contacts") or [{"screen": "home", "params": {}}]
    return stack[-1]


def showing(screen: str, key: str) -> Condition:
    """This screen of this contact or group is in front."""
    return lambda view: on_screen("contacts", screen)(view) and top(view)["params"].get("id") == key


def to_tab(tab: str) -> list[Unless]:
    return until(
        in_tab(tab),
        ensure_app("contacts"),
        Unless(on_screen("contacts", "home"), back(), "back to the front"),
        do(tap("tab", TABS[tab]), f"tab {tab}"),
    )


def in_tab(tab: str) -> Condition:
    return both(on_screen("contacts", "home"), sees("tab", TABS[tab], selected=True))


def find(key: str, name: str, role: str = "listitem") -> list[Unless]:
    """On a screen with a search field: the row is visible, searched for where it is not."""
    seen = sees(role, key=key)
    search = fill(SEARCH, name)
    return [Unless(either(seen, search.done), search.act, f"search {name}")]


def open_contact(key: str, name: str) -> list[Unless]:
    return until(
        showing("contact", key),
        *to_tab("all"),
        *find(key, name),
        do(reach("listitem", key=key), "open the contact"),
    )


def open_form(key: str, name: str) -> list[Unless]:
    """The form of the contact, freshly opened or with changes left in it."""
    return until(editing(key), *open_contact(key, name), do(tap("button", ("Edit", "编辑")), "edit"))


def editing(key: str) -> Condition:
    return lambda view: on_screen("contacts", "edit")(view) and view.at("apps.contacts.ui.draft.id") == key


def leave_changed(key: str, but: str) -> Unless:
    """A form of the contact in which more than `but` was changed is left."""

    def fine(view: View) -> bool:
        if not editing(key)(view):
            return True
        draft, contact = view.at("apps.contacts.ui.draft"), view.at(f"{CONTACTS}.{key}")
        return all(draft[name] == contact[name] for name in draft if name != but)

    return Unless(fine, back(), "leave a half-changed form")


def contact_menu(key: str, name: str) -> list[Unless]:
    return until(showing("contactMenu", key), *open_contact(key, name), do(tap("button", MORE), "menu"))


def open_group(key: str, name: str) -> list[Unless]:
    return until(showing("group", key), *to_tab("groups"), do(reach("listitem", key=key), f"open {name}"))


def save() -> Unless:
    return do(tap("button", SAVE), "save")


# Judging


def value_is(path: str, value: Any, name: str) -> Goal:
    return Goal(name, lambda e: bool(e.at(path) == value))


def members(key: str) -> str:
    return f"{GROUPS}.{key}.members"


def groups_follow(ending: Ending, moved: dict[str, str | None]) -> bool:
    """Every group has the members it had, but for those who are gone or stand for another now."""
    for key, group in ending.was(GROUPS).items():
        wanted = {moved.get(member, member) for member in group["members"]}
        if ending.at(members(key), None) != sorted(member for member in wanted if member):
            return False
    return True


# One contact


@dataclass(frozen=True)
class Fresh:
    given: str
    family: str
    number: str


class CreateContact(Template[Fresh]):
    id = "contacts.create-contact"
    apps = ("contacts",)
    goal: ClassVar[dict[str, str]] = {
        "en": "Create a contact: first name {given}, last name {family}, mobile {number}.",
        "zh": "新建联系人：姓{family}，名{given}，手机{number}。",
    }

    def sample(self, world: World, rng: random.Random) -> Fresh:
        return Fresh(*new_name(world, rng), new_number(world, rng))

    def goals(self, params: Fresh) -> Sequence[Goal]:
        def just_one(ending: Ending) -> bool:
            new = list(ending.added(CONTACTS).values())
            return len(new) == 1 and not ending.removed(CONTACTS) and self._fits(new[0], params)

        return [Goal("one new contact as asked", just_one)]

    def _fits(self, contact: Person, params: Fresh) -> bool:
        empty = ("nickname", "company", "title", "email", "address", "birthday", "notes")
        return (
            (contact["given"], contact["family"]) == (params.given, params.family)
            and contact["phones"] == [{"kind": "mobile", "number": params.number}]
            and not contact["favourite"]
            and not any(contact[name] for name in empty)
        )

    def allowed(self, params: Fresh) -> Sequence[str]:
        return [f"{CONTACTS}.*"]

    def solve(self, params: Fresh) -> Sequence[Unless]:
        def created(view: View) -> bool:
            return any(self._fits(c, params) for c in view.at(CONTACTS).values())

        form = until(editing(""), *to_tab("all"), do(tap("button", ("Add contact", "添加联系人")), "new contact"))
        return until(
            created,
            self._clean(),
            *form,
            fill(FIRST, params.given),
            fill(LAST, params.family),
            fill(MOBILE, params.number),
            save(),
        )

    def _clean(self) -> Unless:
        """A new form in which something else was written is left."""

        def fine(view: View) -> bool:
            draft = view.at("apps.contacts.ui.draft") if editing("")(view) else None
            others = ("nickname", "company", "title", "email", "address", "birthday", "notes")
            return draft is None or (len(draft["phones"]) == 1 and not any(draft[name] for name in others))

        return Unless(fine, back(), "leave a half-filled form")


@dataclass(frozen=True)
class OfContact:
    id: str
    name: str
    value: str
    old: str = ""


class ChangeNumber(Template[OfContact]):
    id = "contacts.change-number"
    apps = ("contacts",)
    goal: ClassVar[dict[str, str]] = {
        "en": "Change the mobile number of {name} to {value}.",
        "zh": "把{name}的手机号改成{value}。",
    }

    def sample(self, world: World, rng: random.Random) -> OfContact:
        contact = pick(rng, [c for c in people(world) if len(c["phones"]) == 1], "contact with one number")
        return OfContact(contact["id"], full_name(contact), new_number(world, rng))

    def goals(self, params: OfContact) -> Sequence[Goal]:
        phones = [{"kind": "mobile", "number": params.value}]
        return [value_is(f"{CONTACTS}.{params.id}.phones", phones, "the contact has just the new number")]

    def allowed(self, params: OfContact) -> Sequence[str]:
        return [f"{CONTACTS}.{params.id}.phones"]

    def solve(self, params: OfContact) -> Sequence[Unless]:
        done = holds(f"{CONTACTS}.{params.id}.phones", [{"kind": "mobile", "number": params.value}])
        clean = leave_changed(params.id, "phones")
        return until(done, clean, *open_form(params.id, params.name), fill(MOBILE, params.value), save())


class SetBirthday(Template[OfContact]):
    id = "contacts.set-birthday"
    apps = ("contacts",)
    goal: ClassVar[dict[str, str]] = {
        "en": "{name} was born on {value}. Add the birthday to the contact.",
        "zh": "{name}的生日是{value}，请把它加到联系人里。",
    }

    def sample(self, world: World, rng: random.Random) -> OfContact:
        contact = pick(rng, [c for c in people(world) if not c["birthday"]], "contact without a birthday")
        year, month, day = rng.randint(1965, 2004), rng.randint(1, 12), rng.randint(1, 28)
        return OfContact(contact["id"], full_name(contact), f"{year}-{month:02d}-{day:02d}")

    def goals(self, params: OfContact) -> Sequence[Goal]:
        return [value_is(f"{CONTACTS}.{params.id}.birthday", params.value, "the contact has the birthday")]

    def allowed(self, params: OfContact) -> Sequence[str]:
        return [f"{CONTACTS}.{params.id}.birthday"]

    def solve(self, params: OfContact) -> Sequence[Unless]:
        done = holds(f"{CONTACTS}.{params.id}.birthday", params.value)
        clean = leave_changed(params.id, "birthday")
        return until(done, clean, *open_form(params.id, params.name), fill(BIRTHDAY, params.value), save())


@dataclass(frozen=True)
class Star:
    id: str
    name: str
    on: bool


class SetFavourite(Template[Star]):
    id = "contacts.set-favourite"
    apps = ("contacts",)
    goal: ClassVar[dict[str, str]] = {
        "en": "In Contacts, {word}.",
        "zh": "在通讯录里{word}。",
    }

    def sample(self, world: World, rng: random.Random) -> Star:
        on = rng.random() < 0.6
        contact = pick(rng, [c for c in people(world) if c["favourite"] is not on], "contact to star")
        return Star(contact["id"], full_name(contact), on)

    def words(self, params: Star, locale: str) -> dict[str, str]:
        name = params.name
        if locale == "zh":
            return {"word": f"收藏{name}" if params.on else f"取消收藏{name}"}
        return {"word": f"add {name} to the favourites" if params.on else f"remove {name} from the favourites"}

    def goals(self, params: Star) -> Sequence[Goal]:
        return [value_is(f"{CONTACTS}.{params.id}.favourite", params.on, "the star is as asked")]

    def allowed(self, params: Star) -> Sequence[str]:
        return [f"{CONTACTS}.{params.id}.favourite"]

    def solve(self, params: Star) -> Sequence[Unless]:
        button = ("Add to favourites", "加入收藏") if params.on else ("Remove from favourites", "取消收藏")
        done = holds(f"{CONTACTS}.{params.id}.favourite", params.on)
        return until(done, *open_contact(params.id, params.name), do(tap("button", button), "the star"))


class DeleteContact(Template[Star]):
    id = "contacts.delete-contact"
    apps = ("contacts",)
    goal: ClassVar[dict[str, str]] = {
        "en": "Delete the contact {name}.",
        "zh": "删除联系人{name}。",
    }

    def sample(self, world: World, rng: random.Random) -> Star:
        contact = pick(rng, people(world), "contact")
        return Star(contact["id"], full_name(contact), True)

    def goals(self, params: Star) -> Sequence[Goal]:
        def gone(ending: Ending) -> bool:
            return set(ending.removed(CONTACTS)) == {params.id} and groups_follow(ending, {params.id: None})

        return [Goal("just this contact is gone", gone)]

    def allowed(self, params: Star) -> Sequence[str]:
        return [f"{CONTACTS}.{params.id}", f"{GROUPS}.*.members"]

    def solve(self, params: Star) -> Sequence[Unless]:
        asked = until(
            showing("deleteAsk", params.id),
            *contact_menu(params.id, params.name),
            do(tap("option", ("Delete contact", "删除联系人")), "delete"),
        )
        gone: Condition = lambda view: params.id not in view.at(CONTACTS)  # noqa: E731
        return until(gone, *asked, do(tap("button", ("Delete", "删除")), "yes"))


class MergeDuplicates(Template[OfContact]):
    id = "contacts.merge-duplicates"
    apps = ("contacts",)
    goal: ClassVar[dict[str, str]] = {
        "en": "{name} stands in Contacts twice. Merge the two into one contact.",
        "zh": "通讯录里有两个{name}，请把他们合并成一个联系人。",
    }

    def sample(self, world: World, rng: random.Random) -> OfContact:
        known = contacts(world)["data"]["contacts"]
        twin = known["twice"]
        same = [c for c in known.values() if full_name(c) == full_name(twin) and c is not twin]
        if len(same) != 1:
            raise Unsuitable("the duplicate is not just one of two")
        return OfContact(same[0]["id"], full_name(twin), twin["phones"][0]["number"], same[0]["phones"][0]["number"])

    def goals(self, params: OfContact) -> Sequence[Goal]:
        pair = {params.id, "twice"}

        def one_left(ending: Ending) -> bool:
            left = sorted(pair & ending.at(CONTACTS).keys())
            groups_kept = len(left) == 1 and groups_follow(ending, dict.fromkeys(pair, left[0]))
            return groups_kept and set(ending.removed(CONTACTS)) < pair

        def all_numbers(ending: Ending) -> bool:
            left = [ending.at(f"{CONTACTS}.{key}") for key in pair & ending.at(CONTACTS).keys()]
            wanted = {p["number"] for key in pair for p in ending.was(f"{CONTACTS}.{key}.phones")}
            return [{p["number"] for p in c["phones"]} for c in left] == [wanted] and all(
                len(c["phones"]) == len(wanted) for c in left
            )

        return [Goal("one of the two is left", one_left), Goal("it has all their numbers", all_numbers)]

    def allowed(self, params: OfContact) -> Sequence[str]:
        pair = (params.id, "twice")
        return [
            *(f"{CONTACTS}.{key}" for key in pair),
            *(f"{CONTACTS}.{key}.**" for key in pair),
            f"{GROUPS}.*.members",
        ]

    def free(self, params: OfContact) -> Sequence[str]:
        return [f"{CONTACTS}.{params.id}.phones.*.kind"]

    def solve(self, params: OfContact) -> Sequence[Unless]:
        def merged(view: View) -> bool:
            return not {params.id, "twice"} <= view.at(CONTACTS).keys()

        def asked(view: View) -> bool:
            return on_screen("contacts", "mergeAsk")(view) and "twice" in (top(view)["params"].values())

        pairs = until(
            on_screen("contacts", "duplicates"),
            ensure_app("contacts"),
            Unless(on_screen("contacts", "home", "menu"), back(), "back to the front"),
            Unless(on_screen("contacts", "menu"), tap("button", MORE), "menu"),
            do(tap("option", ("Find duplicates", "查找重复")), "duplicates"),
        )
        ask = until(asked, *pairs, do(reach("listitem", name=params.name), "the pair"))
        return until(merged, *ask, do(tap("button", ("Merge", "合并")), "merge"))


class SortBy(Template[Star]):
    id = "contacts.sort-by"
    apps = ("contacts",)
    goal: ClassVar[dict[str, str]] = {
        "en": "Sort the contacts by {word}, then star {name}.",
        "zh": "让通讯录按{word}排序，并收藏{name}。",
    }

    def sample(self, world: World, rng: random.Random) -> Star:
        contact = pick(rng, [c for c in people(world) if not c["favourite"]], "contact without a star")
        return Star(contact["id"], full_name(contact), contacts(world)["data"]["sort"] == "given")

    def words(self, params: Star, locale: str) -> dict[str, str]:
        word = {"en": ("first name", "last name"), "zh": ("名字", "姓氏")}[locale][params.on]
        return {"word": word, "name": params.name}

    def goals(self, params: Star) -> Sequence[Goal]:
        return [
            value_is(f"{DATA}.sort", self._wanted(params), "the list is sorted as asked"),
            value_is(f"{CONTACTS}.{params.id}.favourite", True, "the contact is starred"),
        ]

    def _wanted(self, params: Star) -> str:
        return "family" if params.on else "given"

    def allowed(self, params: Star) -> Sequence[str]:
        return [f"{DATA}.sort", f"{CONTACTS}.{params.id}.favourite"]

    def solve(self, params: Star) -> Sequence[Unless]:
        option = ("Sort by last name", "按姓氏排序") if params.on else ("Sort by first name", "按名字排序")
        sort = until(
            holds(f"{DATA}.sort", self._wanted(params)),
            *until(on_screen("contacts", "menu"), *to_tab("all"), do(tap("button", MORE), "menu")),
            do(tap("option", option), "sort"),
        )
        star = until(
            holds(f"{CONTACTS}.{params.id}.favourite", True),
            *open_contact(params.id, params.name),
            do(tap("button", ("Add to favourites", "加入收藏")), "the star"),
        )
        return [*sort, *star]


# Groups


@dataclass(frozen=True)
class InGroup:
    group: str
    group_name: str
    id: str
    name: str
    before: tuple[str, ...] = ()


class _Membership(Template[InGroup]):
    """Shared by adding to and removing from a group."""

    apps = ("contacts",)
    joins: ClassVar[bool]

    def sample(self, world: World, rng: random.Random) -> InGroup:
        group = rng.choice(groups(world))
        fitting = [c for c in people(world) if (c["id"] in group["members"]) is not self.joins]
        contact = pick(rng, fitting, "contact for the group")
        return InGroup(group["id"], group["name"], contact["id"], full_name(contact), tuple(group["members"]))

    def _wanted(self, params: InGroup) -> list[str]:
        if self.joins:
            return sorted([*params.before, params.id])
        return [member for member in params.before if member != params.id]

    def goals(self, params: InGroup) -> Sequence[Goal]:
        def fits(ending: Ending) -> bool:
            return sorted(ending.at(members(params.group), [])) == self._wanted(params)

        return [Goal("the group has just the members asked for", fits)]

    def allowed(self, params: InGroup) -> Sequence[str]:
        return [members(params.group)]

    def solve(self, params: InGroup) -> Sequence[Unless]:
        def done(view: View) -> bool:
            return (params.id in view.at(members(params.group), [])) is self.joins

        choose = until(
            showing("members", params.group),
            *open_group(params.group, params.group_name),
            do(tap("button", ("Edit members", "编辑成员")), "edit members"),
        )
        row = do(reach("checkbox", key=params.id), "tick")
        return until(done, *choose, *find(params.id, params.name, "checkbox"), row)


class AddToGroup(_Membership):
    id = "contacts.add-to-group"
    joins = True
    goal: ClassVar[dict[str, str]] = {
        "en": "Add {name} to the group {group_name}.",
        "zh": "把{name}加到“{group_name}”分组。",
    }


class RemoveFromGroup(_Membership):
    id = "contacts.remove-from-group"
    joins = False
    goal: ClassVar[dict[str, str]] = {
        "en": "Take {name} out of the group {group_name}.",
        "zh": "把{name}移出“{group_name}”分组。",
    }


@dataclass(frozen=True)
class NewGroup:
    group_name: str
    first: str
    first_name: str
    second: str
    second_name: str


class CreateGroup(Template[NewGroup]):
    id = "contacts.create-group"
    apps = ("contacts",)
    goal: ClassVar[dict[str, str]] = {
        "en": "Create a contact group {group_name} with {first_name} and {second_name}.",
        "zh": "新建联系人分组“{group_name}”，成员是{first_name}和{second_name}。",
    }

    def sample(self, world: World, rng: random.Random) -> NewGroup:
        first, second = rng.sample(people(world), 2)
        name = rng.choice(NEW_GROUPS[world.locale])
        return NewGroup(name, first["id"], full_name(first), second["id"], full_name(second))

    def goals(self, params: NewGroup) -> Sequence[Goal]:
        def just_one(ending: Ending) -> bool:
            new = list(ending.added(GROUPS).values())
            return (
                [g["name"] for g in new] == [params.group_name]
                and sorted(new[0]["members"]) == sorted([params.first, params.second])
                and all(ending.at(members(key), None) == g["members"] for key, g in ending.was(GROUPS).items())
            )

        named = Goal("a group of this name", lambda e: params.group_name in _names(e.at(GROUPS)))
        return [named, Goal("it is the only new one and has just the two members", just_one)]

    def allowed(self, params: NewGroup) -> Sequence[str]:
        return [f"{GROUPS}.*", f"{GROUPS}.*.members"]

    def solve(self, params: NewGroup) -> Sequence[Unless]:
        def key(view: View) -> str:
            found = [k for k, g in view.at(GROUPS).items() if g["name"] == params.group_name]
            return found[0] if found else ""

        def chosen(view: View) -> list[str]:
            return list(view.at(members(key(view)), []))

        complete: Condition = lambda view: chosen(view) == sorted([params.first, params.second])  # noqa: E731
        dialog = until(
            on_screen("contacts", "newGroup"),
            *to_tab("groups"),
            do(tap("button", ("Add group", "添加分组")), "new group"),
        )
        made = until(lambda v: key(v) != "", *dialog, fill(GROUP_NAME, params.group_name), do(tap("button", OK), "OK"))
        inside = until(
            lambda v: showing("members", key(v))(v),
            *until(
                lambda v: showing("group", key(v))(v),
                *to_tab("groups"),
                do(reach("listitem", name=params.group_name), "open the group"),
            ),
            do(tap("button", ("Edit members", "编辑成员")), "edit members"),
        )
        ticks: list[Unless] = []
        for person, name in ((params.first, params.first_name), (params.second, params.second_name)):
            ticks += until(
                lambda v, person=person: person in chosen(v),  # type: ignore[misc]
                *find(person, name, "checkbox"),
                do(reach("checkbox", key=person), f"tick {name}"),
            )
        return until(complete, *made, *inside, *ticks)


def _names(groups_: Any) -> list[str]:
    return [group["name"] for group in groups_.values()]


class RenameGroup(Template[NewGroup]):
    id = "contacts.rename-group"
    apps = ("contacts",)
    goal: ClassVar[dict[str, str]] = {
        "en": "Rename the contact group {first_name} to {group_name}.",
        "zh": "把联系人分组“{first_name}”改名为“{group_name}”。",
    }

    def sample(self, world: World, rng: random.Random) -> NewGroup:
        group = rng.choice(groups(world))
        return NewGroup(rng.choice(NEW_GROUPS[world.locale]), group["id"], group["name"], "", "")

    def goals(self, params: NewGroup) -> Sequence[Goal]:
        return [value_is(f"{GROUPS}.{params.first}.name", params.group_name, "the group has the new name")]

    def allowed(self, params: NewGroup) -> Sequence[str]:
        return [f"{GROUPS}.{params.first}.name"]

    def solve(self, params: NewGroup) -> Sequence[Unless]:
        menu = until(
            showing("groupMenu", params.first),
            *open_group(params.first, params.first_name),
            do(tap("button", MORE), "menu"),
        )
        dialog = until(
            showing("renameGroup", params.first), *menu, do(tap("option", ("Rename group", "重命名分组")), "rename")
        )
        done = holds(f"{GROUPS}.{params.first}.name", params.group_name)
        return until(done, *dialog, fill(GROUP_NAME, params.group_name), do(tap("button", OK), "OK"))


# Questions


class _AskContact(Template[OfContact]):
    """A question whose answer stands on the screen of one contact."""

    apps = ("contacts",)

    def goals(self, params: OfContact) -> Sequence[Goal]:
        return []

    def allowed(self, params: OfContact) -> Sequence[str]:
        return []

    def solve(self, params: OfContact) -> Sequence[Unless]:
        return open_contact(params.id, params.name)


class AskNumber(_AskContact):
    id = "contacts.ask-number"
    goal: ClassVar[dict[str, str]] = {
        "en": "What is the {old} number of {name}?",
        "zh": "{name}的{old}是多少？",
    }

    def sample(self, world: World, rng: random.Random) -> OfContact:
        contact = pick(rng, [c for c in people(world) if len(c["phones"]) == 2], "contact with two numbers")
        phone = rng.choice(contact["phones"])
        return OfContact(contact["id"], full_name(contact), phone["number"], phone["kind"])

    def words(self, params: OfContact, locale: str) -> dict[str, str]:
        kinds = {"en": {"mobile": "mobile", "work": "work"}, "zh": {"mobile": "手机号", "work": "工作电话"}}
        return {"name": params.name, "old": kinds[locale][params.old]}

    def answer(self, params: OfContact) -> Expected:
        return Text(params.value, also=(params.value.replace("-", ""), params.value.replace("-", " ")))


class AskBirthday(_AskContact):
    id = "contacts.ask-birthday"
    goal: ClassVar[dict[str, str]] = {
        "en": "When is {name}'s birthday? Answer with the date.",
        "zh": "{name}的生日是哪一天？",
    }

    def sample(self, world: World, rng: random.Random) -> OfContact:
        contact = pick(rng, [c for c in people(world) if c["birthday"]], "contact with a birthday")
        return OfContact(contact["id"], full_name(contact), contact["birthday"])

    def answer(self, params: OfContact) -> Expected:
        return Date(params.value)


class AskCompany(_AskContact):
    id = "contacts.ask-company"
    goal: ClassVar[dict[str, str]] = {
        "en": "Which company does {name} work for?",
        "zh": "{name}在哪家公司工作？",
    }

    def sample(self, world: World, rng: random.Random) -> OfContact:
        contact = pick(rng, [c for c in people(world) if c["company"]], "contact with a company")
        return OfContact(contact["id"], full_name(contact), contact["company"])

    def answer(self, params: OfContact) -> Expected:
        return Text(params.value)


class AskGroupSize(Template[InGroup]):
    id = "contacts.ask-group-size"
    apps = ("contacts",)
    goal: ClassVar[dict[str, str]] = {
        "en": "How many contacts are in the group {group_name}?",
        "zh": "“{group_name}”分组里有几位联系人？",
    }

    def sample(self, world: World, rng: random.Random) -> InGroup:
        group = rng.choice(groups(world))
        return InGroup(group["id"], group["name"], "", "", tuple(group["members"]))

    def goals(self, params: InGroup) -> Sequence[Goal]:
        return []

    def allowed(self, params: InGroup) -> Sequence[str]:
        return []

    def answer(self, params: InGroup) -> Expected:
        return Integer(len(params.before), ("contacts", "contact", "people", "位", "个", "人", "位联系人"))

    def solve(self, params: InGroup) -> Sequence[Unless]:
        return until(both(in_tab("groups"), sees("listitem", key=params.group)), *to_tab("groups"))


class AskNickname(_AskContact):
    id = "contacts.ask-nickname"
    goal: ClassVar[dict[str, str]] = {
        "en": "What is the nickname of {name}?",
        "zh": "{name}的昵称是什么？",
    }

    def sample(self, world: World, rng: random.Random) -> OfContact:
        contact = pick(rng, [c for c in people(world) if c["nickname"]], "contact with a nickname")
        return OfContact(contact["id"], full_name(contact), contact["nickname"])

    def answer(self, params: OfContact) -> Expected:
        return Text(params.value, (*names.NICKNAMES_EN, *names.NICKNAMES_ZH))
