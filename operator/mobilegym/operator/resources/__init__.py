"""What a run consists of on a cluster: pure functions from a manifest to objects for server-side apply."""

from mobilegym.operator.resources.children import children
from mobilegym.operator.resources.context import Context
from mobilegym.operator.resources.learner import learner_pod
from mobilegym.operator.resources.manifest import manifest_hash
from mobilegym.operator.resources.stamp import ATTEMPT, CONFIG, digest, stamp
from mobilegym.operator.resources.worker import worker_pod

__all__ = ["ATTEMPT", "CONFIG", "Context", "children", "digest", "learner_pod", "manifest_hash", "stamp", "worker_pod"]
