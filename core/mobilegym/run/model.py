"""`spec.model`: which policy is trained."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from pydantic import Field, model_validator

from mobilegym.run.base import Fraction, Name, Part, SpecError, Text


class Preset(StrEnum):
    POCKET = "pocket"
    QWEN3_VL_4B = "qwen3-vl-4b"

    @property
    def dialect(self) -> str:
        return {Preset.POCKET: "compact", Preset.QWEN3_VL_4B: "qwen3-vl"}[self]

    @property
    def image_scale(self) -> float:
        return {Preset.POCKET: 0.5, Preset.QWEN3_VL_4B: 3.0}[self]


class ModelSpec(Part):
    """The policy: a preset, a directory of weights, or a preset's architecture with a directory's weights."""

    preset: Preset | None = Field(
        default=None, description="pocket: small, for a laptop; qwen3-vl-4b: the paper's model, weights by `path`"
    )
    path: Text | None = Field(default=None, description="directory with weights; a preset without one uses its own")
    claim: Name | None = Field(
        default=None, description="on a cluster: PersistentVolumeClaim mounted read-only at /models, for `path`"
    )
    revision: Text | None = Field(default=None, description="of the weights, for the record")
    dialect: Text | None = Field(default=None, description="action dialect; by the preset where absent")
    image_scale: Annotated[Fraction, Field(gt=0, le=4)] | None = Field(
        default=None, description="image pixels per CSS pixel; sides are then padded to multiples of 32"
    )

    @model_validator(mode="after")
    def _is_named(self) -> ModelSpec:
        if self.preset is None and self.path is None:
            raise SpecError("preset", "give preset (pocket, qwen3-vl-4b) or path (a directory with weights)")
        if self.preset is None and self.dialect is None:
            raise SpecError("dialect", "must be given where there is no preset to say it")
        if self.preset is Preset.QWEN3_VL_4B and self.path is None:
            raise SpecError("path", "must be given: the preset qwen3-vl-4b brings no weights of its own")
        return self

    @property
    def dialect_name(self) -> str:
        if self.dialect is not None:
            return self.dialect
        assert self.preset is not None
        return self.preset.dialect

    @property
    def scale(self) -> float:
        if self.image_scale is not None:
            return self.image_scale
        return self.preset.image_scale if self.preset is not None else 1.0
