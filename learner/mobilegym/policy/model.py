"""Any Qwen3-VL checkpoint as a policy: weights, tokenizer, chat template and image preprocessing in one place."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError
from torch.nn import functional as F
from transformers import AutoTokenizer, Qwen3VLForConditionalGeneration
from transformers.utils import logging as transformers_logging

from mobilegym.policy import images, prompt
from mobilegym.policy.errors import PromptTooLong
from mobilegym.policy.fast import speed_up
from mobilegym.policy.prompt import Grid

transformers_logging.disable_progress_bar()

SMALL = 50_000_000  # parameters below which the CPU forms of the vision tower pay


@dataclass(frozen=True, kw_only=True)
class Visual:
    """An image's visual tokens: embeds [tokens, hidden], and one [tokens, hidden] per deepstack layer."""

    embeds: torch.Tensor
    deepstack: tuple[torch.Tensor, ...] = ()


@dataclass(kw_only=True)
class Policy:
    """A loaded checkpoint. `suppressed` are the ids it must never sample: all special ones except eos."""

    name: str
    model: Any
    tokenizer: Any
    image_spec: images.ImageSpec
    eos: int
    pad: int
    image_token: int
    suppressed: tuple[int, ...]
    context: int
    folder: Path
    bias: torch.Tensor = field(init=False)  # [vocab] 0 or -inf: added to logits before sampling and in the loss

    def __post_init__(self) -> None:
        vocabulary = int(self.model.config.text_config.vocab_size)
        bias = torch.zeros(vocabulary)
        bias[list(self.suppressed)] = float("-inf")
        bias[len(self.tokenizer) :] = float("-inf")  # rows of the embedding that no token has
        self.bias = bias.to(self.model.device)

    @property
    def device(self) -> torch.device:
        device: torch.device = self.model.device
        return device

    def image_tensors(self, data: bytes) -> tuple[torch.Tensor, torch.Tensor]:
        """PNG, JPEG or WebP bytes -> pixel_values [patches, dim] float32 and grid_thw [1, 3] int64."""
        return images.image_tensors(data, self.image_spec)

    def grid(self, grid_thw: torch.Tensor) -> Grid:
        _, rows, cols = grid_thw.reshape(-1, 3)[0].tolist()
        return Grid(rows=rows, cols=cols, merge=self.image_spec.merge)

    def prompt_ids(self, messages: Sequence[dict[str, Any]], grids: Sequence[Grid]) -> list[int]:
        """Chat messages (OpenAI or Qwen parts) -> the exact prompt, each image expanded to its visual tokens.

        Raises: PromptTooLong, ValueError when places and images differ in number.
        """
        text = self.tokenizer.apply_chat_template(
            prompt.normalise_messages(messages), tokenize=False, add_generation_prompt=True
        )
        ids = self.tokenizer(text, add_special_tokens=False)["input_ids"]
        ids = prompt.expand_images(ids, self.image_token, grids)
        if len(ids) >= self.context:
            raise PromptTooLong(f"the prompt has {len(ids)} tokens; {self.name} takes fewer than {self.context}")
        return ids

    def decode(self, ids: Sequence[int]) -> str:
        """Sampled ids -> text, without eos."""
        text: str = self.tokenizer.decode(list(ids), skip_special_tokens=True)
        return text

    def positions(self, ids: Sequence[int], grids: Sequence[Grid]) -> torch.Tensor:
        """M-RoPE positions of one sequence, [3, len(ids)]."""
        return torch.from_numpy(prompt.rope_positions(ids, self.image_token, grids))

    def see(self, pixel_values: torch.Tensor, grid_thw: torch.Tensor) -> list[Visual]:
        """Runs the vision tower on images packed as patches; gradients flow."""
        tower = self.model.model.visual
        out = tower(pixel_values.to(self.device, tower.dtype), grid_thw=grid_thw.to(self.device), return_dict=True)
        sizes = (grid_thw.prod(-1) // self.image_spec.merge**2).tolist()
        deep = [torch.split(d, sizes) for d in out.deepstack_features]
        return [
            Visual(embeds=e, deepstack=tuple(d[i] for d in deep))
            for i, e in enumerate(torch.split(out.pooler_output, sizes))
        ]

    def embed(self, ids: torch.Tensor, visuals: Sequence[Visual]) -> tuple[torch.Tensor, dict[str, Any]]:
        """Token embeddings of ids [B, L] with visual tokens in place, row by row, and deepstack arguments."""
        embeds = self.model.get_input_embeddings()(ids)
        mask = ids == self.image_token
        if not visuals:
            return embeds, {}
        embeds = embeds.masked_scatter(mask.unsqueeze(-1), torch.cat([v.embeds for v in visuals]).to(embeds.dtype))
        if not visuals[0].deepstack:
            return embeds, {}
        layers = [torch.cat([v.deepstack[i] for v in visuals]) for i in range(len(visuals[0].deepstack))]
        return embeds, {"visual_pos_masks": mask, "deepstack_visual_embeds": layers}

    def logprobs(self, logits: torch.Tensor, temperature: float = 1.0) -> torch.Tensor:
        """Log-probabilities of the distribution that is sampled from: [..., vocab] float32."""
        return F.log_softmax(logits.float() / temperature + self.bias, dim=-1)


def special_ids(tokenizer: Any) -> set[int]:
    return {int(i) for i in tokenizer.all_special_ids} | {int(i) for i in tokenizer.added_tokens_decoder}


def load_policy(folder: Path | str, device: str = "cpu", *, size: tuple[int, int] | None = None) -> Policy:
    """Loads a Qwen3-VL checkpoint folder, from disk only.

    `size` (width, height) resizes every image first; by default images must arrive in their final size.
    Raises: FileNotFoundError with what is missing.
    """
    folder = Path(folder)
    if not (folder / "config.json").exists():
        raise FileNotFoundError(f"{folder} holds no config.json: give a folder with a Qwen3-VL checkpoint")
    tokenizer = AutoTokenizer.from_pretrained(folder, local_files_only=True)
    model = Qwen3VLForConditionalGeneration.from_pretrained(
        folder, local_files_only=True, attn_implementation="sdpa", dtype="auto"
    )
    model.to(device).eval()
    config = model.config
    if sum(p.numel() for p in model.parameters()) < SMALL:
        speed_up(model)
    eos = int(tokenizer.eos_token_id)
    return Policy(
        name=folder.resolve().name,
        model=model,
        tokenizer=tokenizer,
        image_spec=images.image_spec(folder, config.vision_config, size),
        eos=eos,
        pad=int(tokenizer.pad_token_id if tokenizer.pad_token_id is not None else eos),
        image_token=int(config.image_token_id),
        suppressed=tuple(sorted(special_ids(tokenizer) - {eos})),
        context=int(config.text_config.max_position_embeddings),
        folder=folder,
    )


class WeightsUnusable(Exception):
    """Another try is of no use."""


def open_policy(folder: Path, device: str = "cpu") -> Policy:
    """`load_policy` for the start of a process. Raises WeightsUnusable."""
    try:
        return load_policy(folder, device)
    except (OSError, ValueError, KeyError, SafetensorError) as error:
        raise WeightsUnusable(f"{folder} cannot be loaded as a Qwen3-VL checkpoint: {error}") from error


def weights_digest(folder: Path | str) -> str:
    """sha256 over the weight files of a checkpoint folder, in name order."""
    digest = hashlib.sha256()
    files = sorted(Path(folder).glob("*.safetensors"))
    if not files:
        raise FileNotFoundError(f"{folder} holds no *.safetensors file")
    for file in files:
        digest.update(file.read_bytes())
    return digest.hexdigest()


def save_policy(policy: Policy, folder: Path | str) -> None:
    """Writes weights, config, tokenizer and preprocessor so that `load_policy` finds all of it."""
    folder = Path(folder)
    policy.model.save_pretrained(folder)
    policy.tokenizer.save_pretrained(folder)
    spec = policy.image_spec
    (folder / "preprocessor_config.json").write_text(
        json.dumps(
            {
                "image_mean": list(spec.mean),
                "image_std": list(spec.std),
                "merge_size": spec.merge,
                "patch_size": spec.patch,
                "temporal_patch_size": spec.temporal_patch,
                "image_processor_type": "Qwen2VLImageProcessor",
            },
            indent=2,
        )
        + "\n"
    )
