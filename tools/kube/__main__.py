"""`python -m tools.kube`: a cluster on this machine, until Ctrl-C."""

from __future__ import annotations

import argparse
import logging
import signal
import sys
import time
from pathlib import Path
from types import FrameType

from tools.kube.binaries import REPOSITORY, Missing
from tools.kube.cluster import CommandError
from tools.kube.controlplane import ControlPlane
from tools.kube.local import VALUES, Busy, Options, local_cluster

NEXT = """
In another terminal, in {repository}:

  export KUBECONFIG={kubeconfig} PATH={bin}:$PATH
  kubectl apply -f examples/pocket.yaml                  # start a run
  kubectl get mgr -w                                     # is it learning?
  kubectl get pods -A -o wide
  kubectl logs -f pocket-learner                         # or pocket-worker-0, ...
  kubectl describe mgr pocket                            # conditions and events
  kubectl delete mgr pocket

Ctrl-C here stops everything. What this cluster does not emulate: docs/cluster-testing.md
"""
CONTROLS = "\nCtrl-C stops everything. export KUBECONFIG={kubeconfig}\n"


def main() -> int:
    options = _options()
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
    signal.signal(signal.SIGTERM, _interrupt)
    try:
        with local_cluster(options, _say) as plane:
            text = NEXT if options.chart else CONTROLS
            print(text.format(repository=REPOSITORY, kubeconfig=plane.kubeconfig, bin=Path(sys.executable).parent))
            return _watch(plane)
    except KeyboardInterrupt:
        _say("stopped")
        return 0
    except Missing as error:
        _say(f"not found on this machine: {error}")
    except (Busy, CommandError, TimeoutError, RuntimeError) as error:
        _say(f"{error}\nlogs: {options.folder}/*.log, {options.folder}/node/logs")
    return 1


def _watch(plane: ControlPlane) -> int:
    """Until a server ends by itself."""
    while all(server.alive for server in plane.servers):
        time.sleep(1)
    ended = [server for server in plane.servers if not server.alive]
    for server in ended:
        _say(f"{server.name} ended: {server.log}\n{server.tail(800)}")
    return 1


def _options() -> Options:
    parser = argparse.ArgumentParser(prog="python -m tools.kube", description=__doc__)
    parser.add_argument("--folder", type=Path, default=REPOSITORY / ".cache" / "cluster", help="emptied at the start")
    parser.add_argument("--no-chart", dest="chart", action="store_false", help="a control plane and a node, no more")
    parser.add_argument("--values", type=Path, default=VALUES, help="values of the chart")
    parser.add_argument("--gpus", type=int, default=0, help="adds a node that claims so many GPUs")
    given = parser.parse_args()
    return Options(folder=given.folder.resolve(), chart=given.chart, values=given.values, gpus=given.gpus)


def _say(text: str) -> None:
    print(f"cluster: {text}", flush=True)


def _interrupt(number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt


if __name__ == "__main__":
    sys.exit(main())
