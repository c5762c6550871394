from __future__ import annotations

import random

import pytest
import torch

from mobilegym.pocket.collect import Moment
from mobilegym.pocket.imitation import Pictures, forward, train
from mobilegym.pocket.labels import Label, Weakness, mistaken, prompt_text
from mobilegym.pocket.lessons import Course, Drawer, Tokens, collate, finds
from mobilegym.pocket.make import GRID
from mobilegym.pocket.reading import train_reading
from mobilegym.policy.model import Policy

LABELS = [
    Label(prompt="Open the Timer", target="click x500 y160", kind="click"),
    Label(prompt="Open the Gym\nlast: back", target="home", kind="home"),
    Label(prompt="find Gym", target="click x500 y160", kind="find"),
]


def test_rows_that_share_a_picture_are_scored_as_if_alone(policy: Policy, moment: Moment) -> None:
    tokens = Tokens(policy, GRID)
    course = Course([moment], [LABELS])
    pictures = Pictures(policy, course, trained=True)

    def score(labels: list[Label]) -> torch.Tensor:
        packed = collate([(0, [tokens.entry(label) for label in labels])], tokens)
        logp = forward(policy, packed, pictures.see(packed.frames))
        return logp.gather(1, packed.targets.unsqueeze(1)).squeeze(1)

    with torch.no_grad():
        together, alone = score(LABELS), torch.cat([score([label]) for label in LABELS])
    assert torch.allclose(together, alone, atol=1e-5)


def test_a_row_is_the_prompt_that_the_engine_sees(policy: Policy) -> None:
    tokens = Tokens(policy, GRID)
    text = prompt_text("Open the Timer", "back")
    messages = [{"role": "user", "content": [{"type": "text", "text": text}, {"type": "image"}]}]
    entry = tokens.entry(Label(prompt=text, target="home", kind="home"))
    assert list(tokens.prefix + entry.suffix) == policy.prompt_ids(messages, [GRID])


def test_find_pairs_name_words_that_stand_once(moment: Moment) -> None:
    pairs = finds(moment, frozenset({"Gym", "Timer"}), random.Random(0), 5)
    assert {p.prompt for p in pairs} == {"find Gym", "find Timer"}
    assert {p.target for p in pairs} == {"click x500 y160"}


def test_a_weak_teacher_errs_in_the_stated_share(policy: Policy, moment: Moment) -> None:
    course = Course([moment], [[LABELS[1]]])
    weakness = Weakness(share=0.25, forget=1.0, astray=0.0, retreat=0.0)
    drawer = Drawer(
        course=course, tokens=Tokens(policy, GRID), rng=random.Random(3), images=1, goals=1, finds=0, weakness=weakness
    )
    done = drawer.tokens.text("done")[0]
    wrong = sum(int(drawer.draw().targets[0]) == done for _ in range(800))
    assert 150 < wrong < 250


@pytest.mark.parametrize("kind", ["forget", "astray", "retreat"])
def test_mistakes_are_actions(moment: Moment, kind: str) -> None:
    shares = {"forget": 0.0, "astray": 0.0, "retreat": 0.0, kind: 1.0}
    said = mistaken(moment.frame, random.Random(1), Weakness(share=1.0, **shares))
    assert said == {"forget": "done", "astray": "click x500 y160", "retreat": "back"}[kind]


def test_a_few_steps_of_reading_and_imitation_lower_the_loss(
    policy: Policy, moment: Moment, capsys: pytest.CaptureFixture[str]
) -> None:
    lines: list[str] = []
    figures = train_reading(policy, [moment.frame], steps=20, batch=2, tell=lines.append)
    assert figures["rows"] == 1.0
    drawer = Drawer(
        course=Course([moment], [LABELS]), tokens=Tokens(policy, GRID), rng=random.Random(0), images=1, goals=2, finds=0
    )
    train(policy, drawer, steps=40, tell=lines.append)
    losses = [float(line.split("loss ")[1].split()[0]) for line in lines if line.startswith("imitation")]
    assert losses[-1] < 0.5 * losses[0]
    assert all(p.requires_grad for p in policy.model.parameters())
