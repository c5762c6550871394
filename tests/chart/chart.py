"""The chart, rendered as a user's helm would."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import yaml
from tools.kube.binaries import find_client

CHART = Path(__file__).resolve().parents[2] / "charts" / "mobilegym"
NAMESPACE = "gym"
RELEASE = "mg"
MONITORING = ("monitoring.coreos.com/v1/PodMonitor", "monitoring.coreos.com/v1/PrometheusRule")

Object = dict[str, Any]


class Refused(Exception):
    """What helm said."""


def helm(*args: str) -> str:
    """What helm prints. Raises Refused."""
    done = subprocess.run([str(find_client("helm")), *args], capture_output=True, text=True, timeout=60)
    if done.returncode:
        raise Refused(done.stderr)
    return done.stdout


def render(values: Object | None = None, *, served: tuple[str, ...] = (), release: str = RELEASE) -> list[Object]:
    """The objects, in helm's order; `served` are API versions that the cluster has besides its own."""
    apis = [f"--api-versions={api}" for api in served]
    command = [str(find_client("helm")), "template", release, str(CHART), "--namespace", NAMESPACE, "--values=-", *apis]
    done = subprocess.run(command, input=yaml.safe_dump(values or {}), capture_output=True, text=True, timeout=60)
    if done.returncode:
        raise Refused(done.stderr)
    return [document for document in yaml.safe_load_all(done.stdout) if document]


def one(objects: list[Object], kind: str, name: str) -> Object:
    """The only object of that kind and name."""
    (found,) = (each for each in objects if each["kind"] == kind and each["metadata"]["name"] == name)
    return found


def named(objects: list[Object]) -> set[str]:
    return {f"{each['kind']}/{each['metadata']['name']}" for each in objects}


def pods(objects: list[Object]) -> list[Object]:
    """Every pod spec among them."""
    specs = [each["spec"]["template"]["spec"] for each in objects if "template" in (each.get("spec") or {})]
    return specs + [each["spec"] for each in objects if each["kind"] == "Pod"]
