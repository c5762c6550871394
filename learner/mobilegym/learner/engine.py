"""DeepSpeed ZeRO-1 around the policy: optimizer states are shared out over ranks, parameters are whole on each.

Ranks may have different numbers of micro-batches, also none. Gradients gather locally; the update's last backward is of
a zero that depends on every parameter, so all ranks reduce the same buckets. Every loss must already be divided by
counts over the whole update (`Denominators`), so how rows were split over ranks and micro-batches changes nothing.
"""

from __future__ import annotations

import atexit
import logging
import os
import tempfile
import time
import warnings
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any, cast

import torch
import torch.distributed as dist
from torch import Tensor, nn

from mobilegym.learner.errors import SetupError
from mobilegym.learner.meeting import MEETING_FILE, meeting_place

SMOKE_SECONDS = 60.0
CONTROL_TIMEOUT = timedelta(days=7)  # rank 0 may wait long for roll-outs


class EngineError(Exception):
    """Ranks cannot work together."""


class RanksChanged(EngineError, SetupError):
    """A checkpoint is of another number of ranks."""


@dataclass(frozen=True, kw_only=True)
class OptimizerConfig:
    lr: float = 1e-6
    beta1: float = 0.9
    beta2: float = 0.999
    weight_decay: float = 0.0
    warmup_steps: int = 0  # optimizer steps of linear warm-up


def init_ranks(device: str) -> None:
    """Joins the process group that torchrun describes; a process started alone becomes its only rank."""
    if dist.is_initialized():
        return
    if "RANK" not in os.environ:
        meeting = tempfile.TemporaryDirectory(prefix="mobilegym-ranks-")
        atexit.register(meeting.cleanup)
        os.environ.update(meeting_place(Path(meeting.name), ranks=1) | {"RANK": "0", "LOCAL_RANK": "0"})
    if device == "cpu":
        os.environ.setdefault("DS_ACCELERATOR", "cpu")
    else:
        torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
    deepspeed = _deepspeed()
    file = os.environ.pop(MEETING_FILE, None)  # not for the children of this process: they are no ranks of it
    deepspeed.init_distributed(
        dist_backend="gloo" if device == "cpu" else "nccl",
        timeout=timedelta(minutes=30),
        init_method=f"file://{file}" if file else None,
        rank=int(os.environ["RANK"]) if file else -1,
        world_size=int(os.environ["WORLD_SIZE"]) if file else -1,
    )


def local_device(device: str) -> str:
    return "cpu" if device == "cpu" else f"cuda:{int(os.environ.get('LOCAL_RANK', '0'))}"


class Engine:
    """`module` is the whole function whose parameters are trained; those that need no gradient stay as they are."""

    def __init__(self, module: nn.Module, config: OptimizerConfig, zero: dict[str, Any], *, device: str) -> None:
        """`zero` is DeepSpeed's configuration, ZeRO-1. `device`: cpu or cuda."""
        init_ranks(device)
        self.rank, self.ranks = dist.get_rank(), dist.get_world_size()
        self.control = dist.new_group(backend="gloo", timeout=CONTROL_TIMEOUT)
        self.device = local_device(device)
        self._smoke_test()
        self._config = config
        self._parameters = [p for p in module.parameters() if p.requires_grad]
        self.updates = 0
        optimizer = torch.optim.AdamW(
            self._parameters, lr=config.lr, betas=(config.beta1, config.beta2), weight_decay=config.weight_decay
        )
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            self._engine: Any = _deepspeed().initialize(
                model=module, optimizer=optimizer, model_parameters=self._parameters, config=zero
            )[0]

    @property
    def module(self) -> nn.Module:
        return cast(nn.Module, self._engine.module)

    def accumulate(self, loss: Tensor) -> None:
        """Adds one micro-batch's share of the update's loss."""
        # DeepSpeed averages over ranks; shares of one global mean must be summed.
        self._engine.set_gradient_accumulation_boundary(False)
        self._engine.backward(loss * self.ranks, scale_wrt_gas=False)

    def update(self) -> float:
        """One optimizer step with the accumulated gradients of all ranks. Returns their norm before clipping."""
        self._engine.set_gradient_accumulation_boundary(True)
        self._engine.backward(self._zero(), scale_wrt_gas=False)
        self._warm_up()
        self._engine.step()
        self.updates += 1
        norm = self._engine.get_global_grad_norm()
        return float(norm) if norm is not None else 0.0

    def forget(self) -> None:
        """Drops what was accumulated since the last update."""
        self._engine.optimizer.zero_grad()

    def sums(self, values: list[float]) -> list[float]:
        """Each value summed over ranks."""
        return self._reduce(values, dist.ReduceOp.SUM)

    def maxima(self, values: list[float]) -> list[float]:
        return self._reduce(values, dist.ReduceOp.MAX)

    def agree(self, flag: bool) -> bool:
        """Whether any rank says so."""
        return self.maxima([float(flag)])[0] > 0

    def broadcast(self, thing: Any) -> Any:
        """Rank 0's object, on every rank. May wait days for it."""
        holder = [thing]
        dist.broadcast_object_list(holder, src=0, group=self.control)
        return holder[0]

    def barrier(self) -> None:
        dist.barrier(group=self.control)

    def save(self, folder: Path) -> None:
        """Optimizer and weights, exactly; every rank must call it."""
        self._engine.save_checkpoint(
            str(folder), tag="deepspeed", save_latest=False, client_state={"ranks": self.ranks}
        )

    def load(self, folder: Path, updates: int) -> None:
        """Raises RanksChanged."""
        shards = len(list((folder / "deepspeed").glob("*zero_pp_rank_*optim_states.pt")))
        if shards != self.ranks:
            raise RanksChanged(
                f"checkpoint {folder} was written by {shards} ranks and this learner has {self.ranks}: start it with "
                f"{shards}, or begin a new run from {folder / 'model'}"
            )
        self._engine.load_checkpoint(str(folder), tag="deepspeed", load_lr_scheduler_states=False)
        self.updates = updates

    def close(self) -> None:
        self._engine.destroy()
        if dist.is_initialized():
            dist.destroy_process_group()

    def _zero(self) -> Tensor:
        return torch.stack([p.sum() for p in self._parameters]).sum() * 0.0

    def _warm_up(self) -> None:
        if self._config.warmup_steps:
            share = min(1.0, (self.updates + 1) / self._config.warmup_steps)
            for group in self._engine.optimizer.param_groups:
                group["lr"] = self._config.lr * share

    def _reduce(self, values: list[float], op: Any) -> list[float]:
        tensor = torch.tensor(values, dtype=torch.float64)
        dist.all_reduce(tensor, op=op, group=self.control)
        return [float(v) for v in tensor]

    def _smoke_test(self) -> None:
        """NCCL's peer-to-peer path can hang on GPUs without NVLink; find out now rather than in the first update."""
        if self.device == "cpu":
            return
        ones = torch.ones(1 << 20, device=self.device)
        work = dist.all_reduce(ones, async_op=True)
        deadline = time.monotonic() + SMOKE_SECONDS
        while not work.is_completed():
            if time.monotonic() > deadline:
                raise EngineError(
                    f"an all-reduce over {self.ranks} GPUs did not finish in {SMOKE_SECONDS:.0f} s: set "
                    "NCCL_P2P_DISABLE=1 (GPUs without NVLink), or NCCL_DEBUG=INFO to see where it hangs"
                )
            time.sleep(0.01)
        if float(ones[0]) != self.ranks:
            raise EngineError(f"an all-reduce of ones over {self.ranks} GPUs gave {float(ones[0])}: check the fabric")


def _deepspeed() -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import deepspeed

    # Else, at every start, all its ops are probed with a compiler, and one that only inference uses is compiled.
    deepspeed.ops.__compatible_ops__ = {}
    logging.getLogger("DeepSpeed").setLevel(logging.WARNING)
    return deepspeed
