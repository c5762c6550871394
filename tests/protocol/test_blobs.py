"""Blob stores, all three kinds."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from redis import Redis

from mobilegym.protocol.blobs import BlobStore, DirectoryBlobs, RedisBlobs, blob_key, open_blobs
from mobilegym.protocol.errors import BlobCorrupt, BlobNotFound, BlobUnavailable


@pytest.fixture(params=["directory", "fsspec", "redis"])
def store(request: pytest.FixtureRequest, tmp_path: Path, run_name: str) -> Iterator[BlobStore]:
    if request.param == "redis":
        redis = RedisBlobs(request.getfixturevalue("redis_url"), run_name)
        yield redis
        redis.close()
    else:
        yield DirectoryBlobs(tmp_path if request.param == "directory" else f"memory://{run_name}")


def test_what_was_put_is_got(store: BlobStore) -> None:
    key = store.put(b"picture")
    assert key == blob_key(b"picture")
    assert store.put(b"picture") == key
    assert store.has(key)
    assert store.get(key) == b"picture"


def test_a_missing_blob_is_named(store: BlobStore) -> None:
    key = blob_key(b"never stored")
    assert not store.has(key)
    with pytest.raises(BlobNotFound, match=key):
        store.get(key)


def test_a_damaged_blob_is_refused(tmp_path: Path) -> None:
    store = DirectoryBlobs(tmp_path)
    key = store.put(b"picture")
    (tmp_path / key[:2] / key).write_bytes(b"pic")
    with pytest.raises(BlobCorrupt, match="3 bytes"):
        store.get(key)


def test_a_store_that_cannot_be_written_says_so(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(BlobUnavailable, match="could not be written"):
        DirectoryBlobs(tmp_path / "file").put(b"picture")


def test_nothing_but_whole_blobs_is_left_in_a_directory(tmp_path: Path) -> None:
    key = DirectoryBlobs(tmp_path).put(b"picture")
    assert [path.name for path in tmp_path.rglob("*") if path.is_file()] == [key]


def test_the_address_chooses_the_kind(tmp_path: Path) -> None:
    assert isinstance(open_blobs(tmp_path, "r"), DirectoryBlobs)
    redis = open_blobs("redis://127.0.0.1:1/0", "r")
    assert isinstance(redis, RedisBlobs)
    with pytest.raises(BlobUnavailable, match="did not store"):
        redis.put(b"x")


def test_a_blob_in_redis_expires_after_the_time_given(redis_url: str, run_name: str) -> None:
    store = open_blobs(redis_url, run_name, keep_seconds=600)
    assert isinstance(store, RedisBlobs)
    key = store.put(b"picture")
    with Redis.from_url(redis_url) as client:
        assert 590 < client.ttl(f"mg:{{{run_name}}}:blob:{key}") <= 600
    store.close()
