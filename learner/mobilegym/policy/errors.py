"""What the engine refuses, in OpenAI's error format.

EngineRefusal
├── UnknownModel      404  model_not_found
├── ImageRefused      400  invalid_image: missing, unreadable, too large, sides not a multiple of the patch grid
├── PromptTooLong     400  context_length_exceeded
├── BadRequest        400  invalid_request_error
├── EnginePaused      503  engine_paused
└── WeightsRefused    409  weights_refused
"""

from __future__ import annotations


class EngineRefusal(Exception):
    """A request that the engine will not serve; `code` is stable, the message says what to do."""

    http_status = 400
    code = "invalid_request_error"

    def body(self) -> dict[str, dict[str, str]]:
        kind = "invalid_request_error" if self.http_status < 500 else "server_error"
        return {"error": {"message": str(self), "type": kind, "code": self.code}}


class UnknownModel(EngineRefusal):
    http_status = 404
    code = "model_not_found"


class ImageRefused(EngineRefusal):
    code = "invalid_image"


class PromptTooLong(EngineRefusal):
    code = "context_length_exceeded"


class BadRequest(EngineRefusal):
    pass


class EnginePaused(EngineRefusal):
    http_status = 503
    code = "engine_paused"


class WeightsRefused(EngineRefusal):
    http_status = 409
    code = "weights_refused"
