"""The queue: a key is in it once, with one worker at a time, and never lost."""

from __future__ import annotations

import asyncio
import contextlib
import random

import pytest

from mobilegym.operator.queue import Queue, backoff


async def next_of(queue: Queue[str], seconds: float = 5.0) -> str:
    return await asyncio.wait_for(queue.take(), seconds)


def empty(queue: Queue[str]) -> bool:
    return len(queue) == 0


async def test_a_key_added_twice_is_due_once() -> None:
    queue: Queue[str] = Queue()
    for key in "abaab":
        queue.add(key)
    assert len(queue) == 2
    assert [await next_of(queue), await next_of(queue)] == ["a", "b"]
    assert empty(queue)


async def test_a_key_at_work_is_given_to_nobody_else() -> None:
    queue: Queue[str] = Queue()
    queue.add("a")
    assert await next_of(queue) == "a"
    queue.add("a")
    waiting = asyncio.create_task(queue.take())
    queue.add("b")
    assert await asyncio.wait_for(waiting, 5) == "b"
    queue.done("a")
    assert await next_of(queue) == "a"


async def test_a_key_not_touched_while_at_work_is_not_due_again() -> None:
    queue: Queue[str] = Queue()
    queue.add("a")
    queue.done(await next_of(queue))
    assert empty(queue)


async def test_failures_wait_longer_and_longer_and_success_forgets_them() -> None:
    queue: Queue[str] = Queue(base=0.001, cap=0.004, jitter=lambda: 0.0)
    waits = []
    queue.add("a")
    for _ in range(4):
        waits.append(queue.failed(await next_of(queue)))
    assert waits == [0.001, 0.002, 0.004, 0.004]
    queue.done(await next_of(queue))
    queue.add("a")
    assert queue.failed(await next_of(queue)) == 0.001


async def test_a_failed_key_that_changes_is_due_at_once() -> None:
    queue: Queue[str] = Queue(base=60)
    queue.add("a")
    queue.failed(await next_of(queue))
    assert empty(queue)
    queue.add("a")
    assert await next_of(queue) == "a"


async def test_of_two_times_the_sooner_counts() -> None:
    queue: Queue[str] = Queue()
    queue.later("a", 0.01)
    queue.later("a", 60)
    queue.later("b", 60)
    queue.later("b", 0.02)
    assert [await next_of(queue), await next_of(queue)] == ["a", "b"]
    assert empty(queue)


async def test_a_worker_that_is_cancelled_takes_no_key_with_it() -> None:
    queue: Queue[str] = Queue()
    first, second = asyncio.create_task(queue.take()), asyncio.create_task(queue.take())
    await asyncio.sleep(0)
    queue.add("a")
    first.cancel()
    assert await asyncio.wait_for(second, 5) == "a"
    with pytest.raises(asyncio.CancelledError):
        await first


async def test_what_is_cleared_does_not_come_back() -> None:
    queue: Queue[str] = Queue()
    queue.add("a")
    queue.later("b", 0.0)
    queue.clear()
    queue.add("c")
    assert await next_of(queue) == "c"
    assert empty(queue)


async def test_many_workers_and_many_changes_lose_nothing() -> None:
    """Every change is followed by a look that began after it."""
    queue: Queue[int] = Queue(base=0.0001, cap=0.001)
    chance = random.Random(7)
    changed, looked, at_work = dict.fromkeys(range(20), 0), dict.fromkeys(range(20), -1), set[int]()

    async def worker() -> None:
        while True:
            key = await queue.take()
            assert key not in at_work
            at_work.add(key)
            seen = changed[key]
            await asyncio.sleep(0)
            at_work.discard(key)
            if chance.random() < 0.2:
                queue.failed(key)
            else:
                looked[key] = seen
                queue.done(key)

    workers = [asyncio.create_task(worker()) for _ in range(8)]
    for number in range(1, 2000):
        key = chance.randrange(20)
        changed[key] = number
        queue.add(key)
        if number % 7 == 0:
            await asyncio.sleep(0)
    async with asyncio.timeout(20):
        while looked != changed | {key: looked[key] for key in changed if not changed[key]}:
            await asyncio.sleep(0.001)
    for task in workers:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task


@pytest.mark.parametrize(("failures", "seconds"), [(1, 1), (2, 2), (6, 32), (7, 60), (500, 60)])
def test_the_back_off_grows_to_a_minute_and_jitters_downwards(failures: int, seconds: float) -> None:
    assert backoff(failures, jitter=lambda: 0.0) == seconds
    assert backoff(failures, jitter=lambda: 1.0) == pytest.approx(0.75 * seconds)


async def test_what_may_wait_comes_after_all_else() -> None:
    queue: Queue[str] = Queue()
    for key in ("a", "b", "c"):
        queue.add(key, soon=False)
    queue.add("new")
    queue.add("c")  # has changed meanwhile
    assert len(queue) == 4
    assert [await queue.take() for _ in range(4)] == ["new", "c", "a", "b"]


async def test_what_may_wait_wakes_a_worker_and_is_forgotten_with_the_rest() -> None:
    queue: Queue[str] = Queue()
    taker = asyncio.create_task(queue.take())
    await asyncio.sleep(0)
    queue.add("a", soon=False)
    assert await asyncio.wait_for(taker, 5) == "a"
    queue.add("b", soon=False)
    queue.clear()
    assert len(queue) == 0
