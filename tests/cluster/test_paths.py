"""Mount paths in text, and `$(NAME)`."""

from __future__ import annotations

from pathlib import Path

import pytest
from tools.kube.environment import expand
from tools.kube.images import Images
from tools.kube.paths import Paths

PATHS = Paths({"/data": Path("/h/v1"), "/data/deep": Path("/h/v2"), "/etc/app/": Path("/h/v3")})


@pytest.mark.parametrize(
    ("text", "real"),
    [
        ("/data", "/h/v1"),
        ("/data/x", "/h/v1/x"),
        ("/data/deep/x", "/h/v2/x"),
        ("/data/deeper", "/h/v1/deeper"),
        ("@/etc/app/key", "@/h/v3/key"),
        ("--dir=/data --again=/data", "--dir=/h/v1 --again=/h/v1"),
        ("file:///data/x", "file:///h/v1/x"),
        ("[/data, '/data']", "[/h/v1, '/h/v1']"),
        ("/var/data", "/var/data"),
        ("/data2 /data-old x/data", "/data2 /data-old x/data"),
        ("http://host/data", "http://host/data"),
    ],
)
def test_a_mount_path_is_replaced_where_it_is_a_path(text: str, real: str) -> None:
    assert PATHS.real(text) == real


def test_without_mounts_nothing_is_replaced() -> None:
    assert Paths({}).real("/data") == "/data"


@pytest.mark.parametrize(
    ("text", "value"),
    [("$(A)", "1"), ("x$(A)y$(A)", "x1y1"), ("$$(A)", "$(A)"), ("$(B)", "$(B)"), ("$A $", "$A $"), ("$$$$", "$$")],
)
def test_references_expand_as_in_kubernetes(text: str, value: str) -> None:
    assert expand(text, {"A": "1"}) == value


@pytest.mark.parametrize(
    ("image", "known"),
    [
        ("mobilegym/worker:0.1.0", True),
        ("redis", True),
        ("redis:7.4", True),
        ("docker.io/library/redis@sha256:0", True),
        ("redislike:1", False),
        ("example.org/mobilegym/worker", False),
    ],
)
def test_known_images(image: str, known: bool) -> None:
    assert (Images().command(image) is not None) is known
