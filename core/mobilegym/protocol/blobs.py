"""Content-addressed blobs: screenshots by their sha256. Storing is idempotent; reading verifies."""

from __future__ import annotations

import hashlib
import os
import tempfile
from abc import ABC, abstractmethod
from pathlib import Path
from typing import Any

import fsspec
from redis import Redis
from redis.exceptions import RedisError

from mobilegym.protocol.errors import BlobCorrupt, BlobNotFound, BlobUnavailable

KEEP_SECONDS = 3600.0  # that a blob lives in Redis: longer than any episode waits to be trained on
ANSWER_SECONDS = 10.0  # that Redis may take, so that a dead peer is noticed


def blob_key(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _verified(key: str, data: bytes) -> bytes:
    if blob_key(data) != key:
        raise BlobCorrupt(f"blob {key}: {len(data)} bytes stored there hash to {blob_key(data)}; delete it")
    return data


class BlobStore(ABC):
    """Blocking calls, well under a millisecond on a local directory."""

    @abstractmethod
    def put(self, data: bytes) -> str:
        """Store, return the key (sha256, hex). Raises BlobUnavailable."""

    @abstractmethod
    def get(self, key: str) -> bytes:
        """Raises BlobNotFound, BlobCorrupt or BlobUnavailable."""

    @abstractmethod
    def has(self, key: str) -> bool: ...


class DirectoryBlobs(BlobStore):
    """A directory, or any fsspec URL (`s3://bucket/prefix`, `memory://x`). Files are `ab/abcdef...`."""

    def __init__(self, url: str | Path) -> None:
        self._fs: Any
        self._fs, root = fsspec.core.url_to_fs(str(url))
        self._root = str(root).rstrip("/")
        self._local = "file" in self._fs.protocol

    def _path(self, key: str) -> str:
        return f"{self._root}/{key[:2]}/{key}"

    def put(self, data: bytes) -> str:
        key = blob_key(data)
        try:
            if not self._fs.exists(self._path(key)):
                self._write(self._path(key), data)
        except OSError as error:
            raise BlobUnavailable(f"blob store {self._root} could not be written: {error}") from error
        return key

    def _write(self, path: str, data: bytes) -> None:
        folder = path.rpartition("/")[0]
        self._fs.makedirs(folder, exist_ok=True)
        if not self._local:
            self._fs.pipe_file(path, data)  # object stores show a file whole or not at all
            return
        handle, aside = tempfile.mkstemp(dir=folder, prefix=".")
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        os.replace(aside, path)

    def get(self, key: str) -> bytes:
        try:
            data = self._fs.cat_file(self._path(key))
        except FileNotFoundError as error:
            raise BlobNotFound(f"blob {key} is not in {self._root}") from error
        except OSError as error:
            raise BlobUnavailable(f"blob store {self._root} could not be read: {error}") from error
        return _verified(key, data)

    def has(self, key: str) -> bool:
        return bool(self._fs.exists(self._path(key)))


class RedisBlobs(BlobStore):
    """Keys that expire: the fallback where processes share no directory. Putting again renews the expiry."""

    def __init__(self, url: str, run: str, *, keep_seconds: float = KEEP_SECONDS) -> None:
        tcp: dict[str, Any] = {} if url.startswith("unix:") else {"socket_connect_timeout": 5}
        self._redis = Redis.from_url(url, protocol=2, socket_timeout=ANSWER_SECONDS, health_check_interval=30, **tcp)
        self._prefix = f"mg:{{{run}}}:blob:"
        self._ttl_ms = round(keep_seconds * 1000)

    def put(self, data: bytes) -> str:
        key = blob_key(data)
        try:
            self._redis.set(self._prefix + key, data, px=self._ttl_ms)
        except RedisError as error:
            raise BlobUnavailable(f"Redis did not store a blob of {len(data)} bytes: {error}") from error
        return key

    def get(self, key: str) -> bytes:
        try:
            data = self._redis.get(self._prefix + key)
        except RedisError as error:
            raise BlobUnavailable(f"Redis did not answer for blob {key}: {error}") from error
        if data is None:
            raise BlobNotFound(f"blob {key} is not in Redis: it was never stored, or it has expired")
        return _verified(key, bytes(data))  # type: ignore[arg-type]

    def has(self, key: str) -> bool:
        try:
            return bool(self._redis.exists(self._prefix + key))
        except RedisError as error:
            raise BlobUnavailable(f"Redis did not answer for blob {key}: {error}") from error

    def close(self) -> None:
        self._redis.close()


def open_blobs(where: str | Path, run: str, *, keep_seconds: float = KEEP_SECONDS) -> BlobStore:
    """`redis://...` for the fallback, which forgets after `keep_seconds`; else a directory or fsspec URL."""
    if str(where).startswith(("redis://", "rediss://", "unix://")):
        return RedisBlobs(str(where), run, keep_seconds=keep_seconds)
    return DirectoryBlobs(where)
