"""`spec.tasks`: which tasks are trained on."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from pydantic import Field

from mobilegym.run.base import Int, Part, Text, Texts


class Split(StrEnum):
    TRAIN = "train"
    TEST = "test"
    ALL = "all"


class Locale(StrEnum):
    EN = "en"
    ZH = "zh"


class TasksSpec(Part):
    """Templates of `suite` and `split` whose id matches one of `include` and none of `exclude` (shell globs)."""

    suite: Text = "all"
    split: Split = Split.TRAIN
    include: Texts = ("*",)
    exclude: Texts = ()
    seed: Annotated[Int, Field(ge=0, le=2**31 - 1)] = 0
    locales: Annotated[tuple[Locale, ...], Field(min_length=1, max_length=2)] = (Locale.EN,)
