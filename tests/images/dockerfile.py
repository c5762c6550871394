"""A Dockerfile as data."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, kw_only=True)
class Step:
    word: str  # RUN, COPY ...
    rest: str


@dataclass(frozen=True, kw_only=True)
class Stage:
    base: str  # an image or an earlier stage
    name: str
    steps: tuple[Step, ...]


@dataclass(frozen=True, kw_only=True)
class Dockerfile:
    arguments: dict[str, str]  # given before the first stage, with their defaults
    stages: dict[str, Stage]

    @classmethod
    def read(cls, path: Path) -> Dockerfile:
        arguments: dict[str, str] = {}
        stages: dict[str, Stage] = {}
        for step in _steps(path.read_text()):
            if step.word == "FROM":
                base, _, name = step.rest.partition(" AS ")
                stages[name] = Stage(base=base, name=name, steps=())
            elif stages:
                last = next(reversed(stages.values()))
                stages[last.name] = Stage(base=last.base, name=last.name, steps=(*last.steps, step))
            else:
                name, _, default = step.rest.partition("=")
                arguments[name] = default
        return cls(arguments=arguments, stages=stages)

    def steps(self, target: str) -> list[Step]:
        """Of the image that a target makes: those of the stages that it builds on come first."""
        stage = self.stages[target]
        before = self.steps(stage.base) if stage.base in self.stages else []
        return [*before, *stage.steps]


def _steps(text: str) -> list[Step]:
    lines = [line for line in text.splitlines() if not line.lstrip().startswith("#")]
    joined = re.sub(r"\\\n", " ", "\n".join(lines))
    words = [line.strip().partition(" ") for line in joined.splitlines() if line.strip()]
    return [Step(word=word, rest=" ".join(rest.split())) for word, _, rest in words]
