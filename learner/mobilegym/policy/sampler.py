"""Batched sampling with a key-value cache.

The distribution sampled from is softmax(logits / temperature) over the ids that are not suppressed; top_p is 1 and
top_k off, so that the learner can recompute it. Each request draws from its own random stream, so its tokens do not
depend on what else is in the batch. Work that repeats within one weights version is done once: an image's visual
tokens, and the keys and values of a prompt up to its last image (a group's members see many equal screens).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch
from transformers import DynamicCache

from mobilegym.policy.lru import Lru
from mobilegym.policy.model import Policy, Visual
from mobilegym.policy.prompt import Grid, left_pad, next_position

Layers = tuple[tuple[torch.Tensor, torch.Tensor], ...]  # per layer: keys and values [batch, heads, length, dim]
PrefixKey = tuple[tuple[int, ...], tuple[str, ...]]


@dataclass(frozen=True, kw_only=True)
class SeenImage:
    """One prepared image; `key` is the hash of its bytes."""

    key: str
    pixel_values: torch.Tensor
    grid_thw: torch.Tensor
    grid: Grid


@dataclass(frozen=True, kw_only=True)
class Request:
    """`temperature` 0 takes the most likely token and reports log-probabilities at temperature 1."""

    prompt_ids: tuple[int, ...]
    images: tuple[SeenImage, ...]
    temperature: float = 1.0
    max_tokens: int = 64
    seed: int = 0


@dataclass(frozen=True, kw_only=True)
class Sample:
    """`token_ids` end with eos unless `finish_reason` is "length"; `logprobs` are natural logs, one per token."""

    token_ids: tuple[int, ...]
    logprobs: tuple[float, ...]
    finish_reason: str


@dataclass(kw_only=True)
class _Row:
    """A request while it is being decoded."""

    place: int
    temperature: float
    limit: int
    uniforms: np.ndarray[Any, np.dtype[np.float64]]
    position: int  # M-RoPE position of the next token
    ids: list[int] = field(default_factory=list)
    logprobs: list[float] = field(default_factory=list)
    stopped: bool = False

    @property
    def done(self) -> bool:
        return self.stopped or len(self.ids) >= self.limit


class Sampler:
    """Not thread-safe: one thread samples and swaps weights."""

    def __init__(self, policy: Policy, *, cache_bytes: int = 256 << 20) -> None:
        self.policy = policy
        self.visuals: Lru[str, Visual] = Lru(cache_bytes // 8)
        self.prefixes: Lru[PrefixKey, Layers] = Lru(cache_bytes)

    def forget(self) -> None:
        """Drops what was computed with earlier weights."""
        self.visuals.clear()
        self.prefixes.clear()

    @torch.inference_mode()
    def sample(self, requests: Sequence[Request]) -> list[Sample]:
        """Samples all requests; results stand in the requests' order."""
        out: dict[int, Sample] = {}
        by_prefix: dict[int, list[int]] = defaultdict(list)
        for place, request in enumerate(requests):
            by_prefix[self._prefix_length(request)].append(place)
        for length, places in sorted(by_prefix.items()):
            rows = self._decode(length, places, [requests[p] for p in places])
            for row in rows:
                reason = "stop" if row.stopped else "length"
                out[row.place] = Sample(token_ids=tuple(row.ids), logprobs=tuple(row.logprobs), finish_reason=reason)
        return [out[i] for i in range(len(requests))]

    def _prefix_length(self, request: Request) -> int:
        if not request.images:
            return 0
        ids = request.prompt_ids
        last = len(ids) - 1 - ids[::-1].index(self.policy.image_token)
        return min(last + 1, len(ids) - 1)

    def _see(self, requests: Sequence[Request]) -> dict[str, Visual]:
        """Visual tokens of all images, each computed at most once."""
        found: dict[str, Visual] = {}
        missing: dict[str, SeenImage] = {}
        for image in (i for r in requests for i in r.images):
            if image.key in found or image.key in missing:
                continue
            cached = self.visuals.get(image.key)
            if cached is None:
                missing[image.key] = image
            else:
                found[image.key] = cached
        if missing:
            pixels = torch.cat([i.pixel_values for i in missing.values()])
            grids = torch.cat([i.grid_thw for i in missing.values()])
            for key, visual in zip(missing, self.policy.see(pixels, grids), strict=True):
                found[key] = visual
                self.visuals.put(key, visual, visual.embeds.nbytes * (1 + len(visual.deepstack)))
        return found

    def _prefix(self, length: int, requests: Sequence[Request]) -> list[Layers]:
        """Keys and values of each request's first `length` tokens, each distinct prefix computed at most once."""
        keys: list[PrefixKey] = [(r.prompt_ids[:length], tuple(i.key for i in r.images)) for r in requests]
        found: dict[PrefixKey, Layers] = {}
        missing: dict[PrefixKey, Request] = {}
        for key, request in zip(keys, requests, strict=True):
            if key in found or key in missing:
                continue
            cached = self.prefixes.get(key)
            if cached is None:
                missing[key] = request
            else:
                found[key] = cached
        if missing:
            computed = self._prefill_prefixes(length, list(missing.values()))
            for key, layers in zip(missing, computed, strict=True):
                found[key] = layers
                self.prefixes.put(key, layers, sum(k.nbytes + v.nbytes for k, v in layers))
        return [found[key] for key in keys]

    def _prefill_prefixes(self, length: int, requests: Sequence[Request]) -> list[Layers]:
        visuals = self._see(requests)
        ids = torch.tensor([r.prompt_ids[:length] for r in requests])
        embeds, deepstack = self.policy.embed(
            ids.to(self.policy.device), [visuals[i.key] for r in requests for i in r.images]
        )
        positions = torch.stack(
            [self.policy.positions(r.prompt_ids[:length], [i.grid for i in r.images]) for r in requests], dim=1
        )
        cache = DynamicCache()
        self.policy.model.model.language_model(
            inputs_embeds=embeds,
            position_ids=positions.to(self.policy.device),
            cache=cache,
            use_cache=True,
            **deepstack,
        )
        return [
            tuple((layer.keys[i : i + 1].clone(), layer.values[i : i + 1].clone()) for layer in cache.layers)
            for i in range(len(requests))
        ]

    def _forward(
        self, ids: torch.Tensor, positions: torch.Tensor, mask: torch.Tensor, cache: DynamicCache
    ) -> torch.Tensor:
        """Logits after the last of ids [B, L], given the cache before it: [B, vocab]."""
        model = self.policy.model
        device = self.policy.device
        out = model.model.language_model(
            inputs_embeds=model.get_input_embeddings()(ids.to(device)),
            position_ids=positions.to(device),
            attention_mask=mask.to(device),
            cache=cache,
            use_cache=True,
        )
        logits: torch.Tensor = model.lm_head(out.last_hidden_state[:, -1])
        return logits

    def _start(self, length: int, requests: Sequence[Request]) -> tuple[DynamicCache, torch.Tensor, torch.Tensor]:
        """Prefill -> cache, mask [B, L], logits [B, vocab]."""
        cache = DynamicCache()
        if length:
            prefixes = self._prefix(length, requests)
            for layer in range(len(prefixes[0])):
                cache.update(
                    torch.cat([p[layer][0] for p in prefixes]), torch.cat([p[layer][1] for p in prefixes]), layer
                )
        ids, suffix_mask = left_pad([r.prompt_ids[length:] for r in requests], self.policy.pad)
        positions = torch.zeros((3, *ids.shape), dtype=torch.int64)
        for i, request in enumerate(requests):
            places = self.policy.positions(request.prompt_ids, [im.grid for im in request.images])[:, length:]
            positions[:, i, ids.shape[1] - places.shape[1] :] = places
        mask = torch.cat([torch.ones((len(requests), length), dtype=torch.int64), suffix_mask], dim=1)
        return cache, mask, self._forward(ids, positions, mask, cache)

    def _decode(self, length: int, places: Sequence[int], requests: Sequence[Request]) -> list[_Row]:
        rows = [self._row(place, request) for place, request in zip(places, requests, strict=True)]
        cache, mask, logits = self._start(length, requests)
        alive = list(rows)
        while True:
            self._draw(alive, logits)
            keep = [i for i, row in enumerate(alive) if not row.done]
            if not keep:
                return rows
            if len(keep) * 2 <= len(alive):
                chosen = torch.tensor(keep)
                cache.batch_select_indices(chosen.to(self.policy.device))
                mask, alive = mask[chosen], [alive[i] for i in keep]
            mask = torch.cat([mask, torch.ones((len(alive), 1), dtype=torch.int64)], dim=1)
            ids = torch.tensor([[row.ids[-1]] for row in alive])
            positions = torch.tensor([row.position + len(row.ids) - 1 for row in alive]).view(1, -1, 1).expand(3, -1, 1)
            logits = self._forward(ids, positions, mask, cache)

    def _row(self, place: int, request: Request) -> _Row:
        generator = np.random.Generator(np.random.Philox(request.seed & (2**64 - 1)))
        positions = self.policy.positions(request.prompt_ids, [i.grid for i in request.images]).numpy()
        limit = max(1, min(request.max_tokens, self.policy.context - len(request.prompt_ids)))
        return _Row(
            place=place,
            temperature=request.temperature,
            limit=limit,
            uniforms=generator.random(limit),
            position=next_position(positions),
        )

    def _draw(self, rows: Sequence[_Row], logits: torch.Tensor) -> None:
        """Draws one token for each row that is not done, by inverting the cumulative distribution."""
        scale = torch.tensor([row.temperature or 1.0 for row in rows], device=logits.device).unsqueeze(1)
        logprobs = self.policy.logprobs(logits / scale)
        cumulative = logprobs.double().exp().cumsum(dim=-1).cpu().numpy()
        best = logprobs.argmax(dim=-1).tolist()
        for i, row in enumerate(rows):
            if row.done:
                continue
            if row.temperature > 0:
                target = row.uniforms[len(row.ids)] * cumulative[i, -1]
                token = int(np.searchsorted(cumulative[i], target, side="right"))
            else:
                token = int(best[i])
            row.ids.append(token)
            row.logprobs.append(float(logprobs[i, token]))
            row.stopped = token == self.policy.eos
