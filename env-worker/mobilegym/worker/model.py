"""An agent that asks a model behind an OpenAI-compatible endpoint."""

from __future__ import annotations

import hashlib

from mobilegym.dialects.base import Dialect
from mobilegym.protocol.messages import Sampling
from mobilegym.worker.agent import Decision, PolicyFailure, Turn
from mobilegym.worker.engine_client import EngineClient, EngineError


def step_seed(sample_seed: int, step: int) -> int:
    """The sampling seed of one step: differs by member and step, repeats with both."""
    return int.from_bytes(hashlib.sha256(f"{sample_seed} {step}".encode()).digest()[:4]) & 0x7FFFFFFF


class ModelAgent:
    """Speaks one dialect to one engine."""

    needs_tree = False

    def __init__(self, client: EngineClient, dialect: Dialect, sampling: Sampling, sample_seed: int = 0) -> None:
        self.name = f"model:{dialect.name}"
        self._client = client
        self._dialect = dialect
        self._sampling = sampling
        self._sample_seed = sample_seed

    async def decide(self, turn: Turn) -> Decision:
        """Raises PolicyFailure where the engine does not answer in time."""
        messages = self._dialect.messages(turn.goal, turn.history, turn.observation)
        try:
            completion = await self._client.complete(
                messages, turn.observation.image, self._sampling, step_seed(self._sample_seed, turn.step)
            )
        except EngineError as error:
            raise PolicyFailure(str(error)) from error
        parsed = self._dialect.parse(completion.text, turn.observation.size)
        return Decision(
            actions=parsed.actions,
            error=parsed.error,
            text=completion.text,
            prompt_ids=completion.prompt_ids,
            token_ids=completion.token_ids,
            logprobs=completion.logprobs,
            policy_version=completion.version,
        )
