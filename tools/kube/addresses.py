"""Loopback addresses and ports for one control plane, apart from those of another on the same machine."""

from __future__ import annotations

import random
import socket

SPANS = 30
CLAIM_PORT = 19099
# Below the kernel's ephemeral ports: a server that starts again finds its port free.
PORTS = range(20000, 32000)


class Span:
    """The networks of one control plane: Services in 127.(96+n).0.0/16, pods in 127.(1+n).0.0/16.

    Claimed by a bound socket: free again when this process ends, however it ends.
    """

    def __init__(self) -> None:
        for number in range(SPANS):
            claim = socket.socket()
            try:
                claim.bind((f"127.{96 + number}.255.254", CLAIM_PORT))
            except OSError:
                claim.close()
                continue
            self._claim, self.number = claim, number
            return
        raise RuntimeError(f"all {SPANS} address spans are taken: stop a control plane that still runs")

    @property
    def services(self) -> str:
        return f"127.{96 + self.number}.0.0/16"

    @property
    def pods(self) -> str:
        return f"127.{1 + self.number}"

    def release(self) -> None:
        self._claim.close()


class PodAddresses:
    """Hands out pod addresses, each again only after all others."""

    def __init__(self, prefix: str) -> None:
        self._prefix = prefix
        self._next = 255
        self._taken: set[str] = set()

    def take(self) -> str:
        for _ in range(65536):
            self._next = self._next + 1 if self._next < 254 * 256 else 256
            low = self._next % 256
            address = f"{self._prefix}.{self._next // 256}.{low}"
            if low not in (0, 255) and address not in self._taken:
                self._taken.add(address)
                return address
        raise RuntimeError("no pod address is left")

    def give_back(self, address: str) -> None:
        self._taken.discard(address)


def free_port(host: str = "127.0.0.1") -> int:
    """A port nobody listens on, which no outgoing connection will be given either."""
    for port in random.sample(PORTS, 200):
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((host, port))
            except OSError:
                continue
            return port
    raise RuntimeError(f"no free port on {host} among {PORTS}")
