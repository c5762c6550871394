"""Which workers are made and which go."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from mobilegym.operator.fleet import LOST_SECONDS, Fleet, fleet
from mobilegym.operator.observed import Pod
from mobilegym.protocol.messages import Heartbeat

NOW = 1_000_000.0


def worker(index: int, **more: object) -> Pod:
    pod = Pod(
        name=f"r-worker-{index}",
        uid=f"u{index}",
        part="worker",
        index=index,
        phase="Running",
        ready=True,
        scheduled=True,
        hash="h",
    )
    return replace(pod, **more)  # type: ignore[arg-type]


def at_work(**phones: int) -> dict[str, Heartbeat]:
    return {
        name.replace("_", "-"): Heartbeat(who=name, role="worker", at=NOW, detail={"busy": busy})
        for name, busy in phones.items()
    }


def settle(pods: list[Pod], desired: int, beats: dict[str, Heartbeat] | None = None) -> Fleet:
    return fleet(pods, desired, "h", beats or {}, NOW)


def drained(found: Fleet) -> list[int | None]:
    return [pod.index for pod in found.drain]


def test_missing_workers_take_the_lowest_free_indices() -> None:
    assert settle([worker(1)], 4).make == (0, 2, 3)


def test_the_name_of_a_terminating_pod_is_not_free() -> None:
    assert settle([worker(0, terminating=True)], 1).make == (1,)


def test_enough_is_left_alone() -> None:
    assert settle([worker(0), worker(1)], 2) == Fleet()


def test_victims_are_unscheduled_then_starting_then_idle_then_least_busy() -> None:
    pods = [worker(0), worker(1), worker(2), worker(3, ready=False), worker(4, ready=False, scheduled=False)]
    beats = at_work(r_worker_0=8, r_worker_1=0, r_worker_2=3)
    orders = [drained(settle(pods, 5 - gone, beats)) for gone in range(1, 5)]
    assert orders == [[4], [4, 3], [4, 3, 1], [4, 3, 1, 2]]


def test_of_equals_the_last_made_goes_first() -> None:
    assert drained(settle([worker(0), worker(1), worker(2)], 2)) == [2]


def test_pods_that_ended_are_dropped_and_replaced_under_another_name() -> None:
    found = settle([worker(0, phase="Failed", ready=False), worker(1)], 2)
    assert [pod.index for pod in found.drop] == [0]
    assert found.make == (2,)


def test_a_pod_of_a_silent_node_is_forced_away_after_its_grace() -> None:
    lost = worker(0, terminating=True, node_lost=True, deadline=NOW - LOST_SECONDS - 1)
    assert [d.grace for d in settle([lost, worker(1)], 1).deletions] == [0]
    assert not settle([replace(lost, deadline=NOW), worker(1)], 1).deletions


def test_a_changed_manifest_rolls_a_tenth_at_a_time_idle_ones_first() -> None:
    pods = [worker(i, hash="old") for i in range(20)]
    beats = at_work(**{f"r_worker_{i}": 4 for i in range(20) if i != 7})
    assert drained(settle(pods, 20, beats)) == [7, 19]


def test_a_roll_waits_while_the_fleet_is_short() -> None:
    pods = [worker(i, hash="old") for i in range(8)] + [worker(8, ready=False), worker(9, ready=False)]
    assert drained(settle(pods, 10)) == []


def test_old_workers_that_are_not_ready_go_at_once() -> None:
    pods = [worker(0, hash="old", ready=False), worker(1, hash="old", ready=False), worker(2)]
    assert drained(settle(pods, 3)) == [0, 1]


PODS = st.lists(
    st.tuples(st.booleans(), st.booleans(), st.booleans(), st.sampled_from(("Running", "Pending", "Failed"))),
    max_size=12,
)


@given(PODS, st.integers(0, 12))
def test_made_and_alive_add_up_to_what_is_desired(flags: list[tuple[bool, bool, bool, str]], desired: int) -> None:
    pods = [
        worker(i, ready=ready, scheduled=ready or scheduled, terminating=going, phase=phase)
        for i, (ready, scheduled, going, phase) in enumerate(flags)
    ]
    found = settle(pods, desired)
    alive = sum(1 for pod in pods if pod.alive)
    assert alive - len(found.drain) + len(found.make) == desired
    assert len({pod.uid for pod in found.drain}) == len(found.drain)
    assert not {pod.index for pod in pods} & set(found.make)
