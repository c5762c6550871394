"""The engine: gathers requests into batches and runs them, and weight swaps, on one worker thread.

A batch starts as soon as the thread is free, with what waits then; nothing is delayed to fill it. Weights change only
between batches, so every completion comes from one version.
"""

from __future__ import annotations

import asyncio
import hashlib
import time
from collections import deque
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import torch
from safetensors.torch import load_file

from mobilegym.policy.errors import EnginePaused, WeightsRefused
from mobilegym.policy.lru import Lru
from mobilegym.policy.metrics import Metrics
from mobilegym.policy.model import Policy, weights_digest
from mobilegym.policy.sampler import Request, Sample, Sampler, SeenImage

PREPARED_BYTES = 128 << 20


@dataclass(frozen=True, kw_only=True)
class Completion:
    """A sample and the policy version that it comes from."""

    sample: Sample
    version: int


class Engine:
    """One checkpoint's serving state. All methods are for the event loop; `version` counts learner steps."""

    def __init__(self, policy: Policy, metrics: Metrics, *, max_batch: int = 32, threads: int = 1) -> None:
        self.policy = policy
        self.metrics = metrics
        self.version = 0
        self.paused = False
        self._digest = ""  # of the weights that were swapped in, where it was given
        self._max_batch = max_batch
        self._threads = threads
        self._sampler = Sampler(policy)
        self._images: Lru[str, SeenImage] = Lru(PREPARED_BYTES)
        self._waiting: deque[tuple[Request, asyncio.Future[Completion]]] = deque()
        self._work = asyncio.Event()
        self._swap = asyncio.Lock()  # held by a batch or by a weight swap
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="engine")
        self._loop_task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        await asyncio.get_running_loop().run_in_executor(self._thread, torch.set_num_threads, self._threads)
        self._loop_task = asyncio.create_task(self._run(), name="engine")

    async def close(self) -> None:
        """Stops; what still waits is refused."""
        if self._loop_task is not None:
            self._loop_task.cancel()
            await asyncio.gather(self._loop_task, return_exceptions=True)
        self._refuse_waiting("the engine is stopping: ask again, another one may answer")
        self._thread.shutdown(wait=True)

    @property
    def depth(self) -> int:
        return len(self._waiting)

    def prepare(self, data: bytes) -> SeenImage:
        """Image bytes -> patches, once for each distinct image. Raises ImageRefused."""
        key = hashlib.sha256(data).hexdigest()
        known = self._images.get(key)
        if known is not None:
            return known
        pixel_values, grid_thw = self.policy.image_tensors(data)
        image = SeenImage(key=key, pixel_values=pixel_values, grid_thw=grid_thw, grid=self.policy.grid(grid_thw))
        self._images.put(key, image, pixel_values.nbytes)
        return image

    async def complete(self, request: Request) -> Completion:
        """Waits for a place in a batch. Raises EnginePaused when the engine closes first."""
        future: asyncio.Future[Completion] = asyncio.get_running_loop().create_future()
        self._waiting.append((request, future))
        self._work.set()
        return await future

    def pause(self) -> None:
        """Starts no further batch; requests wait."""
        self.paused = True

    def resume(self) -> None:
        self.paused = False
        self._work.set()

    async def update_weights(self, folder: Path, version: int, digest: str = "") -> None:
        """Loads a checkpoint folder's weights after the batch in flight.

        The stream and the learner both tell of a version: what is served already is not loaded again.
        Raises: WeightsRefused when they are absent, damaged or of another shape; the old weights then stay.
        """
        async with self._swap:
            if digest and (version, digest) == (self.version, self._digest):
                return
            started = time.monotonic()
            await asyncio.get_running_loop().run_in_executor(self._thread, self._load, folder, digest)
            self.version, self._digest = version, digest
            self.metrics.version.set(version)
            self.metrics.swaps.inc()
            self.metrics.swap_seconds.observe(time.monotonic() - started)

    def _load(self, folder: Path, digest: str) -> None:
        try:
            found = weights_digest(folder)
        except OSError as error:
            raise WeightsRefused(f"cannot read weights: {error}") from error
        if digest and found != digest:
            raise WeightsRefused(
                f"{folder} has digest {found[:12]}, expected {digest[:12]}: it is not what was published"
            )
        tensors = {k: v for file in sorted(folder.glob("*.safetensors")) for k, v in load_file(file).items()}
        own = self.policy.model.state_dict()
        wrong = sorted(k for k, v in tensors.items() if k not in own or own[k].shape != v.shape)
        absent = sorted(own.keys() - tensors.keys() - {"lm_head.weight"})
        if wrong or absent:
            raise WeightsRefused(
                f"{folder} does not fit {self.policy.name}: unknown or misshapen {wrong[:3]}, absent {absent[:3]}"
            )
        self.policy.model.load_state_dict(tensors, strict=False)
        self._sampler.forget()

    async def _run(self) -> None:
        while True:
            await self._work.wait()
            self._work.clear()
            while self._waiting and not self.paused:
                async with self._swap:
                    await self._batch()

    async def _batch(self) -> None:
        lot = [self._waiting.popleft() for _ in range(min(self._max_batch, len(self._waiting)))]
        lot = [(request, future) for request, future in lot if not future.cancelled()]
        if not lot:
            return
        version, started = self.version, time.monotonic()
        requests = [request for request, _ in lot]
        try:
            samples = await asyncio.get_running_loop().run_in_executor(self._thread, self._sampler.sample, requests)
        except asyncio.CancelledError:
            for _, future in lot:
                if not future.done():
                    future.set_exception(EnginePaused("the engine is stopping: ask again, another one may answer"))
            raise
        except Exception as error:  # the loop's edge: every caller learns of it, the engine lives on
            self.metrics.errors.labels("engine").inc()
            for _, future in lot:
                if not future.done():
                    future.set_exception(error)
            return
        self._observe(requests, samples, time.monotonic() - started)
        for (_, future), sample in zip(lot, samples, strict=True):
            if not future.done():
                future.set_result(Completion(sample=sample, version=version))

    def _observe(self, requests: Sequence[Request], samples: Sequence[Sample], seconds: float) -> None:
        self.metrics.batch_size.observe(len(requests))
        self.metrics.batch_seconds.observe(seconds)
        self.metrics.prompt_tokens.inc(sum(len(r.prompt_ids) for r in requests))
        self.metrics.sampled_tokens.inc(sum(len(s.token_ids) for s in samples))

    def _refuse_waiting(self, why: str) -> None:
        while self._waiting:
            _, future = self._waiting.popleft()
            if not future.done():
                future.set_exception(EnginePaused(why))
