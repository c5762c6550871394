"""DeepSpeed's configuration, derived from the spec.

ZeRO-1 only: ranks have unequal numbers of micro-batches, which ZeRO-2 crashes on and ZeRO-3 hangs on. The learner
scales the loss by global denominators and marks the accumulation boundary by hand, so accumulation is 1 here.
"""

from __future__ import annotations

from typing import Any

from mobilegym.run.manifest import RunSpec

GRADIENT_NORM = 1.0  # clipped to
BUCKET = 200_000_000  # elements in a reduce or gather bucket


def deepspeed_config(spec: RunSpec) -> dict[str, Any]:
    """For `deepspeed.initialize`. The optimizer is torch's AdamW, passed in: DeepSpeed's own compiles for minutes."""
    gpu = spec.learner.gpus > 0
    rows = spec.learner.rows or 1
    return {
        "train_micro_batch_size_per_gpu": rows,
        "gradient_accumulation_steps": 1,
        "train_batch_size": rows * spec.learner.world_size,
        "gradient_clipping": GRADIENT_NORM,
        "bf16": {"enabled": gpu},
        "zero_optimization": {
            "stage": 1,
            "reduce_bucket_size": BUCKET if gpu else BUCKET // 100,
            "allgather_bucket_size": BUCKET if gpu else BUCKET // 100,
            "overlap_comm": gpu,
            "contiguous_gradients": True,
        },
        "zero_allow_untested_optimizer": True,
        "zero_force_ds_cpu_optimizer": False,
        "steps_per_print": 2**31 - 1,
        "wall_clock_breakdown": False,
    }
