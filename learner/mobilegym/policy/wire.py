"""The OpenAI chat-completions wire format: requests in, completions out."""

from __future__ import annotations

import base64
import binascii
import time
import uuid
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from mobilegym.policy.errors import BadRequest, ImageRefused
from mobilegym.policy.sampler import Sample


class ImageUrl(BaseModel):
    url: str
    detail: str | None = None


class Part(BaseModel):
    type: Literal["text", "image_url"]
    text: str | None = None
    image_url: ImageUrl | None = None


class ChatMessage(BaseModel):
    role: Literal["system", "user", "assistant"]
    content: str | list[Part]


class ChatRequest(BaseModel):
    """Unknown keys are refused: a setting that is silently ignored would bias what is learned from the samples."""

    model_config = ConfigDict(extra="forbid")

    model: str
    messages: list[ChatMessage] = Field(min_length=1)
    max_tokens: int = Field(default=64, ge=1)
    temperature: float = Field(default=1.0, ge=0.0)
    top_p: Literal[1] = 1
    n: Literal[1] = 1
    seed: int | None = None
    stream: Literal[False] = False
    logprobs: bool = False
    top_logprobs: Literal[0] | None = None
    return_token_ids: bool = False
    user: str | None = None


def parse(raw: Any) -> ChatRequest:
    """Raises BadRequest that names the field."""
    try:
        return ChatRequest.model_validate(raw)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(str(p) for p in first["loc"]) or "body"
        raise BadRequest(f"{where}: {first['msg']}") from error


def images_of(request: ChatRequest) -> list[bytes]:
    """The images' bytes, in order. Raises ImageRefused when there is none or one is no data URI."""
    parts = [p for m in request.messages if not isinstance(m.content, str) for p in m.content]
    urls = [p.image_url.url for p in parts if p.type == "image_url" and p.image_url is not None]
    if not urls:
        raise ImageRefused("the request has no image: this policy acts on a screenshot; add an image_url part")
    return [_data_uri(url) for url in urls]


def _data_uri(url: str) -> bytes:
    head, _, body = url.partition(",")
    if not head.startswith("data:image/") or not head.endswith(";base64"):
        raise ImageRefused(f"image_url must be a data:image/...;base64 URI, not {url[:40]!r}: nothing is fetched")
    try:
        return base64.b64decode(body, validate=True)
    except binascii.Error as error:
        raise ImageRefused(f"the image's base64 does not decode: {error}") from error


def plain_messages(request: ChatRequest) -> list[dict[str, Any]]:
    return [m.model_dump(exclude_none=True) for m in request.messages]


def answer(
    request: ChatRequest, sample: Sample, text: str, pieces: list[str], prompt_ids: tuple[int, ...], version: int
) -> dict[str, Any]:
    """The response body. `pieces` are the sampled tokens' texts."""
    choice: dict[str, Any] = {
        "index": 0,
        "message": {"role": "assistant", "content": text},
        "finish_reason": sample.finish_reason,
    }
    if request.logprobs:
        choice["logprobs"] = {
            "content": [
                {"token": piece, "logprob": logprob, "bytes": list(piece.encode()), "top_logprobs": []}
                for piece, logprob in zip(pieces, sample.logprobs, strict=True)
            ]
        }
    body: dict[str, Any] = {
        "id": f"chatcmpl-{uuid.uuid4().hex[:24]}",
        "object": "chat.completion",
        "created": int(time.time()),
        "model": request.model,
        "choices": [choice],
        "policy_version": version,
        "usage": {
            "prompt_tokens": len(prompt_ids),
            "completion_tokens": len(sample.token_ids),
            "total_tokens": len(prompt_ids) + len(sample.token_ids),
        },
    }
    if request.return_token_ids:
        body["prompt_token_ids"] = list(prompt_ids)
        choice["token_ids"] = list(sample.token_ids)
    return body
