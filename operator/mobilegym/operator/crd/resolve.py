"""The manifest's JSON Schema as one tree: references and unions with null are replaced by what they stand for."""

from __future__ import annotations

import re
from typing import Any

from pydantic.alias_generators import to_camel

from mobilegym.run.schema import run_schema

Schema = dict[str, Any]

PART = "x-part"  # name of the model that an object was made from


def manifest_tree() -> Schema:
    """Each object says its model under `PART`; a field that may be absent has no default."""
    schema = run_schema()
    definitions = schema.pop("$defs")
    return _resolved({**schema, PART: schema["title"]}, definitions)


def _resolved(node: Schema, definitions: Schema) -> Schema:
    node = _named(_not_null(node), definitions)
    node.pop("title", None)
    if node.get("default", ...) is None:
        del node["default"]
    if "description" in node:
        node["description"] = _camel(node["description"])
    if "properties" in node:
        node["properties"] = {name: _resolved(inner, definitions) for name, inner in node["properties"].items()}
    for key in ("items", "additionalProperties"):
        if isinstance(node.get(key), dict):
            node[key] = _resolved(node[key], definitions)
    return node


def _not_null(node: Schema) -> Schema:
    """`X | None` as X. Raises ValueError for another union: a CRD has none."""
    options = node.get("anyOf")
    if options is None:
        return dict(node)
    given = [option for option in options if option.get("type") != "null"]
    if len(given) != 1:
        raise ValueError(f"a manifest's field has one type, this has {len(given)}: {node}")
    return {**given[0], **{key: value for key, value in node.items() if key != "anyOf"}}


def _named(node: Schema, definitions: Schema) -> Schema:
    """What the field says of itself stands before what its model says."""
    reference = node.pop("$ref", None)
    if reference is None:
        return node
    name = reference.rpartition("/")[2]
    return {**definitions[name], PART: name, **node}


def _camel(text: str) -> str:
    """Fields are named as a manifest names them."""
    return re.sub(r"`([a-z]+(?:_[a-z]+)+)`", lambda found: f"`{to_camel(found[1])}`", " ".join(text.split()))
