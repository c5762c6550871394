"""Addresses given as they are, or by a file."""

from __future__ import annotations

from pathlib import Path

import pytest

from mobilegym.protocol.address import blobs_address, redis_address
from mobilegym.protocol.errors import AddressError

URL = "redis://worker:s3cret@redis:6379/0"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "worker"


@pytest.mark.parametrize("url", [URL, "rediss://redis:6380/1", "unix:///run/redis.sock", "redis://[::1]:6379"])
def test_a_url_is_taken_as_it_is_and_out_of_a_file(url: str, file: Path) -> None:
    file.write_text(f"{url}\n")
    assert redis_address(url) == redis_address(f"@{file}") == blobs_address(f"@{file}") == url


@pytest.mark.parametrize("where", ["/var/lib/blobs", "blobs", "s3://bucket/prefix", "file:///blobs", "memory://x"])
def test_blobs_may_lie_in_a_folder_or_anywhere_with_a_url(where: str) -> None:
    assert blobs_address(where) == where


def test_a_missing_file_is_named(file: Path) -> None:
    with pytest.raises(AddressError, match=f"--redis: {file} cannot be read"):
        redis_address(f"@{file}")


def test_an_empty_file_is_named(file: Path) -> None:
    file.write_text(" \n")
    with pytest.raises(AddressError, match=f"--blobs: {file} is empty"):
        blobs_address(f"@{file}")


@pytest.mark.parametrize(
    "text",
    [
        "s3cret",
        "redis:s3cret@redis",
        "http://s3cret@redis",
        "redis://:s3cret#x@redis:6379",
        "redis://:s3cret/x@redis:6379",
        "redis://",
        "redis://a:s3cret@redis two",
        "redis://:s3cret@[redis",
    ],
)
def test_what_is_no_url_is_refused_without_showing_it(text: str, file: Path) -> None:
    file.write_text(text)
    with pytest.raises(AddressError, match="is no URL: write it like redis://host") as caught:
        redis_address(f"@{file}")
    assert "s3cret" not in str(caught.value)
    assert str(file) in str(caught.value)
    assert caught.value.__cause__ is None
    with pytest.raises(AddressError, match="--redis is no URL"):
        redis_address(text)


def test_a_file_that_is_no_text(file: Path) -> None:
    file.write_bytes(b"\xff\xfe")
    with pytest.raises(AddressError, match="is no text"):
        redis_address(f"@{file}")
