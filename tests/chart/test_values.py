"""Values: each described, each checked, a wrong one refused by name."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
import yaml
from tests.chart import values_table
from tests.chart.chart import CHART, Refused, render

SCHEMA = json.loads((CHART / "values.schema.json").read_text())
DEFAULTS = yaml.safe_load((CHART / "values.yaml").read_text())
FREE = {"global", "strings", "quantities"}  # maps of names that are the user's


def leaves(value: Any, path: str = "") -> Iterator[str]:
    """Paths of what is no map, and of empty maps."""
    if isinstance(value, dict) and value:
        for key, below in value.items():
            yield from leaves(below, f"{path}.{key}" if path else key)
    else:
        yield path


def objects(schema: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    if isinstance(schema, dict):
        if schema.get("type") == "object":
            yield name, schema
        for key, below in schema.items():
            yield from objects(below, key)


def test_every_value_stands_in_the_readme_with_its_default() -> None:
    assert values_table.current() == values_table.table(), "run: python -m tests.chart.values_table"


def test_every_value_is_described() -> None:
    described = [value.path for value in values_table.values()]
    assert [leaf for leaf in leaves(DEFAULTS) if not any(f"{leaf}.".startswith(f"{path}.") for path in described)] == []


def test_the_schema_leaves_no_key_unknown() -> None:
    open_ones = {name for name, schema in objects(SCHEMA) if schema.get("additionalProperties") is not False}
    assert open_ones == FREE


def test_every_value_stands_in_the_schema() -> None:
    def missing(values: Any, schema: Any, path: str) -> Iterator[str]:
        if "properties" not in schema:
            return
        for key, below in values.items():
            if key not in schema["properties"]:
                yield f"{path}{key}"
            elif isinstance(below, dict):
                yield from missing(below, schema["properties"][key], f"{path}{key}.")

    assert list(missing(DEFAULTS, SCHEMA, "")) == []


TYPOS: dict[str, Any] = {
    "operater": {"operater": {"replicas": 1}},
    "persistance": {"redis": {"persistance": {"size": "1Gi"}}},
    "podMonitor": {"monitoring": {"podMonitor": True}},
    "existingsecret": {"redis": {"auth": {"existingsecret": "x"}}},
    "request": {"operator": {"resources": {"request": {"cpu": "1"}}}},
    "efect": {"operator": {"tolerations": [{"key": "a", "efect": "NoSchedule"}]}},
    "Namespace": {"watch": {"Namespace": "x"}},
}


@pytest.mark.parametrize("key", TYPOS)
def test_a_misspelt_key_is_refused_by_name(key: str) -> None:
    with pytest.raises(Refused, match=f"'{key}' not allowed"):
        render(TYPOS[key])


WRONG: list[tuple[str, Any]] = [
    ("/operator/replicas", {"operator": {"replicas": "two"}}),
    ("/operator/replicas", {"operator": {"replicas": 3}}),
    ("/crds/install", {"crds": {"install": "yes"}}),
    ("/redis/maxmemory", {"redis": {"maxmemory": "lots"}}),
    ("/redis/maxmemory", {"redis": {"maxmemory": 2}}),
    ("/redis/persistence/size", {"redis": {"persistence": {"size": "16 GB"}}}),
    ("/redis/external/urls/worker", {"redis": {"external": {"urls": {"worker": "http://x"}}}}),
    ("/redis/external/port", {"redis": {"external": {"port": 70000}}}),
    ("/networkPolicy/apiServerPorts", {"networkPolicy": {"apiServerPorts": []}}),
    ("/images/pullPolicy", {"images": {"pullPolicy": "Sometimes"}}),
    ("/images/operator", {"images": {"operator": ""}}),
    ("/monitoring/labels/team", {"monitoring": {"labels": {"team": 1}}}),
    ("/seccomp/profile", {"seccomp": {"profile": "../up.json"}}),
    ("/watch/namespace", {"watch": {"namespace": "Not A Name"}}),
]


@pytest.mark.parametrize(("where", "values"), WRONG, ids=[where for where, _ in WRONG])
def test_a_wrong_value_is_refused_by_its_place(where: str, values: Any) -> None:
    with pytest.raises(Refused, match=f"at '{where}'"):
        render(values)


URLS = {"operator": "redis://a", "worker": "redis://b", "learner": "redis://c"}
CLASHES: list[tuple[str, Any]] = [
    ("give redis.external.secret or redis.external.urls", {"redis": {"enabled": False}}),
    ("redis.enabled must be false", {"redis": {"external": {"secret": "x"}}}),
    ("secret or urls, not both", {"redis": {"enabled": False, "external": {"secret": "x", "urls": URLS}}}),
    ("operator, worker and learner", {"redis": {"enabled": False, "external": {"urls": {"worker": "redis://b"}}}}),
]


@pytest.mark.parametrize(("message", "values"), CLASHES, ids=[message for message, _ in CLASHES])
def test_values_that_contradict_each_other_are_refused(message: str, values: Any) -> None:
    with pytest.raises(Refused, match=message):
        render(values)


def test_a_release_name_that_makes_too_long_names_is_refused() -> None:
    with pytest.raises(Refused, match="40 at most"):
        render(release="a" * 41)
