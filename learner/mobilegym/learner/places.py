"""Where the parts of a run are, for its learner."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, kw_only=True)
class Places:
    run_dir: Path
    model: Path  # first weights
    redis_url: str
    engine_url: str | None
    blobs: str
    metrics_host: str = "127.0.0.1"
    metrics_port: int = 0
