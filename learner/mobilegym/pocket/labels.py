"""What the teacher says on a stored screen, for any goal: the oracle, made weak on purpose.

`done` is labelled only on the screen that the fulfilling action led to, where its evidence stands.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from mobilegym.dialects.base import Inexpressible
from mobilegym.phone.action import AnyAction, Back, Finish, Swipe, Tap
from mobilegym.pocket.collect import DIALECT, SIZE, Moment, spoken
from mobilegym.pocket.frame import Frame
from mobilegym.tasks import registry
from mobilegym.tasks.agents import TAPPABLE
from mobilegym.tasks.instance import Instance
from mobilegym.tasks.oracle import next_action
from mobilegym.tasks.template import Template, Unsuitable
from mobilegym.tasks.view import View

VARIANTS = 3  # goals of one template in one world
STATUS_BAR = 24  # CSS px: its icons name settings too
TYPED_VARIANTS = 12  # where the keyboard is up: what is typed must come from the goal, so it must vary


@dataclass(frozen=True, kw_only=True)
class Label:
    """A prompt's text and the words that should follow. `kind` is the verb, `find` for a find pair."""

    prompt: str
    target: str
    kind: str


@dataclass(frozen=True, kw_only=True)
class Wish:
    """A goal that a world offers. `own`: with the parameters that an episode of this seed has."""

    template: Template[Any]
    params: Any
    goal: str
    own: bool


@lru_cache(maxsize=100_000)
def wishes(template_id: str, seed: int, variants: int = VARIANTS) -> tuple[Wish, ...]:
    """The episode's own goal and others of the template in the same world; fewer where it offers none."""
    template = registry.template(template_id)
    instance = Instance.of(template_id, seed)
    try:
        found = [Wish(template=template, params=instance.params, goal=instance.goal, own=True)]
    except Unsuitable:
        return ()
    for variant in range(1, variants):
        try:
            params = template.sample(instance.world, random.Random(f"{template_id} {seed} {variant}"))
            goal = template.goal["en"].format(**template.words(params, "en"))
        except (Unsuitable, LookupError, ValueError):
            continue
        if all(goal != w.goal for w in found):
            found.append(Wish(template=template, params=params, goal=goal, own=False))
    return tuple(found)


def prompt_text(goal: str, last: str) -> str:
    """Exactly what the compact dialect asks, as one text."""
    history = [_Past(text=last)] if last else []
    content = DIALECT.messages(goal, history, _Seen())[0]["content"]
    return str(content[0]["text"])


@dataclass(frozen=True)
class _Past:
    text: str
    error: str = ""


@dataclass(frozen=True)
class _Seen:
    size: tuple[int, int] = SIZE


@dataclass(frozen=True, kw_only=True)
class Book:
    """What may be asked on any screen. `free` holds the wishes of templates that fit any world, by template;
    `ends` the screens on which each template's episodes were fulfilled."""

    templates: tuple[str, ...]
    free: dict[str, tuple[Wish, ...]]
    ends: dict[str, frozenset[tuple[str, str]]]

    @classmethod
    def of(cls, moments: Sequence[Moment], templates: Sequence[str]) -> Book:
        seeds = sorted({m.seed for m in moments})
        free = {t: tuple({w.goal: w for s in seeds for w in wishes(t, s)}.values()) for t in templates if fits_all(t)}
        ends: dict[str, set[tuple[str, str]]] = defaultdict(set)
        for moment in moments:
            if moment.finished:
                ends[moment.template].add((moment.frame.tree["app"], moment.frame.tree["screen"]))
        return cls(templates=tuple(templates), free=free, ends={t: frozenset(screens) for t, screens in ends.items()})

    def some(self, template: str, seed: int, rng: random.Random, count: int) -> list[Wish]:
        pool = self.free.get(template) or wishes(template, seed, count)
        return rng.sample(pool, min(count, len(pool)))

    def shows_done(self, moment: Moment, view: View, wish: Wish) -> bool:
        """Whether the evidence that this wish is fulfilled stands on the screen: the action before fulfilled it, or
        it is a screen where such episodes end and it names what the goal names."""
        if moment.finished and wish.own and wish.template.id == moment.template:
            return True
        if wish.template.id not in self.free or (view.app, view.screen) not in self.ends.get(wish.template.id, ()):
            return False
        shown = " ".join(f"{n.name} {n.value or ''}" for n in view.nodes if n.box[1] > STATUS_BAR).casefold()
        named = [w.casefold() for w in wish.template.words(wish.params, "en").values() if w not in ("on", "off")]
        return all(name.removeprefix("the ") in shown for name in named)


def fits_all(template_id: str) -> bool:
    """Whether the goals make sense in any world: those of settings, not those about a world's own things."""
    return template_id.startswith("settings.") or template_id in (
        "clock.set-snooze",
        "clock.start-timer",
        "notes.sort-notes",
    )


def label(moment: Moment, view: View, wish: Wish, book: Book) -> Label | None:
    """The oracle's words for one wish on this screen; None where they would need what the screen does not show."""
    try:
        action = next_action(wish.template, wish.params, view)
        text, _ = spoken(action)
    except (Inexpressible, LookupError, TypeError, ValueError, AttributeError, StopIteration):
        return None
    if isinstance(action, Finish) and not book.shows_done(moment, view, wish):
        return None
    return Label(prompt=prompt_text(wish.goal, moment.last), target=text, kind=text.partition(" ")[0])


def labels(moment: Moment, book: Book, rng: random.Random, goals: int) -> list[Label]:
    """The moment's own goal, and up to `goals` others, most of them of the app in front."""
    view = View(moment.frame.document(), moment.frame.tree)
    own = [w for w in wishes(moment.template, moment.seed) if w.own] if moment.template in book.templates else []
    count = TYPED_VARIANTS if view.keyboard else VARIANTS
    others = [w for t in book.templates for w in book.some(t, moment.seed, rng, count) if w not in own]
    near = [w for w in others if view.app in w.template.apps]
    far = [w for w in others if view.app not in w.template.apps]
    close = min(len(near), (2 if view.keyboard else 1) * (goals - goals // 4))
    chosen = own + rng.sample(near, close) + rng.sample(far, min(len(far), goals // 4))
    found = [label(moment, view, wish, book) for wish in chosen]
    return list(dict.fromkeys(one for one in found if one is not None))


@dataclass(frozen=True, kw_only=True)
class Weakness:
    """How the teacher errs: in a share of the steps it says one of these instead, so that the ceiling of imitation is
    low and known. `forget` says done too early; `astray` touches another control; `retreat` goes back."""

    share: float
    forget: float = 0.2
    astray: float = 0.5
    retreat: float = 0.3


def mistaken(frame: Frame, rng: random.Random, weakness: Weakness) -> str:
    """One wrong thing to say on this screen."""
    kind = rng.choices(("forget", "astray", "retreat"), (weakness.forget, weakness.astray, weakness.retreat))[0]
    action: AnyAction = Finish() if kind == "forget" else Back()
    if kind == "astray":
        nodes = [
            n for n in frame.tree["nodes"] if n["role"] in TAPPABLE and n["role"] != "key" and not n.get("disabled")
        ]
        if nodes:
            x, y, width, height = rng.choice(nodes)["box"]
            action = Tap(min(0.999, (x + width / 2) / 360), min(0.999, (y + height / 2) / 800))
        else:
            action = Swipe(0.5, 0.6, 0.5, 0.3)
    return DIALECT.encode(action, SIZE)
