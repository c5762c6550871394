"""Errors of the manifest."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong in a manifest."""

    path: str  # dotted, camelCase: spec.algorithm.groupSize; empty for the document
    message: str
    line: int | None = None  # 1-based, in the YAML file

    def __str__(self) -> str:
        where = f" (line {self.line})" if self.line is not None else ""
        return f"{self.path}: {self.message}{where}" if self.path else f"{self.message}{where}"


class RunError(ValueError):
    """A manifest that cannot be run: every problem at once."""

    def __init__(self, source: str, problems: tuple[Problem, ...]) -> None:
        count = f"{len(problems)} problem{'s' if len(problems) != 1 else ''}"
        super().__init__("\n".join([f"{source}: {count}", *(f"  {problem}" for problem in problems)]))
        self.source = source
        self.problems = problems
