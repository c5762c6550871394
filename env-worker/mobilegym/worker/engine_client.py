"""The policy engine contract, from the worker: OpenAI chat completions with images, token ids and log-probabilities.

EngineError
├── EngineUnavailable   no connection, 5xx or no answer before the deadline: the episode is a policy_error
├── EngineRefused       4xx: the request is wrong, asking again will not help
└── EngineGarbled       an answer without what the contract promises
"""

from __future__ import annotations

import asyncio
import base64
from collections.abc import Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self

import aiohttp

from mobilegym.protocol.messages import Sampling

FIRST_RETRY_SECONDS = 0.05
LAST_RETRY_SECONDS = 1.0


class EngineError(Exception):
    """Base of what the engine client raises."""


class EngineUnavailable(EngineError):
    pass


class EngineRefused(EngineError):
    """`code` is the engine's stable word for why."""

    def __init__(self, message: str, code: str) -> None:
        super().__init__(message)
        self.code = code


class EngineGarbled(EngineError):
    pass


@dataclass(frozen=True, kw_only=True)
class Completion:
    """What the policy said. The ids are verbatim what the sampler saw and drew; `logprobs` has one natural log each.

    An engine that returns no token ids (a plain OpenAI endpoint) leaves `token_ids`, `prompt_ids`, `logprobs` empty:
    enough to evaluate, not to train. `version` is 0 where the engine has none.
    """

    text: str
    token_ids: tuple[int, ...]
    prompt_ids: tuple[int, ...]
    logprobs: tuple[float, ...]
    version: int
    finish_reason: str


class EngineClient:
    """One engine. `url` without `/v1`; `deadline_seconds` bounds one completion with all its retries.

    `token_ids=False` for endpoints that know neither `return_token_ids` nor seeds of ours.
    """

    def __init__(
        self,
        url: str,
        model: str = "policy",
        *,
        deadline_seconds: float = 60.0,
        token_ids: bool = True,
        api_key: str = "",
        connections: int = 128,
    ) -> None:
        self.url = url.rstrip("/").removesuffix("/v1")
        self.model = model
        self.deadline_seconds = deadline_seconds
        self._token_ids = token_ids
        self._headers = {"Authorization": f"Bearer {api_key}"} if api_key else {}
        self._connections = connections
        self._session: aiohttp.ClientSession | None = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        if self._session is not None:
            await self._session.close()
            self._session = None

    async def complete(
        self, messages: Sequence[dict[str, Any]], image: bytes | Sequence[bytes], sampling: Sampling, seed: int
    ) -> Completion:
        """Asks for one completion.

        Each `{"type": "image"}` part of `messages` stands for the next of the images (PNG, JPEG or WebP bytes);
        without such a part one image is put before the last message's text.
        Raises: EngineError.
        """
        images = [image] if isinstance(image, bytes) else list(image)
        body: dict[str, Any] = {
            "model": self.model,
            "messages": place_images(messages, images),
            "max_tokens": sampling.max_tokens,
            "temperature": sampling.temperature,
            "seed": seed,
        }
        if self._token_ids:
            body |= {"logprobs": True, "return_token_ids": True}
        return self._read(await self._ask("POST", "/v1/chat/completions", body))

    async def version(self) -> int:
        """The policy version being served."""
        return int((await self._ask("GET", "/version", None))["version"])

    async def wait_ready(self, seconds: float, path: str = "/health") -> None:
        """Returns once the engine answers. Raises EngineUnavailable."""
        await self._ask("GET", path, None, deadline_seconds=seconds)

    async def _ask(
        self, method: str, path: str, body: dict[str, Any] | None, deadline_seconds: float | None = None
    ) -> dict[str, Any]:
        """Retries what another try may mend (no connection, 502 to 504) until the deadline."""
        limit = deadline_seconds or self.deadline_seconds
        pause, last = FIRST_RETRY_SECONDS, "no answer"
        try:
            async with asyncio.timeout(limit):
                while True:
                    try:
                        return await self._once(method, path, body)
                    except (aiohttp.InvalidURL, aiohttp.NonHttpUrlClientError) as error:
                        raise EngineRefused(f"{self.url!r} is no URL: write http://host:port", "invalid_url") from error
                    except (EngineUnavailable, aiohttp.ClientConnectionError) as error:
                        last = f"{type(error).__name__}: {error}"
                    await asyncio.sleep(pause)
                    pause = min(pause * 2, LAST_RETRY_SECONDS)
        except TimeoutError as error:
            raise EngineUnavailable(
                f"{method} {self.url}{path} gave nothing in {limit:g} s ({last}): is the engine running, or overloaded?"
            ) from error

    async def _once(self, method: str, path: str, body: dict[str, Any] | None) -> dict[str, Any]:
        if self._session is None:
            self._session = aiohttp.ClientSession(
                connector=aiohttp.TCPConnector(limit=self._connections),
                headers=self._headers,
                timeout=aiohttp.ClientTimeout(total=None),
            )
        async with self._session.request(method, self.url + path, json=body) as response:
            if response.status in (502, 503, 504):
                raise EngineUnavailable(f"HTTP {response.status}: {(await response.text())[:200]}")
            try:
                answer = await response.json(content_type=None)
            except ValueError as error:
                raise EngineGarbled(f"{path} answered HTTP {response.status} and no JSON") from error
            if response.status >= 400 or not isinstance(answer, dict):
                raise self._refusal(path, response.status, answer)
            return answer

    def _refusal(self, path: str, status: int, answer: Any) -> EngineError:
        error = answer.get("error", {}) if isinstance(answer, dict) else {}
        message = error.get("message", str(answer)[:200]) if isinstance(error, dict) else str(error)
        if status >= 500:
            return EngineGarbled(f"{path} failed with HTTP {status}: {message}")
        code = str(error.get("code", "")) if isinstance(error, dict) else ""
        return EngineRefused(f"{path} refused with HTTP {status}: {message}", code)

    def _read(self, answer: dict[str, Any]) -> Completion:
        try:
            choice = answer["choices"][0]
            text = choice["message"]["content"] or ""
            token_ids = tuple(choice["token_ids"]) if self._token_ids else ()
            prompt_ids = tuple(answer["prompt_token_ids"]) if self._token_ids else ()
            logprobs = tuple(t["logprob"] for t in choice["logprobs"]["content"]) if self._token_ids else ()
        except (KeyError, IndexError, TypeError) as error:
            raise EngineGarbled(
                f"the completion lacks {error}: training needs logprobs and return_token_ids"
            ) from error
        if len(token_ids) != len(logprobs):
            raise EngineGarbled(f"{len(token_ids)} token ids came with {len(logprobs)} log-probabilities")
        return Completion(
            text=text,
            token_ids=token_ids,
            prompt_ids=prompt_ids,
            logprobs=logprobs,
            version=int(answer.get("policy_version", 0)),
            finish_reason=str(choice.get("finish_reason", "")),
        )


def data_uri(image: bytes) -> str:
    kind = "png" if image.startswith(b"\x89PNG") else "webp" if image[8:12] == b"WEBP" else "jpeg"
    return f"data:image/{kind};base64,{base64.b64encode(image).decode()}"


def place_images(messages: Sequence[dict[str, Any]], images: Sequence[bytes]) -> list[dict[str, Any]]:
    """Messages with their image places filled. Raises ValueError where places and images differ in number."""
    remaining = [{"type": "image_url", "image_url": {"url": data_uri(i)}} for i in images]
    count = len(remaining)
    out: list[dict[str, Any]] = []
    places = 0
    for message in messages:
        content = message["content"]
        if not isinstance(content, str):
            places += sum(1 for p in content if p.get("type") == "image")
            content = [remaining.pop(0) if p.get("type") == "image" and remaining else p for p in content]
        out.append({**message, "content": content})
    if places == 0 and count == 1:
        last = out[-1]
        parts = [{"type": "text", "text": last["content"]}] if isinstance(last["content"], str) else last["content"]
        out[-1] = {**last, "content": [*remaining, *parts]}
    elif places != count:
        raise ValueError(f"the messages have {places} image places for {count} images")
    return out
