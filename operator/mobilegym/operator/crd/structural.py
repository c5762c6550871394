"""From the manifest's tree to a structural schema, as a CustomResourceDefinition wants it.

Kubernetes' API conventions know no floating point: a fraction is text, a duration whole seconds.
"""

from __future__ import annotations

import math
from typing import Any

from mobilegym.operator.crd.resolve import PART, Schema
from mobilegym.operator.crd.rules import RULES, Rule

FRACTION = "^[0-9]{1,12}(\\.[0-9]{1,12})?([eE][-+]?[0-9]{1,2})?$"
FRACTION_LENGTH = 32


def structural(node: Schema) -> Schema:
    """Raises ValueError where a field has no bound: the API server could not estimate what its rules cost."""
    kind = _quantity if node.get("format") == "quantity" else _KINDS[node["type"]]
    description = {"description": node["description"]} if "description" in node else {}
    default = _value(node, node.get("default"))
    return {**description, **kind(node), **({} if default in _NOTHING else {"default": default})}


def _object(node: Schema) -> Schema:
    if "properties" not in node:
        length = {"maxProperties": _bound(node, "maxProperties")}
        return {"type": "object", **length, "additionalProperties": structural(node["additionalProperties"])}
    written: Schema = {"type": "object"}
    if "required" in node:
        written["required"] = node["required"]
    written["properties"] = {name: structural(inner) for name, inner in node["properties"].items()}
    rules = [rule.written() for rule in RULES.get(node[PART], ())]
    return {**written, "x-kubernetes-validations": rules} if rules else written


def _array(node: Schema) -> Schema:
    bounds: Schema = {key: node[key] for key in ("minItems", "maxItems") if key in node}
    _bound(node, "maxItems")
    return {"type": "array", **bounds, "x-kubernetes-list-type": "atomic", "items": structural(node["items"])}


def _string(node: Schema) -> Schema:
    if "enum" in node or "const" in node:
        return {"type": "string", "enum": node.get("enum") or [node["const"]]}
    _bound(node, "maxLength")
    return {"type": "string", **{key: node[key] for key in ("minLength", "maxLength", "pattern") if key in node}}


def _quantity(node: Schema) -> Schema:
    """`cpu: 4` is a number to YAML."""
    return {
        "anyOf": [{"type": "integer"}, {"type": "string"}],
        "minimum": 0,
        "maxLength": node["maxLength"],
        "pattern": node["pattern"],
        "x-kubernetes-int-or-string": True,
    }


def _integer(node: Schema) -> Schema:
    return {"type": "integer", **{key: node[key] for key in ("minimum", "maximum") if key in node}}


def _number(node: Schema) -> Schema:
    if node.get("format") == "seconds":
        return {"type": "integer", "minimum": 1, "maximum": _bound(node, "maximum")}
    shape = {"type": "string", "maxLength": FRACTION_LENGTH, "pattern": FRACTION}
    return {**shape, "x-kubernetes-validations": [_within(node).written()]}


_KINDS = {
    "object": _object,
    "array": _array,
    "string": _string,
    "integer": _integer,
    "number": _number,
    "boolean": lambda _: {"type": "boolean"},
}
_NOTHING: tuple[Any, ...] = (None, [], {})  # as defaults, these only make objects longer
BOUNDS = {"exclusiveMinimum": ">", "minimum": ">=", "exclusiveMaximum": "<", "maximum": "<="}


def _within(node: Schema) -> Rule:
    bounds = [(sign, node[key]) for key, sign in BOUNDS.items() if key in node]
    words = " and ".join(f"{sign} {bound:g}" for sign, bound in bounds)
    return Rule(
        field="",
        rule=" && ".join(f"double(self) {sign} {float(bound)}" for sign, bound in bounds),
        message=f"must be {words}",
        words=f"'got %s, must be {words}'.format([self])",
    )


def _value(node: Schema, value: Any) -> Any:
    """A default as the API server keeps it. Whole objects: it checks their rules before it fills in their fields."""
    if value is None:
        return None
    if node["type"] == "object" and "properties" in node:
        fields = {name: _value(node["properties"][name], inner) for name, inner in value.items()}
        return {name: inner for name, inner in fields.items() if inner not in _NOTHING}
    if node["type"] == "number":
        return _whole(value) if node.get("format") == "seconds" else fraction(value)
    return value


def _whole(value: float) -> int:
    if not float(value).is_integer():
        raise ValueError(f"a default of {value} s cannot be written in whole seconds")
    return int(value)


def fraction(value: float) -> str:
    """As a person writes it: 1e-6, 0.28, 2."""
    if not math.isfinite(value):
        raise ValueError(f"{value} is no fraction")
    mantissa, _, exponent = f"{value:.12g}".partition("e")
    return f"{mantissa}e{int(exponent)}" if exponent else mantissa


def _bound(node: Schema, key: str) -> Any:
    if key not in node:
        raise ValueError(f"{key} is missing: {node}")
    return node[key]
