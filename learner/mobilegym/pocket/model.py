"""Builds the pocket policy: a Qwen3-VL of about 1.7 M parameters from random weights, of the real classes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
from torch import nn
from transformers import PreTrainedTokenizerFast, Qwen3VLConfig, Qwen3VLForConditionalGeneration

from mobilegym.pocket.vocabulary import build_tokenizer
from mobilegym.policy.model import Policy, load_policy

CONTEXT = 512
CANVAS = (192, 416)  # px, width and height of the image that the policy sees
OFFSET = (6, 16)  # px of the canvas at which the half-scale screenshot starts
CHAT_TEMPLATE = (
    "{%- for m in messages -%}"
    "{%- if m.content is not string -%}"
    "{%- for p in m.content if p.type == 'image' -%}<|vision_start|><|image_pad|><|vision_end|>{%- endfor -%}"
    "{%- endif -%}{%- endfor -%}"
    "{%- for m in messages -%}"
    "{%- if m.role == 'assistant' -%}<|im_start|>{%- endif -%}"
    "{%- if m.content is string -%}{{ m.content }}"
    "{%- else -%}{%- for p in m.content if p.type == 'text' -%}{{ p.text }}{%- endfor -%}{%- endif -%}"
    "{%- if m.role == 'assistant' -%}<|im_end|>{%- endif -%}"
    "{%- endfor -%}"
    "{%- if add_generation_prompt -%}<|im_start|>{%- endif -%}"
)


def build_config(vocabulary_size: int, ids: dict[str, int]) -> Qwen3VLConfig:
    text = {
        "vocab_size": vocabulary_size,
        "hidden_size": 128,
        "intermediate_size": 384,
        "num_hidden_layers": 4,
        "num_attention_heads": 4,
        "num_key_value_heads": 4,
        "head_dim": 32,
        "max_position_embeddings": CONTEXT,
        "rope_parameters": {
            "rope_type": "default",
            "rope_theta": 5_000_000.0,
            "mrope_section": [6, 5, 5],
            "mrope_interleaved": True,
        },
        "tie_word_embeddings": True,
        "pad_token_id": ids["<|endoftext|>"],
    }
    vision = {
        "depth": 2,
        "hidden_size": 96,
        "intermediate_size": 384,
        "num_heads": 3,
        "patch_size": 16,
        "spatial_merge_size": 2,
        "temporal_patch_size": 1,
        "out_hidden_size": 128,
        "num_position_embeddings": 676,  # 26 x 26: a row of the 26 patch rows each
        "deepstack_visual_indexes": [],
    }
    return Qwen3VLConfig(
        text_config=text,
        vision_config=vision,
        image_token_id=ids["<|image_pad|>"],
        video_token_id=ids["<|video_pad|>"],
        vision_start_token_id=ids["<|vision_start|>"],
        vision_end_token_id=ids["<|vision_end|>"],
        tie_word_embeddings=True,
    )


def _fan_in(weight: torch.Tensor, scale: float, generator: torch.Generator) -> None:
    fan = weight[0].numel()
    weight.normal_(0.0, scale / math.sqrt(fan), generator=generator)


@torch.no_grad()
def initialise(model: Any, seed: int) -> None:
    """Weights from which a model this small learns to match: fan-in, large embeddings under a small final norm,
    halved output projections, q = k in half the heads, zero-mean patch filters, strong visual positions."""
    generator = torch.Generator().manual_seed(seed)
    for name, weight in sorted(model.named_parameters()):
        if name.endswith("bias"):
            weight.zero_()
        elif weight.ndim < 2:
            weight.fill_(1.0)
        elif "embed_tokens" in name:
            weight.normal_(0.0, 0.4, generator=generator)
        elif "pos_embed" in name:
            weight.normal_(0.0, 0.5, generator=generator)
        else:
            halved = name.endswith(("o_proj.weight", "down_proj.weight", "attn.proj.weight", "mlp.linear_fc2.weight"))
            _fan_in(weight, 0.5 if halved else 1.0, generator)
    filters = model.model.visual.patch_embed.proj.weight
    filters -= filters.mean(dim=(1, 2, 3, 4), keepdim=True)
    language = model.model.language_model
    language.norm.weight.fill_(0.2)
    for layer in language.layers:
        attention = layer.self_attn
        attention.q_norm.weight.fill_(1.2)
        attention.k_norm.weight.fill_(1.2)
        half = attention.q_proj.weight.shape[0] // 2
        attention.k_proj.weight[:half] = attention.q_proj.weight[:half]


@torch.no_grad()
def tie_cases(embedding: nn.Embedding, vocabulary: dict[str, int]) -> None:
    """Starts `Alarm`, `alarm` and `ALARM` near each other, so that a goal's word finds the screen's."""
    first: dict[str, int] = {}
    for piece, index in sorted(vocabulary.items(), key=lambda item: item[1]):
        folded = piece.casefold()
        if len(piece) > 2 and folded in first:
            embedding.weight[index] = 0.8 * embedding.weight[first[folded]] + 0.6 * embedding.weight[index]
        else:
            first.setdefault(folded, index)


def build(folder: Path | str, seed: int, vocabulary: Sequence[str]) -> Policy:
    """Writes an untrained pocket policy to `folder` and loads it. `vocabulary` are its words, most frequent first."""
    folder = Path(folder)
    backend = build_tokenizer(vocabulary)
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=backend,
        eos_token="<|im_end|>",
        pad_token="<|endoftext|>",
        additional_special_tokens=[
            "<|im_start|>",
            "<|vision_start|>",
            "<|vision_end|>",
            "<|image_pad|>",
            "<|video_pad|>",
        ],
        model_max_length=CONTEXT,
        clean_up_tokenization_spaces=False,
    )
    tokenizer.chat_template = CHAT_TEMPLATE
    ids = {s: int(i) for s, i in backend.get_vocab().items()}
    model = Qwen3VLForConditionalGeneration(build_config(len(ids), ids)).float()
    initialise(model, seed)
    tie_cases(model.get_input_embeddings(), ids)
    folder.mkdir(parents=True, exist_ok=True)
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    (folder / "preprocessor_config.json").write_text(PREPROCESSOR)
    return load_policy(folder)


PREPROCESSOR = """{
  "image_mean": [0.5, 0.5, 0.5],
  "image_std": [0.5, 0.5, 0.5],
  "merge_size": 2,
  "patch_size": 16,
  "temporal_patch_size": 1,
  "image_processor_type": "Qwen2VLImageProcessor"
}
"""
