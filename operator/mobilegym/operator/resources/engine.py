"""The policy engine as others reach it: its Service, its address."""

from __future__ import annotations

from mobilegym.operator import names
from mobilegym.operator.resources.context import Context
from mobilegym.operator.resources.stamp import Object, named, stamp


def engine_url(context: Context) -> str:
    """The run's own engine, unless it names another one."""
    host = f"{names.engine_name(context.name)}.{context.namespace}.svc"
    return context.spec.engine.url or f"http://{host}:{names.ENGINE_PORT}"


def engine_service(context: Context) -> Object | None:
    """None where the engine is somebody else's."""
    if context.spec.engine.url is not None:
        return None
    spec = {
        "type": "ClusterIP",
        "selector": names.selector(context.name, names.LEARNER),
        "ports": [
            {"name": "http", "protocol": "TCP", "port": names.ENGINE_PORT, "targetPort": names.ENGINE_PORT},
        ],
    }
    wanted = named(context, "v1", "Service", names.engine_name(context.name), part=names.LEARNER)
    return stamp(wanted | {"spec": spec})
