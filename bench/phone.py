"""Phones as a worker uses them: start, reset, restore, steps a second, memory."""

from __future__ import annotations

import asyncio
import os
import random
import time
from collections.abc import Awaitable
from pathlib import Path

import orjson

from bench.figure import Figure
from mobilegym.phone.action import AnyAction, Back, Home, OpenApp, Swipe, Tap
from mobilegym.phone.image import POCKET, Picture
from mobilegym.phone.memory import tree
from mobilegym.phone.phone import Phone
from mobilegym.phone.pool import PhonePool, PoolOptions
from mobilegym.world.world import World

PHONES, BROWSERS = 32, 2
STARTS, RESETS, WINDOWS = 5, 200, 5
WINDOW_SECONDS = 6.0
EPISODE_STEPS = 20
TICKS = os.sysconf("SC_CLK_TCK")

STATES = [World(seed, "zh" if seed % 2 else "en").state() for seed in range(PHONES)]


def cpu_seconds() -> float:
    """CPU time of this process and all below it."""
    total = 0
    for pid in tree(os.getpid()):
        fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
        total += int(fields[11]) + int(fields[12])
    return total / TICKS


async def milliseconds(work: Awaitable[object]) -> float:
    started = time.perf_counter()
    await work
    return (time.perf_counter() - started) * 1000


async def cold_start() -> float:
    """Seconds from nothing to the first picture of one phone."""
    started = time.perf_counter()
    async with PhonePool(PoolOptions(phones=1)) as pool, pool.phone() as phone:
        await phone.reset(STATES[0])
        return time.perf_counter() - started


async def single(phone: Phone) -> None:
    """What one phone alone takes."""
    kilobytes = sum(len(orjson.dumps(state)) for state in STATES) / len(STATES) / 1000
    size = f"another world each time, {kilobytes:.0f} kB of state"
    plain, shown, restored = [], [], []
    for number in range(RESETS):
        state = STATES[number % PHONES]
        plain.append(await milliseconds(phone.reset(state, image=False)))
        await phone.act(OpenApp("notes"))
        shown.append(await milliseconds(phone.reset(state)))
        snapshot = await phone.snapshot()
        await phone.act(OpenApp("settings"))
        restored.append(await milliseconds(phone.restore(snapshot, image=False)))
    Figure.of("reset", "ms", plain, f"checked, injected, settled; {size}").say()
    Figure.of("reset with the first picture", "ms", shown, "JPEG").say()
    Figure.of("restore a snapshot", "ms", restored, "settled").say()


def actions(rng: random.Random) -> list[AnyAction]:
    """An episode of a policy that mostly taps."""
    made: list[AnyAction] = [OpenApp(rng.choice(("clock", "notes", "contacts", "settings")))]
    while len(made) < EPISODE_STEPS:
        tap: AnyAction = Tap(rng.random(), 0.1 + 0.85 * rng.random())
        made.append(rng.choices([tap, Swipe(0.5, 0.6, 0.5, 0.3), Back(), Home()], [14, 3, 2, 1])[0])
    return made


async def play(pool: PhonePool, number: int, until: float) -> int:
    """Steps made before `until`."""
    rng, steps = random.Random(number), 0
    while time.perf_counter() < until:
        async with pool.phone() as phone:
            await phone.reset(rng.choice(STATES), image=False)
            for action in actions(rng):
                await phone.step(action)
                steps += 1
                if time.perf_counter() >= until:
                    break
    return steps


async def many(picture: Picture, label: str) -> None:
    """Throughput and memory of a full worker."""
    async with PhonePool(PoolOptions(phones=PHONES, browsers=BROWSERS, picture=picture)) as pool:
        rates, costs, memory = [], [], []
        for window in range(WINDOWS + 1):
            started, used = time.perf_counter(), cpu_seconds()
            until = started + WINDOW_SECONDS
            steps = sum(await asyncio.gather(*(play(pool, window * PHONES + n, until) for n in range(PHONES))))
            if window:  # the first one warms up
                rates.append(steps / (time.perf_counter() - started))
                costs.append((cpu_seconds() - used) * 1000 / steps)
                memory.append(pool.megabytes() / PHONES)
    note = f"{PHONES} phones in {BROWSERS} browsers, resets included"
    Figure.of(f"steps, {label}", "1/s", rates, note).say()
    Figure.of(f"CPU of a step, {label}", "ms", costs, "browsers and session").say()
    Figure.of(f"memory of a phone, {label}", "MB PSS", memory, "browsers included, while stepping").say()


async def main() -> None:
    Figure.of("cold start", "s", [await cold_start() for _ in range(STARTS)], "driver, browser, page, picture").say()
    async with PhonePool(PoolOptions(phones=1)) as pool, pool.phone() as phone:
        await single(phone)
    await many(Picture(), "JPEG")
    await many(POCKET, "pocket picture")


if __name__ == "__main__":
    asyncio.run(main())
