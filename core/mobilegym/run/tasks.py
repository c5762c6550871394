"""`spec.tasks`: which tasks are trained on."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from fnmatch import fnmatchcase
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

    suite: Text = Field(default="all", description="`all`, the first word of a template's id, or an app")
    split: Split = Field(default=Split.TRAIN, description="train, test (held out), or both")
    include: Texts = Field(default=("*",), description="shell globs of template ids")
    exclude: Texts = Field(default=(), description="shell globs of template ids")
    seed: Annotated[Int, Field(ge=0, le=2**31 - 1)] = Field(default=0, description="of the task instances")
    locales: Annotated[tuple[Locale, ...], Field(min_length=1, max_length=2)] = Field(
        default=(Locale.EN,), description="languages of phone and goals"
    )

    def selects(self, id: str, apps: Sequence[str], split: str) -> bool:
        """Whether the template is one of those. A suite is the first word of an id, or an app."""
        return (
            (self.suite in ("all", id.partition(".")[0]) or self.suite in apps)
            and self.split in (Split.ALL, split)
            and any(fnmatchcase(id, glob) for glob in self.include)
            and not any(fnmatchcase(id, glob) for glob in self.exclude)
        )

    @property
    def words(self) -> str:
        """The selection, for a person to correct."""
        without = f", exclude {list(self.exclude)}" if self.exclude else ""
        return f"suite {self.suite}, split {self.split.value}, include {list(self.include)}{without}"
