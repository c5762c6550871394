"""Making the pods of a run: few first, more as it goes well, none after the first refusal."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from typing import Any

from mobilegym.operator.api import Api
from mobilegym.operator.errors import Exists, NotFound, Refused
from mobilegym.operator.kinds import POD
from mobilegym.operator.observed import Pod
from mobilegym.operator.store import Key, Store, owner_of

log = logging.getLogger(__name__)

IN_FLIGHT = 50


async def create_pods(api: Api, key: Key, wanted: Sequence[dict[str, Any]], store: Store[Pod]) -> int:
    """1, 2, 4, ... at once. Returns how many were made. Raises the first ApiError, after those begun have ended."""
    left, batch, made = list(wanted), 1, 0
    while left:
        some, left = left[:batch], left[batch:]
        results = await asyncio.gather(*(_create(api, key, pod, store) for pod in some), return_exceptions=True)
        made += sum(result is True for result in results)
        for result in results:
            if isinstance(result, BaseException):
                raise result
        batch = min(batch * 2, IN_FLIGHT)
    return made


async def _create(api: Api, key: Key, wanted: dict[str, Any], store: Store[Pod]) -> bool:
    """False where it is there already, or an object of this name has yet to go."""
    name = wanted["metadata"]["name"]
    if store.get(key, name) is not None:
        return False
    try:
        store.put(await api.create(POD, key.namespace, wanted))
    except Exists:
        return await _adopt(api, key, wanted, store)
    except NotFound as error:
        raise Refused(f"Pod/{name}", "NotFound", str(error)) from error
    return True


async def _adopt(api: Api, key: Key, wanted: dict[str, Any], store: Store[Pod]) -> bool:
    """The watch has not told of it yet, or it is somebody else's."""
    name = wanted["metadata"]["name"]
    try:
        found = await api.get(POD, key.namespace, name)
    except NotFound:  # it went meanwhile: the next look makes it
        return False
    owner = owner_of(found)
    if owner == owner_of(wanted):
        store.put(found)
    elif not owner:
        raise Refused(f"Pod/{name}", "AlreadyExists", f"a pod {name} is there that no run owns: delete it")
    return False
