"""URLs with passwords: a Secret of the run's own, and the files in which its pods find them."""

from __future__ import annotations

from base64 import b64encode

from mobilegym.operator import names
from mobilegym.operator.resources.context import Context
from mobilegym.operator.resources.stamp import Object, named, stamp
from mobilegym.operator.resources.url import has_secret
from mobilegym.operator.resources.volume import Volume

ROLES = (names.WORKER, names.LEARNER)
BLOBS = "blobs"  # key, and name of the volume
BLOBS_PATH = "/etc/mobilegym/blobs"
READABLE = 0o440  # by the pod's group


def redis_url(context: Context, role: str) -> str | None:
    """That the role's pods get; None where it is not known."""
    return context.spec.stream.redis_url or (context.redis_urls or {}).get(role)


def secret(context: Context) -> Object | None:
    """None where the run brings all it needs, or where the operator has no Redis to offer."""
    words: dict[str, str] = {}
    if context.spec.stream.redis_secret is None:
        words |= {role: url for role in ROLES if (url := redis_url(context, role)) is not None}
    blobs = context.spec.blobs.url
    if blobs is not None and has_secret(blobs):
        words[BLOBS] = blobs
    if not words:
        return None
    data = {key: b64encode(word.encode()).decode() for key, word in words.items()}
    wanted = named(context, "v1", "Secret", names.secret_name(context.name))
    return stamp(wanted | {"type": "Opaque", "data": data})


def volumes(context: Context, role: str) -> tuple[Volume, ...]:
    """Only the role's own URL is in its pods."""
    given = context.spec.stream.redis_secret
    own = names.secret_name(context.name)
    redis = _file("redis", names.REDIS_PATH, given.name if given else own, given.key if given else role, role)
    blobs = context.spec.blobs.url
    if blobs is None or not has_secret(blobs):
        return (redis,)
    return redis, _file(BLOBS, BLOBS_PATH, own, BLOBS, "url")


def redis_argument(role: str) -> str:
    return f"@{names.REDIS_PATH}/{role}"


def blobs_argument(context: Context, role: str) -> str:
    """Without a URL of their own, blobs are in the run's Redis."""
    url = context.spec.blobs.url
    if url is None:
        return redis_argument(role)
    return f"@{BLOBS_PATH}/url" if has_secret(url) else url


def _file(volume: str, path: str, secret: str, key: str, file: str) -> Volume:
    items = [{"key": key, "path": file}]
    source = {"secret": {"secretName": secret, "items": items, "defaultMode": READABLE}}
    return Volume(name=volume, path=path, source=source, read_only=True)
