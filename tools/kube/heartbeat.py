"""Tells the API server, from a thread of its own, that the nodes live.

Of its own because the event loop that runs thousands of pods would starve it, and every pod of a node that is not heard
from flips to NotReady.
"""

from __future__ import annotations

import http.client
import logging
import ssl
import threading
from datetime import UTC, datetime

import msgspec
from tools.kube.api import MERGE, STRATEGIC, Json
from tools.kube.node import Node, conditions

log = logging.getLogger(__name__)


class Heartbeat:
    """Renews each node's Lease and its conditions every `period` seconds."""

    def __init__(self, *, port: int, token: str, authority: bytes, period: float = 5.0) -> None:
        self._port, self._token, self._period = port, token, period
        self._context = ssl.create_default_context(cadata=authority.decode())
        self._nodes: set[Node] = set()
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._run, name="heartbeat", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._end.set()
        self._thread.join(10)

    def add(self, node: Node) -> None:
        self._nodes = self._nodes | {node}

    def remove(self, node: Node) -> None:
        self._nodes = self._nodes - {node}

    def _run(self) -> None:
        while not self._end.wait(self._period):
            try:
                self._beat()
            except (OSError, http.client.HTTPException) as error:
                log.debug("heartbeat: %r", error)

    def _beat(self) -> None:
        connection = http.client.HTTPSConnection("127.0.0.1", self._port, context=self._context, timeout=5)
        try:
            for node in self._nodes:
                renewed = {"spec": {"renewTime": datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")}}
                path = f"/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/{node.name}"
                self._patch(connection, path, renewed, MERGE)
                self._patch(
                    connection, f"/api/v1/nodes/{node.name}/status", {"status": {"conditions": conditions()}}, STRATEGIC
                )
        finally:
            connection.close()

    def _patch(self, connection: http.client.HTTPSConnection, path: str, body: Json, kind: str) -> None:
        headers = {"Authorization": f"Bearer {self._token}", "Content-Type": kind}
        connection.request("PATCH", path, msgspec.json.encode(body), headers)
        answer = connection.getresponse()
        answer.read()
        if answer.status >= 400:
            log.warning("heartbeat: PATCH %s: %d", path, answer.status)
