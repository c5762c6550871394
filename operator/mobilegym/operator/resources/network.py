"""Who may speak to whom: everything that is not named here is refused, both ways."""

from __future__ import annotations

from typing import Any

from mobilegym.operator import names
from mobilegym.operator.resources import url
from mobilegym.operator.resources.context import Context
from mobilegym.operator.resources.secret import redis_url
from mobilegym.operator.resources.stamp import Object, named, stamp
from mobilegym.run.manifest import Policies

Rule = dict[str, Any]

REDIS_PORT = 6379
NAMESPACE = "kubernetes.io/metadata.name"
EVERY_NAMESPACE: Rule = {"namespaceSelector": {}}
# Clouds hand out a node's credentials at the excepted addresses. Pods are named apart: some networks (Cilium) do not
# count them among IP blocks.
ANYWHERE: tuple[Rule, ...] = (
    {"ipBlock": {"cidr": "0.0.0.0/0", "except": ["169.254.169.254/32"]}},
    {"ipBlock": {"cidr": "::/0", "except": ["fd00:ec2::254/128"]}},
    EVERY_NAMESPACE,
)
NODE_DNS = {"ipBlock": {"cidr": "169.254.20.10/32"}}  # NodeLocal DNSCache


def network(context: Context) -> list[Object]:
    if context.spec.network.policies is Policies.NONE:
        return []
    return [workers_policy(context), learner_policy(context)]


def workers_policy(context: Context) -> Object:
    return _policy(
        context,
        names.workers_name(context.name),
        names.WORKER,
        ingress=[_scraping(context, names.METRICS_PORT)],
        egress=[_dns(), *_redis(context, names.WORKER), _engine(context), *_blobs(context)],
    )


def learner_policy(context: Context) -> Object:
    """Whoever reaches the engine can change its weights: that is the run's workers, and a namespace that is named to
    scrape its metrics."""
    if context.spec.engine.url is not None:
        return _policy(
            context,
            names.learner_name(context.name),
            names.LEARNER,
            ingress=[_scraping(context, names.METRICS_PORT)],
            egress=[_dns(), *_redis(context, names.LEARNER), _engine(context), *_blobs(context)],
        )
    scraped = [names.METRICS_PORT]
    if context.settings.monitoring_namespace is not None:
        scraped.append(names.ENGINE_PORT)
    workers = {"podSelector": {"matchLabels": names.selector(context.name, names.WORKER)}}
    return _policy(
        context,
        names.learner_name(context.name),
        names.LEARNER,
        ingress=[{"from": [workers], "ports": _ports(names.ENGINE_PORT)}, _scraping(context, *scraped)],
        egress=[_dns(), *_redis(context, names.LEARNER), *_blobs(context)],
    )


def _policy(context: Context, name: str, part: str, *, ingress: list[Rule], egress: list[Rule]) -> Object:
    spec = {
        "podSelector": {"matchLabels": names.selector(context.name, part)},
        "policyTypes": ["Ingress", "Egress"],
        "ingress": ingress,
        "egress": egress,
    }
    return stamp(named(context, "networking.k8s.io/v1", "NetworkPolicy", name, part=part) | {"spec": spec})


def _dns() -> Rule:
    ports = [{"protocol": protocol, "port": 53} for protocol in ("UDP", "TCP")]
    return {"to": [EVERY_NAMESPACE, NODE_DNS], "ports": ports}


def _redis(context: Context, role: str) -> list[Rule]:
    """The chart's Redis by its labels; another one may be anywhere."""
    settings, stream = context.settings, context.spec.stream
    if stream.redis_secret is None and stream.redis_url is None and settings.redis_selector:
        namespace = {"matchLabels": {NAMESPACE: settings.redis_namespace or settings.namespace}}
        pods = {"matchLabels": dict(settings.redis_selector)}
        return [{"to": [{"namespaceSelector": namespace, "podSelector": pods}], "ports": _ports(REDIS_PORT)}]
    return _outside(redis_url(context, role) or f"redis://:{REDIS_PORT}")


def _engine(context: Context) -> Rule:
    given = context.spec.engine.url
    if given is not None:
        return _outside(given)[0]
    learner = {"podSelector": {"matchLabels": names.selector(context.name, names.LEARNER)}}
    return {"to": [learner], "ports": _ports(names.ENGINE_PORT)}


def _blobs(context: Context) -> list[Rule]:
    given = context.spec.blobs.url
    return [] if given is None else _outside(given)


def _scraping(context: Context, *ports: int) -> Rule:
    namespace = context.settings.monitoring_namespace
    if namespace is None:
        return {"ports": _ports(*ports)}
    return {"from": [{"namespaceSelector": {"matchLabels": {NAMESPACE: namespace}}}], "ports": _ports(*ports)}


def _outside(target: str) -> list[Rule]:
    port = url.port(target)
    return [] if port is None else [{"to": list(ANYWHERE), "ports": _ports(port)}]


def _ports(*ports: int) -> list[Rule]:
    return [{"protocol": "TCP", "port": port} for port in ports]
