"""Whether the cluster's CRD is the one that this operator was built for."""

from __future__ import annotations

import importlib
import importlib.util
import logging

from mobilegym.operator import names
from mobilegym.operator.api import Api
from mobilegym.operator.errors import NotFound, Refused
from mobilegym.operator.kinds import CRD

log = logging.getLogger(__name__)

CRD_NAME = f"{names.PLURAL}.{names.GROUP}"


class NoCrd(Exception):
    """MobileGymRun is not served; the message says how to get it."""


class Schema:
    """`known` is what the last check found. A newer CRD may hold fields that this operator would lose."""

    def __init__(self, api: Api, own: str | None) -> None:
        self._api = api
        self._own = own
        self.known = True

    async def check(self) -> bool:
        """True where the answer has changed. Raises NoCrd."""
        if self._own is None:
            return False
        try:
            crd = await self._api.get(CRD, None, CRD_NAME)
        except NotFound as error:
            raise NoCrd(f"{CRD_NAME} is not served: install the CRD, for example with the chart") from error
        except Refused as error:
            log.warning("the CRD's schema cannot be checked: %s", error)
            return False
        served = (crd["metadata"].get("annotations") or {}).get(names.SCHEMA)
        before, self.known = self.known, served == self._own
        if not self.known and before:
            log.error("the CRD has schema %s, this operator knows %s: runs are left alone", served, self._own)
        return before != self.known


def own_hash() -> str | None:
    """Of the schema this operator was built for; None where it carries none."""
    if importlib.util.find_spec("mobilegym.operator.crd") is None:
        return None
    return str(importlib.import_module("mobilegym.operator.crd").schema_hash())
