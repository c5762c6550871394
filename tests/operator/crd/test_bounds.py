"""Bounds of single values are the same for a real API server and for `mobilegym run`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from tests.operator.crd.runs import Manifest, Runs, local, manifest, put

from mobilegym.operator.crd.resolve import manifest_tree


def numbers(path: tuple[str, ...], node: Manifest) -> Iterator[tuple[tuple[str, ...], Manifest]]:
    for name, inner in node.get("properties", {}).items():
        if inner["type"] in ("integer", "number"):
            yield (*path, name), inner
        yield from numbers((*path, name), inner)


def around(node: Manifest) -> Iterator[Any]:
    """Values on both sides of every bound, as an API has them."""
    low = node.get("minimum", node.get("exclusiveMinimum"))
    high = node.get("maximum", node.get("exclusiveMaximum"))
    assert low is not None
    assert high is not None
    if node["type"] == "integer" or node.get("format") == "seconds":
        yield from (int(low) - 1, int(low), int(low) + 1, int(high) - 1, int(high), int(high) + 1)
    else:
        yield from (str(low), "1e-9", str(high), f"{high}.000001", "0.05")


FIELDS = dict(numbers((), manifest_tree()["properties"]["spec"]))


@pytest.mark.parametrize("path", FIELDS, ids=".".join)
def test_bounds_are_the_same_on_both_sides(path: tuple[str, ...], gate: Runs) -> None:
    for value in around(FIELDS[path]):
        run = manifest(put({"model": {"preset": "pocket"}}, path, value))
        there, here = gate.told(run), local(run)
        assert bool(there) == bool(here), f"{value!r}: {there} {here}"


@pytest.mark.parametrize("value", ["", "-1", "0,5", "1e", "nan", "inf", "0x1", "1e999", "1" * 40, True, None, [], {}])
def test_what_is_no_fraction_is_refused(value: Any, gate: Runs) -> None:
    run = manifest({"algorithm": {"temperature": value}})
    if value is not None:  # the API server takes null for absent
        assert gate.told(run)
    assert local(run)
