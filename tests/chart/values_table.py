"""The table of values in the chart's README, from the comments of values.yaml.

python -m tests.chart.values_table    writes it
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass

import yaml
from tests.chart.chart import CHART

README = CHART / "README.md"
BEGIN, END = "<!-- values: from values.yaml -->\n", "<!-- end of values -->\n"
_LINE = re.compile(r"(?P<indent> *)(?P<key>[\w]+):(?P<rest>.*?)(?: # (?P<about>.*))?$")


@dataclass(frozen=True, kw_only=True)
class Value:
    path: str
    default: object
    about: str


def values() -> Iterator[Value]:
    """Every key that carries a comment, with what stands under it."""
    text = (CHART / "values.yaml").read_text()
    defaults = yaml.safe_load(text)
    path: list[str] = []
    for line in text.splitlines():
        found = _LINE.match(line)
        if found is None:
            continue
        path = [*path[: len(found["indent"]) // 2], found["key"]]
        if found["about"]:
            default = defaults
            for key in path:
                default = default[key]
            yield Value(path=".".join(path), default=default, about=found["about"])


def table() -> str:
    rows = (f"| `{one.path}` | `{json.dumps(one.default)}` | {one.about} |\n" for one in values())
    return "| value | default | what it is |\n|---|---|---|\n" + "".join(rows)


def current() -> str:
    return README.read_text().split(BEGIN)[1].split(END)[0]


if __name__ == "__main__":
    before, rest = README.read_text().split(BEGIN)
    README.write_text(before + BEGIN + table() + END + rest.split(END)[1])
