from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import pytest
import torch
from PIL import Image
from transformers import Qwen3VLForConditionalGeneration

from mobilegym.policy.errors import ImageRefused, PromptTooLong
from mobilegym.policy.model import Policy, load_policy


def test_patches_equal_the_published_image_processor(policy: Policy, png: Callable[..., bytes]) -> None:
    from transformers.models.qwen2_vl.image_processing_pil_qwen2_vl import Qwen2VLImageProcessorPil

    processor = Qwen2VLImageProcessorPil(
        patch_size=16, merge_size=2, temporal_patch_size=1, image_mean=[0.5] * 3, image_std=[0.5] * 3, do_resize=False
    )
    theirs = processor(Image.open(io.BytesIO(png())), return_tensors="pt")
    ours, grid = policy.image_tensors(png())
    assert torch.equal(grid, theirs["image_grid_thw"])
    assert torch.allclose(ours, theirs["pixel_values"], atol=1e-6)


def test_the_fast_tower_gives_the_plain_towers_tokens(policy: Policy, png: Callable[..., bytes]) -> None:
    plain = Qwen3VLForConditionalGeneration.from_pretrained(policy.folder, dtype=torch.float32).eval()
    images = [policy.image_tensors(png(w)) for w in ("Gym", "alarm", "07:30")]
    pixels, grids = torch.cat([i[0] for i in images]), torch.cat([i[1] for i in images])
    with torch.no_grad():
        theirs = plain.model.visual(pixels, grid_thw=grids, return_dict=True).pooler_output
        ours = torch.cat([v.embeds for v in policy.see(pixels, grids)])
    assert torch.allclose(ours, theirs, atol=1e-5)


def test_positions_equal_the_models_own(policy: Policy, png: Callable[..., bytes]) -> None:
    _, grid_thw = policy.image_tensors(png())
    grid = policy.grid(grid_thw)
    content = [{"type": "text", "text": "Open it"}, {"type": "image_url"}, {"type": "image_url"}]
    ids = policy.prompt_ids([{"role": "user", "content": content}], [grid, grid])
    row = torch.tensor([ids])
    theirs, _ = policy.model.model.get_rope_index(
        row, (row == policy.image_token).int(), image_grid_thw=grid_thw.repeat(2, 1)
    )
    assert torch.equal(policy.positions(ids, [grid, grid]), theirs[:, 0])


@pytest.mark.parametrize("size", [(200, 416), (192, 400)])
def test_sides_off_the_token_grid_are_refused(policy: Policy, png: Callable[..., bytes], size: tuple[int, int]) -> None:
    with pytest.raises(ImageRefused, match="multiples of 32"):
        policy.image_tensors(png(size=size))


def test_a_configured_resize_makes_any_size_fit(policy: Policy, png: Callable[..., bytes]) -> None:
    resized = load_policy(policy.folder, size=(192, 416))
    _, grid_thw = resized.image_tensors(png(size=(360, 800)))
    assert grid_thw.tolist() == [[1, 26, 12]]


def test_bytes_that_are_no_image_are_refused(policy: Policy) -> None:
    with pytest.raises(ImageRefused, match="could not be decoded"):
        policy.image_tensors(b"not an image")


def test_a_long_prompt_is_refused(policy: Policy) -> None:
    with pytest.raises(PromptTooLong, match="fewer than 512"):
        policy.prompt_ids([{"role": "user", "content": "Open " * 600}], [])


def test_a_folder_without_a_checkpoint_says_so(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"no config\.json"):
        load_policy(tmp_path)
