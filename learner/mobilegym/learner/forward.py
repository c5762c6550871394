"""Teacher forcing: log-probabilities and entropies of sampled tokens, as the sampler would have given them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import torch
from torch import Tensor, nn

from mobilegym.learner.pack import MicroBatch
from mobilegym.policy.model import Policy, Visual


class TeacherForced(nn.Module):
    """The policy's model as a function from a micro-batch to (log-probabilities, entropies), each (rows, tokens).

    Temperature and suppressed ids are the sampler's; logits exist only where a sampled token is predicted.
    """

    def __init__(self, policy: Policy, *, temperature: float = 1.0) -> None:
        super().__init__()
        self.model: Any = policy.model
        self.temperature = temperature
        self.register_buffer("bias", policy.bias, persistent=False)

    def forward(self, batch: MicroBatch, visuals: Mapping[str, Visual]) -> tuple[Tensor, Tensor]:
        device = self.model.device
        embeds, extra = self._embed(batch, visuals)
        hidden = self.model.model.language_model(
            inputs_embeds=embeds,
            position_ids=batch.positions.to(device),
            attention_mask=batch.attends.to(device),
            use_cache=False,
            **extra,
        ).last_hidden_state
        picked = hidden.flatten(0, 1)[batch.predicting.to(device)]
        logits = self.model.lm_head(picked).float() / self.temperature + self.bias
        logp = torch.log_softmax(logits, dim=-1)
        p = logp.exp()
        entropy = -(p * logp.masked_fill(p == 0, 0.0)).sum(-1)
        predict = batch.predict.to(device)
        padding = batch.mask.to(device) == 0  # there the log-probability may be -inf, and -inf times 0 is NaN
        chosen = logp[predict, batch.targets.to(device)]
        return chosen.masked_fill(padding, 0.0), entropy[predict].masked_fill(padding, 0.0)

    def _embed(self, batch: MicroBatch, visuals: Mapping[str, Visual]) -> tuple[Tensor, dict[str, Any]]:
        """Token embeddings with visual tokens in their slots, and the deepstack arguments."""
        device = self.model.device
        embeds = self.model.get_input_embeddings()(batch.tokens.to(device))
        places = batch.slots >= 0
        if not bool(places.any()):
            raise ValueError("no visual token in a micro-batch: the prompts hold no image placeholder")
        keys = list(dict.fromkeys(batch.images))
        starts, total = {}, 0
        for key in keys:
            starts[key] = total
            total += visuals[key].embeds.shape[0]
            highest = int(batch.slots[[i for i, k in enumerate(batch.images) if k == key]].max())
            if highest + 1 != visuals[key].embeds.shape[0]:
                raise ValueError(
                    f"image {key[:12]} has {visuals[key].embeds.shape[0]} visual tokens, its prompt {highest + 1}: "
                    "worker, engine and learner must use the same image size"
                )
        offsets = torch.tensor([starts[key] for key in batch.images]).unsqueeze(1)
        index = (batch.slots + offsets)[places].to(device)
        mask = places.to(device)
        seen = torch.cat([visuals[key].embeds for key in keys])[index]
        embeds = embeds.masked_scatter(mask.unsqueeze(-1), seen.to(embeds.dtype))
        if not visuals[keys[0]].deepstack:
            return embeds, {}
        layers = range(len(visuals[keys[0]].deepstack))
        deep = [torch.cat([visuals[key].deepstack[i] for key in keys])[index] for i in layers]
        return embeds, {"visual_pos_masks": mask, "deepstack_visual_embeds": deep}
