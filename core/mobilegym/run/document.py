"""A YAML document with the line of every value."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Any

import yaml

from mobilegym.run.errors import Problem, RunError

Path = tuple[str | int, ...]


class _Loader(yaml.SafeLoader):
    """Dates stay text: no field of a manifest is one."""


_Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag != "tag:yaml.org,2002:timestamp"]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}


def dotted(path: Path) -> str:
    text = ""
    for part in path:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else part
    return text


@dataclass(slots=True)
class Document:
    data: Any
    lines: dict[Path, int] = field(default_factory=dict)

    def line(self, path: Path) -> int | None:
        """Of the value, or of the nearest parent that is there."""
        while path not in self.lines and path:
            path = path[:-1]
        return self.lines.get(path)


def read_document(text: str, source: str) -> Document:
    """Raises RunError for what is no YAML, for a key given twice, and for more than one document."""
    try:
        document, repeated = _read(_Loader(text))
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        what = f"is no YAML: {error.problem or error}"
        raise RunError(source, (Problem("", what, mark.line + 1 if mark else None),)) from error
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise RunError(source, (Problem("", f"is no YAML: {error}"),)) from error
    if repeated:
        raise RunError(source, tuple(repeated))
    if document is None:
        raise RunError(source, (Problem("", "is empty: write a MobileGymRun"),))
    return document


def _read(loader: _Loader) -> tuple[Document | None, list[Problem]]:
    """The document, and the keys that are given twice."""
    lines: dict[Path, int] = {}
    repeated: list[Problem] = []
    try:
        node = loader.get_single_node()
        if node is None:
            return None, repeated
        _walk(node, (), lines, repeated)
        return Document(loader.construct_document(node), lines), repeated
    finally:
        loader.dispose()


def _walk(
    node: yaml.Node, path: Path, lines: dict[Path, int], repeated: list[Problem], above: tuple[yaml.Node, ...] = ()
) -> None:
    lines.setdefault(path, node.start_mark.line + 1)
    if isinstance(node, yaml.CollectionNode) and node in above:
        raise yaml.constructor.ConstructorError(None, None, "an alias contains itself", node.start_mark)
    above = (*above, node)
    if isinstance(node, yaml.SequenceNode):
        for index, item in enumerate(node.value):
            _walk(item, (*path, index), lines, repeated, above)
    elif isinstance(node, yaml.MappingNode):
        seen: set[Hashable] = set()
        for key, value in node.value:
            if not isinstance(key, yaml.ScalarNode):
                raise yaml.constructor.ConstructorError(None, None, "keys must be plain words", key.start_mark)
            inner = (*path, str(key.value))
            if key.value in seen:
                repeated.append(Problem(dotted(inner), "is given twice", key.start_mark.line + 1))
            seen.add(key.value)
            lines[inner] = key.start_mark.line + 1
            _walk(value, inner, lines, repeated, above)
