"""Groups, tasks and records: what a step is made of."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.learner.world import trajectory

from mobilegym.learner.batch import training_batch, usable
from mobilegym.learner.losses import LossConfig, LossKind
from mobilegym.learner.overlong import Overlong, ran_out, soft_punishment
from mobilegym.learner.records import eval_line, wilson
from mobilegym.learner.sampler import HELD_OUT, NoTasks, TaskSampler, choose
from mobilegym.learner.settings import Settings
from mobilegym.protocol.messages import StepRecord, TaskCard, Trajectory
from mobilegym.protocol.status import EpisodeStatus
from mobilegym.run.tasks import Split, TasksSpec

SETTINGS = Settings(
    run="r",
    tasks=TasksSpec(),
    steps=4,
    groups=3,
    group_size=4,
    staleness=1,
    updates=1,
    loss=LossKind.GRPO,
    loss_config=LossConfig(),
    temperature=1.0,
    max_tokens=4,
    episode_steps=5,
    episode_seconds=60.0,
    learning_rate=1e-3,
    train_vision=False,
    shuffle_advantages=False,
    overlong=Overlong.KEEP,
    seed=1,
    eval_every=2,
    eval_episodes=5,
    enough=None,
    enough_evals=1,
    budget=4096,
    max_rows=None,
    checkpoint_every=1,
    keep_last=2,
    resume=True,
    device="cpu",
)
CARDS = [
    TaskCard(id="clock.alarm", apps=("clock",), split="train", level=1, budget=9),
    TaskCard(id="clock.timer", apps=("clock",), split="train", level=1, budget=4),
    TaskCard(id="notes.add", apps=("notes",), split="train", level=2, budget=9),
    TaskCard(id="bank.pay", apps=("bank", "clock"), split="test", level=2, budget=9),
]
STEP = StepRecord(image="a", prompt_ids=(1,), token_ids=(9, 2), logprobs=(-0.1, -0.2))
END = {2}


def group(name: str, rewards: list[float], **over: Any) -> list[Trajectory]:
    return [trajectory(name, i, [STEP, STEP], reward=r, **over) for i, r in enumerate(rewards)]


def build(groups: list[list[Trajectory]], settings: Settings = SETTINGS, lost: set[str] | None = None) -> Any:
    return training_batch({g[0].group: g for g in groups}, settings, 0, {7}, END, lost or set())


def test_groups_without_signal_are_left_out_before_the_forward_pass() -> None:
    made = build([group("dead", [1.0] * 4), group("live", [0.0, 1.0, 1.0, 0.0])])
    (rows,) = made.parts
    assert {r.trajectory for r in rows} == {t.id for t in group("live", [0.0] * 4)}
    assert made.stats.zero_variance_share == 0.5
    assert made.stats.reward == 0.75


def test_all_dead_leaves_nothing_to_update() -> None:
    made = build([group("a", [1.0] * 4), group("b", [0.0] * 4)])
    assert made.parts == ()
    assert made.stats.zero_variance_share == 1.0


def test_updates_split_by_whole_groups() -> None:
    groups = [group(f"g{i}", [0.0, 1.0]) for i in range(5)]
    made = build(groups, replace(SETTINGS, updates=2))
    parts = [{r.trajectory for r in part} for part in made.parts]
    assert [len(p) for p in parts] == [6, 4]
    assert not parts[0] & parts[1]
    assert len(build(groups[:1], replace(SETTINGS, updates=4)).parts) == 1


def test_shuffled_advantages_are_the_same_values_elsewhere() -> None:
    groups = [group(f"g{i}", [0.0, 1.0, 0.0, 0.0]) for i in range(8)]
    plain, shuffled = build(groups), build(groups, replace(SETTINGS, shuffle_advantages=True))

    def by_id(made: Any) -> dict[str, float]:
        return {r.trajectory: r.advantage for r in made.parts[0]}

    assert sorted(by_id(plain).values()) == sorted(by_id(shuffled).values())
    assert by_id(plain) != by_id(shuffled)
    assert by_id(shuffled) == by_id(build(groups, replace(SETTINGS, shuffle_advantages=True)))


def test_a_lost_screenshot_quarantines_its_rows() -> None:
    made = build([group("g", [0.0, 1.0])], lost={"a"})
    assert made.parts == ()
    assert made.stats.quarantined == 4


def test_members_that_failed_are_absent_not_zero() -> None:
    good = group("g", [1.0, 0.0])
    failed = trajectory("g", 2, [], reward=0, status=EpisodeStatus.ENV_ERROR, verdict=None, error="renderer died")
    failed = replace_struct(failed, reward=None)
    found = usable([*good, failed])
    assert found.groups == {"g": good}
    assert found.refused == {failed.id: "env_error: renderer died"}


def replace_struct(message: Trajectory, **over: Any) -> Trajectory:
    import msgspec

    return msgspec.structs.replace(message, **over)


def test_a_lone_member_and_another_initial_state_are_refused() -> None:
    lone = group("lone", [1.0])
    odd = trajectory("mixed", 2, [STEP], reward=1, initial_state_hash="y")
    mixed = [*group("mixed", [1.0, 0.0], initial_state_hash="x"), odd]
    found = usable([*lone, *mixed])
    assert set(found.groups) == {"mixed"}
    assert len(found.groups["mixed"]) == 2
    assert "initial state" in found.refused[odd.id]
    assert "fewer than two" in found.refused[lone[0].id]
    assert usable(lone, evaluation=True).groups == {"lone": lone}


def test_overlong_rows_are_masked_or_punished() -> None:
    cut = StepRecord(image="a", prompt_ids=(1,), token_ids=(9, 9, 9, 9), logprobs=(-0.1,) * 4)
    members = [trajectory("g", 0, [cut, STEP], reward=1), trajectory("g", 1, [STEP], reward=0)]
    masked = build([members], replace(SETTINGS, overlong=Overlong.MASK))
    assert [(r.step, r.sequence_tokens) for r in masked.parts[0]] == [(1, 2), (0, 2)]
    punished = build([members], replace(SETTINGS, overlong=Overlong.PUNISH))
    assert punished.parts == ()  # 1 - 1 is 0, as its sibling
    assert ran_out((9, 9, 9, 9), 4, END)
    assert not ran_out((9, 9, 9, 2), 4, END)
    assert soft_punishment(4, 8, 4) == 0.0
    assert soft_punishment(6, 8, 4) == -0.5
    assert soft_punishment(99, 8, 4) == -1.0


def test_batches_are_a_function_of_their_number() -> None:
    one, other = (TaskSampler(cards, SETTINGS) for cards in (CARDS, CARDS[::-1]))
    assert one.batch(3) == other.batch(3)
    assert one.batch(3) != one.batch(2)
    assert one.batch(2) != TaskSampler(CARDS, replace(SETTINGS, seed=2)).batch(2)


def test_groups_share_task_and_seed_and_differ_in_sampling() -> None:
    batch = TaskSampler(CARDS, SETTINGS).batch(5)
    assert len(batch.episodes) == 12
    for name in {e.group for e in batch.episodes}:
        members = [e for e in batch.episodes if e.group == name]
        assert len({(e.template, e.seed, e.locale) for e in members}) == 1
        assert len({e.sample_seed for e in members}) == 4
        assert [e.member for e in members] == [0, 1, 2, 3]
    assert {e.min_policy_version for e in batch.episodes} == {4}
    assert {e.max_steps for e in batch.episodes} == {5, None}  # 5 of 9; the timer's own 4 is smaller


def test_every_template_comes_up_equally_often() -> None:
    sampler = TaskSampler(CARDS, SETTINGS)
    drawn = [e.template for n in range(4) for e in sampler.batch(n).episodes]
    assert {drawn.count(card.id) for card in sampler.cards} == {16}


@given(st.integers(0, 10_000))
def test_training_never_sees_a_held_out_seed(number: int) -> None:
    sampler = TaskSampler(CARDS, SETTINGS)
    assert all(e.seed < HELD_OUT for e in sampler.batch(number).episodes)


def test_the_held_out_set_is_the_same_at_every_version() -> None:
    sampler = TaskSampler(CARDS, SETTINGS)
    first, later = sampler.evaluation(0), sampler.evaluation(40)
    tasks = [[(e.template, e.seed, e.locale, e.sample_seed) for e in b.episodes] for b in (first, later)]
    assert tasks[0] == tasks[1]
    assert all(e.seed >= HELD_OUT and e.purpose == "eval" for e in first.episodes)
    assert not first.ids & later.ids


def test_the_manifest_selects() -> None:
    def ids(**over: Any) -> list[str]:
        return [card.id for card in choose(CARDS, TasksSpec(**over))]

    assert ids() == ["clock.alarm", "clock.timer", "notes.add"]
    assert ids(split=Split.ALL, suite="clock") == ["bank.pay", "clock.alarm", "clock.timer"]
    assert ids(include=("clock.*",), exclude=("*.timer",)) == ["clock.alarm"]
    with pytest.raises(NoTasks, match=r"selects none of 4 templates"):
        ids(include=("maps.*",))


def test_evaluations_report_templates_and_an_interval() -> None:
    played = [trajectory(f"e{i}", 0, [], reward=i % 2, template=f"t{i % 3}") for i in range(6)]
    line = eval_line(4, played)
    assert line["success"] == 0.5
    assert line["per_template"] == {"t0": [1, 2], "t1": [1, 2], "t2": [1, 2]}
    assert 0 < line["low"] < 0.5 < line["high"] < 1
    assert wilson(64, 210) == pytest.approx((0.246, 0.370), abs=1e-3)
    assert wilson(0, 0) == (0.0, 1.0)
