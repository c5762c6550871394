"""Runs as both sides see them: a real API server, and `mobilegym run`."""

from __future__ import annotations

import copy
import json
from typing import Any

from kubernetes import client
from kubernetes.client.exceptions import ApiException

from mobilegym.operator import names
from mobilegym.run.errors import RunError
from mobilegym.run.load import validate_run

Manifest = dict[str, Any]
Told = list[tuple[str, str]]  # path and message of every problem


def manifest(spec: Manifest | None = None, name: str = "a-run") -> Manifest:
    return {
        "apiVersion": f"{names.GROUP}/{names.VERSION}",
        "kind": names.KIND,
        "metadata": {"name": name},
        "spec": {"model": {"preset": "pocket"}} | (spec or {}),
    }


def put(spec: Manifest, path: tuple[str, ...], value: Any) -> Manifest:
    place = spec
    for part in path[:-1]:
        place = place.setdefault(part, {})
    place[path[-1]] = value
    return spec


class Runs:
    """The runs of a namespace."""

    def __init__(self, api: client.ApiClient, namespace: str) -> None:
        self.namespace = namespace
        self._where = (names.GROUP, names.VERSION, namespace, names.PLURAL)
        self._api = client.CustomObjectsApi(api)

    def create(self, run: Manifest, dry_run: str | None = None) -> Manifest:
        make = self._api.create_namespaced_custom_object
        return _object(make(*self._where, run, field_validation="Strict", dry_run=dry_run))

    def told(self, run: Manifest) -> Told:
        """What the API server has against it."""
        try:
            self.create(run, dry_run="All")
        except ApiException as error:
            return causes(error)
        return []

    def patch(self, name: str, spec: Manifest) -> None:
        self._api.patch_namespaced_custom_object(*self._where, name, {"spec": spec})

    def patch_status(self, name: str, status: Manifest) -> Manifest:
        return _object(self._api.patch_namespaced_custom_object_status(*self._where, name, {"status": status}))

    def scale(self, name: str) -> Manifest:
        return _object(self._api.get_namespaced_custom_object_scale(*self._where, name))

    def set_scale(self, name: str, replicas: int) -> None:
        self._api.patch_namespaced_custom_object_scale(*self._where, name, {"spec": {"replicas": replicas}})


def _object(answer: Any) -> Manifest:
    assert isinstance(answer, dict)
    return answer


def causes(error: ApiException) -> Told:
    status = json.loads(error.body or "{}")
    found = (status.get("details") or {}).get("causes") or [{"field": "", "message": status["message"]}]
    return [(cause.get("field", ""), cause["message"]) for cause in found]


def local(run: Manifest) -> Told:
    """What `mobilegym run` has against it."""
    try:
        validate_run(copy.deepcopy(run))
    except RunError as error:
        return [(problem.path, problem.message) for problem in error.problems]
    return []
