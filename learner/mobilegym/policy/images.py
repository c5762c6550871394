"""Image preprocessing of Qwen3-VL by PIL alone: no torchvision and no video processor."""

from __future__ import annotations

import io
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from PIL import Image, UnidentifiedImageError

from mobilegym.policy.errors import ImageRefused


@dataclass(frozen=True, kw_only=True)
class ImageSpec:
    """How pixels become patches. `size` (width, height) is an optional resize applied first, else none is."""

    patch: int = 16
    merge: int = 2
    temporal_patch: int = 2
    mean: tuple[float, ...] = (0.5, 0.5, 0.5)
    std: tuple[float, ...] = (0.5, 0.5, 0.5)
    size: tuple[int, int] | None = None
    max_pixels: int = 4_194_304

    @property
    def factor(self) -> int:
        """Pixels on a side of one visual token."""
        return self.patch * self.merge


def image_spec(folder: Path, vision: Any, size: tuple[int, int] | None = None) -> ImageSpec:
    """Reads a checkpoint's geometry from its vision config and its means from `preprocessor_config.json`."""
    file = folder / "preprocessor_config.json"
    raw: dict[str, Any] = json.loads(file.read_text()) if file.exists() else {}
    return ImageSpec(
        patch=int(vision.patch_size),
        merge=int(vision.spatial_merge_size),
        temporal_patch=int(vision.temporal_patch_size),
        mean=tuple(raw.get("image_mean", (0.5, 0.5, 0.5))),
        std=tuple(raw.get("image_std", (0.5, 0.5, 0.5))),
        size=size,
    )


def open_image(data: bytes, spec: ImageSpec) -> Image.Image:
    """Decodes, resizes if configured, and checks the sides.

    Raises: ImageRefused.
    """
    try:
        image = Image.open(io.BytesIO(data)).convert("RGB")
    except (UnidentifiedImageError, OSError) as error:
        raise ImageRefused(f"the image could not be decoded ({error}); send PNG, JPEG or WebP bytes") from error
    if spec.size is not None and image.size != spec.size:
        image = image.resize(spec.size, Image.Resampling.BICUBIC)
    width, height = image.size
    if width % spec.factor or height % spec.factor:
        raise ImageRefused(
            f"the image is {width}x{height}, but both sides must be multiples of {spec.factor}: resize it once, "
            "in the worker's observation settings"
        )
    if width * height > spec.max_pixels:
        raise ImageRefused(f"the image has {width * height} pixels, more than the {spec.max_pixels} allowed")
    return image


def image_tensors(data: bytes, spec: ImageSpec) -> tuple[torch.Tensor, torch.Tensor]:
    """Patches of one image, in the order that the vision tower merges them.

    Returns: pixel_values [grid_h * grid_w, 3 * temporal_patch * patch * patch] float32, grid_thw [1, 3] int64.
    Raises: ImageRefused.
    """
    image = open_image(data, spec)
    raw = torch.from_numpy(np.array(image)).permute(2, 0, 1).float() / 255.0
    mean, std = (torch.tensor(v).view(-1, 1, 1) for v in (spec.mean, spec.std))
    return patchify((raw - mean) / std, spec)


def patchify(pixels: torch.Tensor, spec: ImageSpec) -> tuple[torch.Tensor, torch.Tensor]:
    """[3, height, width] normalised pixels -> patches grouped in merge x merge blocks, and their grid."""
    channels, height, width = pixels.shape
    rows, cols = height // spec.patch, width // spec.patch
    blocks = pixels.reshape(
        channels, rows // spec.merge, spec.merge, spec.patch, cols // spec.merge, spec.merge, spec.patch
    )
    blocks = blocks.permute(1, 4, 2, 5, 0, 3, 6)  # block row, block col, row in block, col in block, C, y, x
    blocks = blocks.unsqueeze(5).expand(*blocks.shape[:5], spec.temporal_patch, spec.patch, spec.patch)
    flat = blocks.reshape(rows * cols, channels * spec.temporal_patch * spec.patch * spec.patch)
    return flat, torch.tensor([[1, rows, cols]], dtype=torch.int64)
