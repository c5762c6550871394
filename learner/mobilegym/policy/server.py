"""The engine over HTTP: OpenAI's chat completions, plus pause, resume, weight updates and version."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Awaitable, Callable
from http import HTTPStatus
from pathlib import Path
from typing import Any

from aiohttp import web
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

from mobilegym.policy import wire
from mobilegym.policy.engine import Engine
from mobilegym.policy.errors import BadRequest, EngineRefusal, UnknownModel
from mobilegym.policy.sampler import Request

MAX_BODY = 64 << 20
Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


@web.middleware
async def refusals(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Every failure leaves in OpenAI's error format."""
    metrics = request.app[ENGINE].metrics
    try:
        return await handler(request)
    except EngineRefusal as refusal:
        metrics.errors.labels(refusal.code).inc()
        return web.json_response(refusal.body(), status=refusal.http_status)
    except web.HTTPException as error:
        body = {
            "error": {"message": f"{request.method} {request.path}: {error.reason}", "type": "invalid_request_error"}
        }
        return web.json_response(body, status=error.status)
    except Exception as error:
        metrics.errors.labels("internal").inc()
        body = {"error": {"message": f"{type(error).__name__}: {error}", "type": "server_error"}}
        return web.json_response(body, status=HTTPStatus.INTERNAL_SERVER_ERROR)


ENGINE = web.AppKey("engine", Engine)


async def _json(request: web.Request) -> Any:
    try:
        return await request.json()
    except json.JSONDecodeError as error:
        raise BadRequest(f"the body is no JSON: {error}") from error


async def chat(request: web.Request) -> web.Response:
    engine = request.app[ENGINE]
    started = time.monotonic()
    asked = wire.parse(await _json(request))
    if asked.model not in (engine.policy.name, "policy"):
        raise UnknownModel(f"model {asked.model!r} is not served here; ask for {engine.policy.name!r}")
    images = tuple(engine.prepare(data) for data in wire.images_of(asked))
    ids = tuple(engine.policy.prompt_ids(wire.plain_messages(asked), [i.grid for i in images]))
    completion = await engine.complete(
        Request(
            prompt_ids=ids,
            images=images,
            temperature=asked.temperature,
            max_tokens=asked.max_tokens,
            seed=random.getrandbits(63) if asked.seed is None else asked.seed,
        )
    )
    sample = completion.sample
    pieces = [engine.policy.tokenizer.decode([t]) for t in sample.token_ids] if asked.logprobs else []
    text = engine.policy.decode(sample.token_ids)
    engine.metrics.requests.labels(sample.finish_reason).inc()
    engine.metrics.request_seconds.observe(time.monotonic() - started)
    return web.json_response(wire.answer(asked, sample, text, pieces, ids, completion.version))


async def models(request: web.Request) -> web.Response:
    policy = request.app[ENGINE].policy
    entry = {"id": policy.name, "object": "model", "owned_by": "mobilegym", "max_model_len": policy.context}
    return web.json_response({"object": "list", "data": [entry]})


async def pause(request: web.Request) -> web.Response:
    request.app[ENGINE].pause()
    return await version(request)


async def resume(request: web.Request) -> web.Response:
    request.app[ENGINE].resume()
    return await version(request)


async def update_weights(request: web.Request) -> web.Response:
    """Body: {"path": folder, "version": number, "digest": optional sha256}."""
    raw = await _json(request)
    if not isinstance(raw, dict) or not isinstance(raw.get("path"), str) or not isinstance(raw.get("version"), int):
        raise BadRequest('the body must be {"path": folder, "version": number, "digest": optional}')
    await request.app[ENGINE].update_weights(Path(raw["path"]), raw["version"], str(raw.get("digest") or ""))
    return await version(request)


async def version(request: web.Request) -> web.Response:
    engine = request.app[ENGINE]
    return web.json_response(
        {"version": engine.version, "model": engine.policy.name, "paused": engine.paused, "waiting": engine.depth}
    )


async def health(request: web.Request) -> web.Response:
    return web.json_response({"status": "ok", "version": request.app[ENGINE].version})


async def metrics(request: web.Request) -> web.Response:
    body = generate_latest(request.app[ENGINE].metrics.registry)
    return web.Response(body=body, headers={"Content-Type": CONTENT_TYPE_LATEST})


def build_app(engine: Engine) -> web.Application:
    """The engine's routes; starts and closes the engine with the application."""
    app = web.Application(middlewares=[refusals], client_max_size=MAX_BODY)
    app[ENGINE] = engine
    app.add_routes(
        [
            web.post("/v1/chat/completions", chat),
            web.get("/v1/models", models),
            web.post("/pause", pause),
            web.post("/resume", resume),
            web.post("/update_weights", update_weights),
            web.get("/version", version),
            web.get("/health", health),
            web.get("/healthz", health),
            web.get("/readyz", health),
            web.get("/metrics", metrics),
        ]
    )

    async def start(app: web.Application) -> None:
        await app[ENGINE].start()

    async def close(app: web.Application) -> None:
        await app[ENGINE].close()

    app.on_startup.append(start)
    app.on_cleanup.append(close)
    return app
